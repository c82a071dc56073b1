"""Draw pictures with matplotlib, if it is installed."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bluekrait.tools.common.whole_file import check_writable, write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 5.0, 3.5  # inches, of one plot
DPI = 150

# Equal figures make equal pictures: names in an SVG are not random, and there is no date.
WITHOUT_CHANCE: dict[Any, Any] = {"svg.hashsalt": "bluekrait"}
WITHOUT_DATE = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


def check_picture(path: str) -> None:
    """ValueError if matplotlib cannot write a file there, of that name. Call it before long work."""
    known = _new_figure().canvas.get_supported_filetypes()
    if format_of(path) not in known:
        raise ValueError(f"{path}: the name of a picture ends in one of {', '.join(sorted(known))}")
    check_writable([path])


def draw_picture(
    path: str,
    paint: "Callable[[Figure, list[Axes]], object]",
    rows: int = 1,
    columns: int = 1,
    scale: float = 1,
) -> None:
    """Write a picture: `paint(figure, axes)` draws on rows * columns axes."""
    size = WIDTH * columns * scale, HEIGHT * rows * scale
    figure = _new_figure(figsize=size, layout="constrained")
    from matplotlib import rc_context

    paint(figure, list(figure.subplots(rows, columns, squeeze=False).flat))
    drawn = BytesIO()
    with rc_context(WITHOUT_CHANCE):
        metadata = WITHOUT_DATE.get(Path(path).suffix.lower())
        figure.savefig(drawn, format=format_of(path), dpi=DPI, metadata=metadata)
    write_whole(path, drawn.getvalue())


def format_of(path: str | Path) -> str:
    """What the ending of a picture's name says."""
    return str(path).rpartition(".")[2].lower()


def _new_figure(**settings: Any) -> "Figure":
    """A figure of its own, not one of pyplot's, which would have to be closed."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise ValueError("drawing needs matplotlib: pip install 'bluekrait[tools]'") from None
    return Figure(**settings)
