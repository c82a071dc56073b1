"""CeruleanJS's board: a mailbox with piece lists, on which moves are made and unmade.

The engine does not need it. It counts the same trees by rules that share nothing with the rest of `core` but
the start position and the Zobrist keys, so it is a good check; `docs/cerulean.md` has its history.
"""
