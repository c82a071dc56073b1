"""Draw pictures with matplotlib, if it is installed.

It is imported only when something is drawn: `--help` needs names of this module, and must not wait.
"""

import re
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from bluekrait.tools.common.files.own_output import check_own
from bluekrait.tools.common.files.whole_file import check_writable, write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 5.0, 3.5  # inches, of one plot
DPI = 150
MOST_POINTS = 400  # of a curve
INK, FAINT, BLUE, BAND, GREEN, RED = "#1d2733", "#c9d1d9", "#1668c1", "#b9d6f5", "#1a7f4b", "#b3392f"

OWN_PICTURE = re.compile(rb"Matplotlib", re.IGNORECASE)  # it is named in each file that it writes

# Equal figures make equal pictures: names in an SVG are not random, and there is no date.
WITHOUT_CHANCE: dict[Any, Any] = {"svg.hashsalt": "bluekrait"}
WITHOUT_DATE = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}  # the formats

Point = TypeVar("Point")


def check_picture(path: str) -> None:
    """ValueError if no such picture can be drawn, or another file is there. Call it before long work."""
    if format_of(path) not in WITHOUT_DATE:
        known = ", ".join(f".{one}" for one in WITHOUT_DATE)
        raise ValueError(f"{path}: the name of a picture ends in one of {known}")
    load_matplotlib()
    check_writable([path])
    check_own(path, OWN_PICTURE)


def draw_picture(
    path: str,
    paint: "Callable[[Figure, list[Axes]], object]",
    rows: int = 1,
    columns: int = 1,
    scale: float = 1,
) -> None:
    """Write a picture: `paint(figure, axes)` draws on rows * columns axes."""
    size = WIDTH * columns * scale, HEIGHT * rows * scale
    figure = new_figure(figsize=size, layout="constrained")
    paint(figure, list(figure.subplots(rows, columns, squeeze=False).flat))
    write_whole(path, content_of(figure, format_of(path), dpi=DPI))


def thinned(points: Sequence[Point]) -> list[Point]:
    """At most MOST_POINTS of the points of a curve, the last one included."""
    stride = -(-len(points) // MOST_POINTS)
    return list(points[len(points) - 1 :: -stride][::-1]) if stride else []


def content_of(figure: "Figure", picture_format: str, **settings: Any) -> bytes:
    """What a file with this picture holds."""
    content = BytesIO()
    with load_matplotlib().rc_context(WITHOUT_CHANCE):
        metadata = WITHOUT_DATE[picture_format]
        figure.savefig(content, format=picture_format, metadata=metadata, **settings)
    return content.getvalue()


def format_of(path: str | Path) -> str:
    """What the ending of a picture's name says."""
    return str(path).rpartition(".")[2].lower()


def new_figure(**settings: Any) -> "Figure":
    """A figure of its own, not one of pyplot's, which would have to be closed."""
    figure: Figure = load_matplotlib().figure.Figure(**settings)
    return figure


def load_matplotlib() -> Any:
    """The package matplotlib. ValueError if it is not installed."""
    try:
        import matplotlib.figure
    except ModuleNotFoundError as error:
        needs = f'plots need {error.name}, which is not installed: pip install "bluekrait[tools]"'
        raise ValueError(needs) from None
    return matplotlib
