"""`bluekrait analyse`: games annotated, move by move, and suites of test positions."""
