"""Whole move generators beside the live one. Each is compiled apart from the engine, when it is asked for."""
