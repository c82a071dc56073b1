"""The layout of the transposition table, for its memory and for the compiled functions that use it."""

CLUSTER_BYTES = 64
GENERATIONS = 32
SEAL = 0x9E3779B97F4A7C15  # an odd number; by its multiples a torn entry is recognised
