"""A rating list: ratings fitted to games, as a table and as a picture."""

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from bluekrait.tools.common.pictures import BLUE, RED, draw_picture
from bluekrait.tools.gauntlet.known_programs import default_anchors, published_rating
from bluekrait.tools.report.match_facts import read_match
from bluekrait.tools.statistics.ratings import Rating, fit_ratings
from bluekrait.tools.statistics.summary import number, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GREY = "#6b7784"
WIDTH = 7  # inches


def ratings_from(
    paths: Iterable[str], anchors: Mapping[str, float] | None = None
) -> tuple[list[Rating], Mapping[str, float]]:
    """Ratings of all players in some PGN files, the best first; and the anchors used."""
    encounters = [encounter for path in paths for encounter in read_match(path).encounters()]
    names = {name for encounter in encounters for name in encounter[:2]}
    check_anchors(anchors or {}, names)
    anchors = anchors or default_anchors(names)
    return fit_ratings(encounters, anchors), anchors


def check_anchors(anchors: Iterable[str], names: Collection[str]) -> None:
    """ValueError if one of the players whose ratings are given is not among those that play."""
    unknown = sorted(set(anchors) - set(names))
    if unknown:
        raise ValueError(f"--anchor {unknown[0]}: no such player, there are {', '.join(sorted(names))}")


def rating_list_lines(ratings: Iterable[Rating], anchors: Container[str]) -> list[str]:
    """The rating list as lines of text."""
    rows = [("", "player", "rating", "±", "games", "score", "published")]
    for place, row in enumerate(ratings, 1):
        error = "given" if row.name in anchors else f"{row.error:.0f}"
        published = published_rating(row.name)
        score = percent(row.points / row.games)
        rows.append(
            (f"{place}.", row.name, number(row.value, 0), error, str(row.games), score, str(published or ""))
        )
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = [
        "  ".join(
            cell.ljust(width) if place == 1 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths))
        ).rstrip()
        for row in rows
    ]
    if anchors:
        return [*lines, "Errors (95 %) come from the games; given ratings are taken as exact."]
    return [*lines, "No rating is given, so the mean is 0: use --anchor NAME=RATING."]


def draw_rating_list(path: str, ratings: Sequence[Rating], anchors: Container[str], ours: str) -> None:
    """Draw every player's rating with its error, and published ratings."""
    rows = ratings[::-1]

    def paint(figure: "Figure", axes: "list[Axes]") -> None:
        (plot,) = axes
        figure.set_size_inches(WIDTH, 1.2 + 0.32 * len(rows))
        for height, row in enumerate(rows):
            color = BLUE if row.name == ours else GREY
            shape = "D" if row.name in anchors else "o"
            plot.errorbar(row.value, height, xerr=row.error, fmt=shape, color=color, capsize=3)
            published = published_rating(row.name)
            if published and row.name not in anchors:
                plot.plot(published, height, "|", color=RED, markersize=14, markeredgewidth=2)
        plot.set_ylim(-0.6, len(rows) - 0.4)
        plot.set_yticks(range(len(rows)), [row.name for row in rows])
        plot.set_xlabel("rating (diamonds: given; red: published)")
        plot.grid(axis="x", alpha=0.3)

    draw_picture(str(path), paint)
