"""DirGolem: all legal moves as sixteen sets of squares, one for each direction; see docs/dirgolem.md."""
