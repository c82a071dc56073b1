"""Constants that are worked out in plain Python: compiled code reads them, nothing here is compiled."""
