"""Better numbers: gradient descent for the evaluation, SPSA for the search, a fit for the chances."""
