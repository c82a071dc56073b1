"""Compiled kernels of training: features, sums, gradients, and the steps of AdamW."""
