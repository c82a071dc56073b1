"""Tuning: gradient descent for the evaluation, SPSA for the search, a fit of the win rate model."""
