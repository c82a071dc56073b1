"""Judging a position without looking ahead: the search calls `evaluate`, and a room behind it answers."""
