"""What a search learns while it searches: histories of moves, corrections of the evaluation."""
