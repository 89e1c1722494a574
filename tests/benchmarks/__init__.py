"""Ratios of times measured in one run. No bound here is a time: machines differ, ratios hardly do."""
