"""Judging a position without looking ahead: `evaluate` gives the number, `trace` gives the reasons for it."""
