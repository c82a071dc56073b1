"""Perft: kernels that count the leaves of the tree, and the plain Python that spreads them over threads."""
