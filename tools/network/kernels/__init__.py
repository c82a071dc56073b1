"""The arithmetic of training, compiled: features, sums, slopes, and the steps of AdamW."""
