"""Placement: which part sits in which slot, bay, socket, rack unit and outlet."""
