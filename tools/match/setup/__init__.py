"""What is to be played: engines, openings, time controls, and the numbered games that follow from them."""
