"""Draw pictures with matplotlib, if it is installed."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bluekrait.tools.common.whole_file import check_writable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def check_picture(path: str) -> None:
    """ValueError if matplotlib cannot write a file there, of that name. Call it before long work."""
    figure, _ = _pyplot().subplots()
    known = figure.canvas.get_supported_filetypes()
    _pyplot().close(figure)
    ending = path.rpartition(".")[2].lower()
    if ending not in known:
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
    pyplot = _pyplot()
    size = 5 * columns * scale, 3.5 * rows * scale
    figure, axes = pyplot.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
    paint(figure, list(axes.flat))
    figure.savefig(path)
    pyplot.close(figure)


def _pyplot() -> Any:
    try:
        import matplotlib
    except ModuleNotFoundError:
        raise ValueError("drawing needs matplotlib: pip install 'bluekrait[tools]'") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot
