"""`python -m rackwright`."""

from rackwright.cli.start import main

main()
