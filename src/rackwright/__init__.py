"""rackwright: configuration validator and bill-of-materials generator for GPU servers."""

__version__ = "0.1.0"
