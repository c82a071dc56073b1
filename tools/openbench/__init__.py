"""For OpenBench: a match runner that its workers call, and a trial of all that a worker does."""
