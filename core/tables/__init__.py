"""Constant tables, computed by plain Python and read by compiled code. Nothing here is compiled."""
