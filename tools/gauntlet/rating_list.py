"""The ladder itself: ratings fitted to games, as a table and as a picture."""

from bluekrait.tools.common.pictures import draw_picture
from bluekrait.tools.gauntlet.known_programs import default_anchors, published_rating
from bluekrait.tools.report.match_facts import read_match
from bluekrait.tools.statistics.ratings import fit_ratings
from bluekrait.tools.statistics.summary import percent

OURS, OTHERS, PUBLISHED = "#1668c1", "#6b7784", "#b3392f"
WIDTH = 7  # inches


def ratings_from(paths, anchors=None):
    """Ratings of all who played in some PGN files, the best first, and those they were anchored to."""
    encounters = [encounter for path in paths for encounter in read_match(path).encounters()]
    names = {name for encounter in encounters for name in encounter[:2]}
    strangers = sorted(set(anchors or {}) - names)
    if strangers:
        raise ValueError(f"--anchor {strangers[0]}: no such player, there are {', '.join(sorted(names))}")
    anchors = anchors or default_anchors(names)
    return fit_ratings(encounters, anchors), anchors


def rating_list_lines(ratings, anchors):
    """The table."""
    rows = [("", "player", "rating", "±", "games", "score", "published")]
    for place, row in enumerate(ratings, 1):
        error = "given" if row.name in anchors else f"{row.error:.0f}"
        published = published_rating(row.name)
        score = percent(row.points / row.games)
        rows.append(
            (f"{place}.", row.name, f"{row.value:.0f}", error, str(row.games), score, str(published or ""))
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
        return [*lines, "Errors (95 %) are those of the games; the ratings given are taken as exact."]
    return [*lines, "No rating is given, so their mean is 0: say --anchor NAME=RATING."]


def draw_rating_list(path, ratings, anchors, ours):
    """Every player with the error of the rating; published ratings beside."""
    rungs = ratings[::-1]

    def paint(figure, frames):
        (frame,) = frames
        figure.set_size_inches(WIDTH, 1.2 + 0.32 * len(rungs))
        for height, row in enumerate(rungs):
            color = OURS if row.name == ours else OTHERS
            shape = "D" if row.name in anchors else "o"
            frame.errorbar(row.value, height, xerr=row.error, fmt=shape, color=color, capsize=3)
            published = published_rating(row.name)
            if published and row.name not in anchors:
                frame.plot(published, height, "|", color=PUBLISHED, markersize=14, markeredgewidth=2)
        frame.set_ylim(-0.6, len(rungs) - 0.4)
        frame.set_yticks(range(len(rungs)), [row.name for row in rungs])
        frame.set_xlabel("rating (diamonds: given; red: what public lists say)")
        frame.grid(axis="x", alpha=0.3)

    draw_picture(str(path), paint)
