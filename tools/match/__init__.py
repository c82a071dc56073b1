"""Matches between engines: who plays whom, the games, the referee, and the journal of results.

From Python: `setup/contest.py` says what to play, `runner/pair_play.py` plays one pair of games, and
`runner/game_processes.py` plays several games at a time.
"""
