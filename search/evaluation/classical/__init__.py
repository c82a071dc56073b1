"""The evaluation by hand-written terms: kernels, and the weights and records that they are compiled with."""
