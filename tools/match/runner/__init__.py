"""Our own match runner: engines as processes, one game, many games at once, and their referee."""
