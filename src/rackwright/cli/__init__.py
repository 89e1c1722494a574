"""The command line: reads options, calls the api, prints, exits. Nothing else prints or exits."""
