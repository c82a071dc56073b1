"""UCI: its messages, its commands, and how answers are worded."""
