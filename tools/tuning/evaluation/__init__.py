"""`bluekrait tune evaluation`: gradient descent for the weights of the classical evaluation."""
