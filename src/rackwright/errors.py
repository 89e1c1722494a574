"""Exceptions of rackwright. Wrong input is never an exception: it is a Finding (diagnostic.py).

RackwrightError
├── OutputError     a document could not be written (folder not writable, disk full)
└── UsageError      the program was called in a way that it cannot serve
"""


class RackwrightError(Exception):
    """Base of everything that rackwright raises on purpose; the command line exits 2 on it."""


class OutputError(RackwrightError):
    """A document could not be written; nothing half-written was left behind."""


class UsageError(RackwrightError):
    """The call itself cannot be served: an unknown format, an unknown option value."""
