"""Positions and moves as text: FEN, UCI coordinates, SAN. Plain Python."""
