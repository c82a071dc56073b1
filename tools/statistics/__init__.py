"""Elo, normalised Elo, likelihood of superiority, SPRT and ratings from the results of games."""
