"""The outcomes that a tablebase knows (WDL), for the side to move."""

WIN, CURSED_WIN, DRAW, BLESSED_LOSS, LOSS = 2, 1, 0, -1, -2  # the middle ones: drawn by the fifty-move rule
