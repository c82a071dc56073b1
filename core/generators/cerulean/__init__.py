"""CeruleanJS's board, beside the live one: a mailbox with piece lists, on which moves are made and unmade.

The engine does not need it. It counts the same trees by rules that share nothing with the rest of `core` but
the position they start from, and it shows what became of an ancestor; `docs/cerulean.md` tells the story.
"""
