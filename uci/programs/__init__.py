"""What `bluekrait NAME` runs and leaves, beside the protocols."""
