"""Judging a position without a search: by the classical terms, or by the network; see `tree.evaluate`."""
