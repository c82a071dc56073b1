"""Standard input and output, and the log of both."""
