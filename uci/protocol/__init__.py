"""UCI: its messages, its commands and its words."""
