"""The rules of chess as kernels: every module here is compiled."""
