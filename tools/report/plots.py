"""Curves of a match: how its estimate narrowed down, and how its test went.

Plots for a page name their colours by CSS variables, so that the page can turn dark.
"""

import io
import re
from math import isfinite

from bluekrait.tools.statistics.pentanomial import elo
from bluekrait.tools.statistics.sequential import llr

MOST_POINTS = 400  # of a curve
SIZE = (8.0, 2.9)  # inches, of one plot
DPI = 110
WIDEST = 400  # Elo, of an error that is shown
MARGINS = 2.2  # how many final errors around the final value the Elo axis shows

# Colours as matplotlib draws them, and the names that a page knows them by.
INK, FAINT, BLUE, BAND, GREEN, RED = "#1d2733", "#c9d1d9", "#1668c1", "#b9d6f5", "#1a7f4b", "#b3392f"
NAMES = {INK: "ink", FAINT: "line", BLUE: "accent", BAND: "band", GREEN: "good", RED: "bad"}

STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "bluekrait",
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


def thinned(steps):
    """At most MOST_POINTS of the steps, the last one among them."""
    stride = -(-len(steps) // MOST_POINTS)
    return steps[len(steps) - 1 :: -stride][::-1] if stride else []


def draw_elo(axes, steps):
    """The difference and its error against the games played."""
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


def draw_llr(axes, steps, bounds):
    """The log-likelihood ratio, and the bounds between which the test goes on."""
    ratios = llr([pairs for _, pairs in steps], bounds) if steps else []
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


def _finish(axes, steps):
    axes.set_xlim(0, max((games for games, _ in steps), default=1))
    axes.set_xlabel("games")
    axes.locator_params(axis="x", integer=True)
    axes.grid(True)
    axes.set_axisbelow(True)


def picture(drawings, file, **settings):
    """Draw some plots one below the other into a file."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        needs = f"plots need {error.name}, which is not installed: pip install 'bluekrait[tools]'"
        raise ValueError(needs) from None
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(SIZE[0], SIZE[1] * len(drawings)))
        figure.subplots_adjust(left=0.085, right=0.98, top=1 - 0.05 / len(drawings), **_below(drawings))
        for place, (draw, *arguments) in enumerate(drawings, 1):
            draw(figure.add_subplot(len(drawings), 1, place), *arguments)
        figure.savefig(file, dpi=DPI, **settings)


def _below(drawings):
    """Room for the labels of the horizontal axes."""
    return {"bottom": 0.17 / len(drawings), "hspace": 0.27}


def inline_svg(draw, *arguments):
    """A plot as an SVG element for a page."""
    buffer = io.StringIO()
    picture([(draw, *arguments)], buffer, format="svg", transparent=True, metadata={"Date": None})
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    for color, name in NAMES.items():
        svg = svg.replace(color, f"var(--{name})")
    return svg
