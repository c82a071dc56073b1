"""Techniques that turn the occupancy of both lines into one index. Compiled."""
