"""Two versions of the engine that play with equal nodes: `bluekrait tune compare`, and the games of SPSA."""
