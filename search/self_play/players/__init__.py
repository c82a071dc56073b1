"""Who plays the games of self-play: one searcher against itself, or two against each other."""
