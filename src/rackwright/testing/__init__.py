"""For tests of repositories that hold rules or parts: `check_rules(folder)`, `check_catalog(folder)`."""

from rackwright.testing.checks import check_catalog, check_rules

__all__ = ["check_catalog", "check_rules"]
