"""BlueKrait, a UCI chess engine: the package that `core`, `search`, `uci` and `tools` are installed in.

This folder is installed as `bluekrait` itself. It cannot stand at the top of the repository under that name,
because `make` builds a file `bluekrait` there.
"""

from bluekrait.uci import __version__

__all__ = ["__version__"]
