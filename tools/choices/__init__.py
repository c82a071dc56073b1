"""Which engine chooses the better moves: where games would take too long (docs/laboratory/match.md)."""
