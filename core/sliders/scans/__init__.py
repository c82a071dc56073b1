"""Finding and counting bits of a word: what a processor does in one instruction, and what served before.

Each module has some of `lowest_square`, `highest_square` (of a word that is not empty) and `popcount`.
"""
