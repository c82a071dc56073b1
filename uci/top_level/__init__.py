"""BlueKrait, a UCI chess engine: the package that `core`, `search`, `uci` and `tools` are installed in.

This folder is installed as `bluekrait` itself. It cannot stand at the top of the repository under that name,
because `make` builds a file `bluekrait` there.
"""

__all__ = ["__version__"]


def __getattr__(name: str) -> str:
    """The version, looked up when it is asked for: importing `bluekrait.core` must not load the front end."""
    if name == "__version__":
        from bluekrait.uci import __version__

        return __version__
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
