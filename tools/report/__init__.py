"""A report about a match on one HTML page: figures, curves, crosstable and the lost games."""
