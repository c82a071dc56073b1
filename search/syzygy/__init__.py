"""Syzygy's tables of wins, draws and losses, read by compiled code: they answer inside the search."""
