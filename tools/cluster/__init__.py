"""Work in units, for the processes of this machine or for many machines by Dask."""
