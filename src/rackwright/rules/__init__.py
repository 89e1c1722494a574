"""Rules: their model, their check at load, their evaluation, and the checks of the rules themselves."""
