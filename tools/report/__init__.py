"""A match on one page: figures, curves, crosstable and the games that were lost."""
