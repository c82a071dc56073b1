"""Files that survive a kill: drafts, journals, locks, and digests that tell whether two are the same."""
