"""What results of games say about strength, and how surely."""
