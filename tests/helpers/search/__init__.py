"""What tests ask the search and the evaluation."""
