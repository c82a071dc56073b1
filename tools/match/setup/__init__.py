"""What to play: engines, openings, time controls, adjudication, and the numbered games of a contest."""
