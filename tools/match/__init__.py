"""Matches between engines: who plays whom, the games, their referee, and what is kept of them.

The door for other programs is `setup/contest.py` (what is to be played) with `runner/pair_play.py` (play
one pair here and now) and `runner/slots.py` (play many games at once).
"""
