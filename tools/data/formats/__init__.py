"""Files of labelled positions and of games: how they are written, read, and given as arrays."""
