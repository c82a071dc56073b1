"""The server of the page: who is let in, files and websockets, and all visitors."""
