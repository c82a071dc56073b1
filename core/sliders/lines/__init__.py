"""Techniques that look at one line at a time: its occupancy leads to its attacks. Compiled."""
