"""The gallery: ways to find where sliding pieces attack, besides the one that the engine plays with."""
