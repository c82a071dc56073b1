"""Matches between engines: who plays whom, the games, their referee, and what is kept of them.

The door for other programs is `contest.py` (what is to be played) with `pair_play.py` (play one pair here and
now) and `slots.py` (play many games at once).
"""
