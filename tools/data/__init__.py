"""Labelled positions: generate, store, inspect, filter and shuffle them; balanced openings."""
