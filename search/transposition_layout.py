"""The layout of the transposition table, for its memory and for the compiled functions that use it."""

CLUSTER_BYTES, ENTRY_BYTES = 64, 16
GENERATIONS = 32
LABEL_MASK = 0xFF  # the lowest byte of a check: generation, PV and bound
GENERATION_SHIFT = 3  # where it stands in the label
SEAL = 0x9E3779B97F4A7C15  # an odd number; by its multiples a torn entry is recognised
