"""`bluekrait tune search`: SPSA for the numbers of the search, by self-play."""
