"""The terms of the classical evaluation, one family a module. Compiled."""
