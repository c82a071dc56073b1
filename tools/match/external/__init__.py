"""Installed match runners: fastchess and cutechess-cli."""
