"""What OpenBench's workers, and others like them, expect of a match runner."""
