"""Readers: the only modules that open files of the user, the catalog and the rules."""
