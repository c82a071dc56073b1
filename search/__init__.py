"""Choosing a move: knows the rules, reports by records and prints nothing."""
