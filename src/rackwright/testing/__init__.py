"""Tools for people who keep catalogs, rules and translations: run the same checks in their own repository."""
