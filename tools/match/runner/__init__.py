"""The built-in match runner: engine processes, games and their referee."""
