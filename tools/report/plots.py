"""Plots of a match against its games: Elo with its error, and the LLR of its test.

Plots for a page use CSS variables as colours, so that they follow its light or dark theme.
"""

import re
from collections.abc import Callable, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from bluekrait.tools.common.pictures import (
    BAND,
    BLUE,
    FAINT,
    GREEN,
    INK,
    RED,
    content_of,
    load_matplotlib,
    new_figure,
)
from bluekrait.tools.report.match_facts import Step
from bluekrait.tools.statistics.pentanomial import elo
from bluekrait.tools.statistics.sequential import Bounds, llrs

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE = (8.0, 2.9)  # inches, of one plot
DPI = 110
WIDEST = 400  # Elo: larger errors are drawn like this
MARGINS = 2.2  # the Elo axis shows the final value ± so many final errors

# The CSS variables of a page for the colours of the plots.
NAMES = {INK: "ink", FAINT: "line", BLUE: "accent", BAND: "band", GREEN: "good", RED: "bad"}

STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9.5,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
}


Drawing = tuple[Any, ...]  # a function that draws on axes, and its other arguments


def draw_elo(axes: "Axes", steps: Sequence[Step]) -> None:
    """Elo difference and error against the number of games."""
    curve = [(games, *elo(pairs)) for games, pairs in steps]
    curve = [(games, value, min(error, WIDEST)) for games, value, error in curve if isfinite(value)]
    axes.axhline(0, color=INK, linewidth=0.8)
    if curve:
        games, values, errors = zip(*curve)
        low, high = zip(*((value - error, value + error) for value, error in zip(values, errors)))
        axes.fill_between(games, low, high, color=BAND, linewidth=0)
        axes.plot(games, values, color=BLUE, linewidth=1.6)
        reach = MARGINS * max(errors[-1], 1)
        axes.set_ylim(min(values[-1] - reach, -1), max(values[-1] + reach, 1))
    axes.set_ylabel("Elo difference, 95 %")
    _finish(axes, steps)


def draw_llr(axes: "Axes", steps: Sequence[Step], bounds: Bounds) -> None:
    """The log-likelihood ratio and its bounds against the number of games."""
    ratios = list(llrs([pairs for _, pairs in steps], bounds)) if steps else []
    for height, color, name in ((bounds.upper, GREEN, "H1"), (bounds.lower, RED, "H0")):
        axes.axhline(height, color=color, linewidth=1.1, linestyle=(0, (5, 3)))
        axes.annotate(
            f"{name}: {bounds.elo1 if name == 'H1' else bounds.elo0:g}",
            (1, height),
            xycoords=("axes fraction", "data"),
            xytext=(-2, 3 if height > 0 else -3),
            textcoords="offset points",
            ha="right",
            va="bottom" if height > 0 else "top",
            color=color,
        )
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.plot([games for games, _ in steps], ratios, color=BLUE, linewidth=1.6)
    axes.set_ylim(min(1.35 * bounds.lower, *ratios, 0), max(1.35 * bounds.upper, *ratios, 0))
    axes.set_ylabel("LLR")
    _finish(axes, steps)


def _finish(axes: "Axes", steps: Sequence[Step]) -> None:
    axes.set_xlim(0, max((games for games, _ in steps), default=1))
    axes.set_xlabel("games")
    axes.locator_params(axis="x", integer=True)
    axes.grid(True)
    axes.set_axisbelow(True)


def picture(drawings: Sequence[Drawing], picture_format: str, **settings: Any) -> bytes:
    """Plots one below the other, as a file holds them."""
    with load_matplotlib().rc_context(STYLE):
        figure = new_figure(figsize=(SIZE[0], SIZE[1] * len(drawings)))
        top, bottom = 1 - 0.05 / len(drawings), 0.17 / len(drawings)  # with room for labels
        figure.subplots_adjust(left=0.085, right=0.98, top=top, bottom=bottom, hspace=0.27)
        for place, (draw, *arguments) in enumerate(drawings, 1):
            draw(figure.add_subplot(len(drawings), 1, place), *arguments)
        return content_of(figure, picture_format, dpi=DPI, **settings)


def inline_svg(draw: Callable[..., None], *arguments: Any) -> str:
    """A plot as an SVG element for a page."""
    svg = picture([(draw, *arguments)], "svg", transparent=True).decode()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    for color, name in NAMES.items():
        svg = svg.replace(color, f"var(--{name})")
    return svg
