"""The programs `bluekrait NAME` that run and end, beside the protocols."""
