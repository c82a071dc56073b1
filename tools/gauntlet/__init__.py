"""A gauntlet against the chess programs of this machine, and a rating list from its games."""
