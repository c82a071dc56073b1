"""The evaluation that was learnt from the engine's own games: a small neural network."""
