"""Perft on a graphics card, by Numba's CUDA target (`pip install "bluekrait[gpu]"`)."""
