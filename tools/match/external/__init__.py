"""Match runners that are installed: fastchess and cutechess-cli."""
