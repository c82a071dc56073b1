"""The front end: everything that reads a command or prints an answer."""

__version__ = "0.1.0"
