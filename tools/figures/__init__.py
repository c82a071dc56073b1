"""The project's own figures: how fast it is, how soon it answers, and how that changes with time."""
