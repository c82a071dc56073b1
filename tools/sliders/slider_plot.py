"""The figures of the slider benchmark as a picture."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from bluekrait.core.sliders import gallery
from bluekrait.core.sliders.gallery import LIVE
from bluekrait.tools.common.pictures import draw_picture
from bluekrait.tools.sliders.slider_figures import CPP, GAMES, HERE, RANDOM, Figure, Key
from bluekrait.tools.sliders.slider_report import ReportError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Picture

INK, FAINT, GAMES_BLUE, RANDOM_BLUE, CPP_RED = "#1b2a3a", "#d5dde5", "#1f6fb2", "#9cc4e4", "#c8452f"
BAR = 0.38  # of the height of a row
WIDTH, MARGINS, ROW = 9, 1.4, 0.42  # inches

Speeds = Mapping[Key, float]  # million lookups a second


def plot(figures: Iterable[Figure], live: str, path: str) -> None:
    """Draw a bar for each technique and kind of question, and a mark where C++ is; write it to a file."""
    speeds = {(figure.section, figure.name, figure.made_in): figure.millions for figure in figures}
    names = [name for name in (LIVE, *gallery.TECHNIQUES) if speeds.keys() >= _needed(name)]
    if not names:
        raise ReportError("there is nothing to draw: no technique was measured")
    names.sort(key=lambda name: speeds[GAMES, name, HERE])

    def paint(picture: "Picture", frames: "list[Axes]") -> None:
        (axes,) = frames
        picture.set_size_inches(WIDTH, MARGINS + ROW * len(names))
        _draw_speeds(axes, GAMES, names, speeds, GAMES_BLUE, BAR / 2)
        _draw_speeds(axes, RANDOM, names, speeds, RANDOM_BLUE, -BAR / 2)
        axes.set_yticks(
            range(len(names)), [f"the engine ({live})" if name == LIVE else name for name in names]
        )
        _finish(axes)

    draw_picture(path, paint)


def _needed(name: str) -> set[Key]:
    """The figures that a technique is drawn by."""
    return {(RANDOM, name, HERE), (GAMES, name, HERE)}


def _draw_speeds(
    axes: "Axes", section: str, names: Sequence[str], speeds: Speeds, colour: str, offset: float
) -> None:
    """The bars of a kind of question, with their numbers, and the marks of C++."""
    places = [row + offset for row in range(len(names))]
    ours = [speeds[section, name, HERE] for name in names]
    label = "sliders in games" if section == GAMES else "random squares and occupancies"
    axes.barh(places, ours, BAR, color=colour, label=label)
    for place, speed in zip(places, ours):
        axes.annotate(
            f"{speed:.0f}", (speed, place), (4, 0), textcoords="offset points", va="center", fontsize=7
        )
    in_cpp = [
        (speeds[section, name, CPP], place)
        for name, place in zip(names, places)
        if (section, name, CPP) in speeds
    ]
    if in_cpp:
        key = "the same in C++" if section == GAMES else None
        axes.plot(*zip(*in_cpp), "|", color=CPP_RED, markersize=11, markeredgewidth=2, label=key)


def _finish(axes: "Axes") -> None:
    axes.set_xlabel("queen attacks, million lookups a second on one core")
    axes.set_title("Where does a slider attack?", loc="left", color=INK, fontweight="bold")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=FAINT, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.legend(frameon=False, loc="lower right")
