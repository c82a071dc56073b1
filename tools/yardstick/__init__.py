"""The first prototype, kept as it was measured: the speed that perft is held against."""
