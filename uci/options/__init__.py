"""The options: the table of them, their kinds, and what changing one does."""
