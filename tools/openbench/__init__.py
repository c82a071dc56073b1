"""A match runner for OpenBench's workers."""
