"""The figures of the slider benchmark as a picture."""

from collections.abc import Iterable

from bluekrait.core.sliders import gallery
from bluekrait.core.sliders.gallery import LIVE
from bluekrait.tools.sliders.slider_figures import CPP, GAMES, HERE, RANDOM, Figure
from bluekrait.tools.sliders.slider_report import ReportError

INK, FAINT, GAMES_BLUE, RANDOM_BLUE, CPP_RED = "#1b2a3a", "#d5dde5", "#1f6fb2", "#9cc4e4", "#c8452f"
BAR = 0.38
NO_DATE = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}  # equal figures make equal pictures


def plot(figures: Iterable[Figure], live: str, path: str) -> None:
    """Draw a bar for each technique and kind of question, and a mark where C++ is; write it to a file."""
    by_key = {(figure.section, figure.name, figure.made_in): figure.millions for figure in figures}
    names = [name for name in (LIVE, *gallery.TECHNIQUES) if (RANDOM, name, HERE) in by_key]
    if not names:
        raise ReportError("there is nothing to draw: no technique was measured")
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.rcParams["svg.hashsalt"] = "bluekrait"

    names.sort(key=lambda name: by_key[GAMES, name, HERE])
    picture, axes = pyplot.subplots(figsize=(9, 1.4 + 0.42 * len(names)), layout="constrained")
    for section, colour, offset in ((GAMES, GAMES_BLUE, BAR / 2), (RANDOM, RANDOM_BLUE, -BAR / 2)):
        places = [row + offset for row in range(len(names))]
        speeds = [by_key[section, name, HERE] for name in names]
        label = "sliders in games" if section == GAMES else "random squares and occupancies"
        axes.barh(places, speeds, BAR, color=colour, label=label)
        for place, speed in zip(places, speeds):
            axes.annotate(
                f"{speed:.0f}", (speed, place), (4, 0), textcoords="offset points", va="center", fontsize=7
            )
        in_cpp = [
            (by_key[section, name, CPP], place)
            for name, place in zip(names, places)
            if (section, name, CPP) in by_key
        ]
        if in_cpp:
            key = "the same in C++" if section == GAMES else None
            axes.plot(*zip(*in_cpp), "|", color=CPP_RED, markersize=11, markeredgewidth=2, label=key)
    axes.set_yticks(range(len(names)), [f"the engine ({live})" if name == LIVE else name for name in names])
    axes.set_xlabel("queen attacks, million lookups a second on one core")
    axes.set_title("Where does a slider attack?", loc="left", color=INK, fontweight="bold")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=FAINT, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.legend(frameon=False, loc="lower right")
    picture.savefig(path, dpi=150, metadata=NO_DATE.get(path[-4:]))
    pyplot.close(picture)
