"""The ladder: our engine against the chess programs of this machine, and the rating that follows."""
