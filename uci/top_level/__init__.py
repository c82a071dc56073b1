"""BlueKrait, a UCI chess engine: the package that `core`, `search`, `uci` and `tools` are installed in.

    from bluekrait import Engine, Position

This folder is installed as `bluekrait` itself. It cannot stand at the top of the repository under that name,
because `make` builds a file `bluekrait` there. A name is looked up when it is asked for: importing
`bluekrait.core` must load neither the front end nor the search.
"""

# What takes time is not imported here, since the answer to `uci` waits for this module.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from bluekrait.search.library.background import Search as Search
    from bluekrait.search.library.engine import Engine as Engine
    from bluekrait.search.library.engine_lock import EngineBusy as EngineBusy
    from bluekrait.search.library.options import Options as Options
    from bluekrait.search.library.position import Move as Move
    from bluekrait.search.library.position import Outcome as Outcome
    from bluekrait.search.library.position import Position as Position
    from bluekrait.search.library.results import Chances as Chances
    from bluekrait.search.library.results import Evaluation as Evaluation
    from bluekrait.search.library.results import Line as Line
    from bluekrait.search.library.results import Result as Result
    from bluekrait.search.library.results import Term as Term
    from bluekrait.search.reports import Score as Score
    from bluekrait.uci import __version__ as __version__

_MODULES = {
    "search.library.background": ("Search",),
    "search.library.engine": ("Engine",),
    "search.library.options": ("Options",),
    "search.library.position": ("Move", "Outcome", "Position"),
    "search.library.results": ("Chances", "Evaluation", "Line", "Result", "Term"),
    "search.library.engine_lock": ("EngineBusy",),
    "search.reports": ("Score",),
    "uci": ("__version__",),
}
_module_of = {name: module for module, names in _MODULES.items() for name in names}

__all__ = sorted(_module_of)


def __getattr__(name: str) -> object:
    if name in _module_of:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_module_of[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})  # for `help`, and for completion in notebooks
