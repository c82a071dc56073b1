"""The engine for Python programs: `from bluekrait import Engine, Position`."""
