"""Techniques that flood the board from all sliders of a set at once. Compiled."""
