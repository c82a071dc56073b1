"""Pools of workers: the processes of this machine, or of many machines with Dask."""
