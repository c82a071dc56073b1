"""Syzygy's tables of wins, draws and losses (WDL), probed by compiled code inside the search."""
