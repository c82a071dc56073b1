"""The game on the board: its positions and variations, clocks, rules of a game that is played, and PGN."""
