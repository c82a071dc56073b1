"""The board in the browser: a local page to play and to analyse on, and to watch long work."""
