"""The tree that is searched, as kernels: every module here is compiled."""
