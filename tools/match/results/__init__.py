"""What is kept of a contest: finished games, their journal, and the standings."""
