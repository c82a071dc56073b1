"""Syzygy's tables: outcomes (WDL), probed by compiled code in the search; distances (DTZ) for the root."""
