"""Labelled positions: how they are made, kept, looked into and shuffled; openings made in the same way."""
