"""Perft: kernels that count the leaves of the tree, and plain Python that spreads the work over threads."""
