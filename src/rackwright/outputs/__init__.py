"""Outputs: the only modules that write. Each takes a finished model and returns text or bytes."""
