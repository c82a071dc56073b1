"""Write a report about a file of games: as an HTML page, or as a picture of its curves."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from html import escape
from math import isnan
from pathlib import Path

from bluekrait.tools.common.files.own_output import check_own
from bluekrait.tools.common.files.whole_file import write_whole
from bluekrait.tools.common.pictures import format_of, thinned
from bluekrait.tools.report import html_page
from bluekrait.tools.report.match_facts import MOST_LOSSES, Match, Step, read_match
from bluekrait.tools.report.pgn_games import PgnGame
from bluekrait.tools.report.plots import Drawing, draw_elo, draw_llr, inline_svg, picture
from bluekrait.tools.statistics.pentanomial import elo, los, normalised_elo
from bluekrait.tools.statistics.ratings import Rating, UnconnectedPlayers, fit_ratings
from bluekrait.tools.statistics.sequential import Bounds, accepted_hypothesis, llr
from bluekrait.tools.statistics.summary import number, percent, signed, summary_lines
from bluekrait.uci.progress import count_text

OWN_PAGE = re.compile(rb"<footer>BlueKrait, [\d-]+\. Errors are 95 % intervals\.</footer>")
PAIR_LABELS = ("0", "½", "1", "1½", "2")


def write_report(
    pgn_path: str | Path, html_path: str | Path, bounds: Bounds | None = None, player: str | None = None
) -> None:
    """Write the page of a match: figures, curves, crosstable and lost games in one file."""
    match = read_match(pgn_path, player)
    write_whole(html_path, match_page(match, bounds))


def check_page(path: str | Path) -> None:
    """ValueError if there is a file in the place of a page that is no such page."""
    check_own(path, OWN_PAGE)


def write_plot(
    pgn_path: str | Path, image_path: str | Path, bounds: Bounds | None = None, player: str | None = None
) -> None:
    """Draw Elo, and with bounds the LLR, against games; the ending of the file's name decides the format."""
    steps = thinned(read_match(pgn_path, player).history())
    write_whole(image_path, picture(drawings(steps, bounds), format_of(image_path)))


def match_page(match: Match, bounds: Bounds | None = None) -> str:
    """The page as text."""
    title = f"{match.player} against {opponents_of(match)}"
    parts = [
        f"<h1>{escape(match.player)} <i>against</i> {escape(opponents_of(match))}</h1>",
        f'<p class="quiet">{escape(_circumstances(match))}</p>',
        html_page.tiles(figures(match, bounds)),
        html_page.result_bar(*(match.points.count(result) for result in (1.0, 0.5, 0.0))),
        html_page.heading("Elo and LLR against games" if bounds else "Elo against games"),
        *(inline_svg(*drawing) for drawing in drawings(thinned(match.history()), bounds)),
        html_page.heading("Pairs of games by their points"),
        html_page.columns(match.pairs, PAIR_LABELS),
        html_page.heading("Summary"),
        "<pre>" + escape("\n".join(summary_lines(match.paired_points, bounds))) + "</pre>",
        *_crosstable(match),
        *_endings(match),
        *_losses(match),
        f"<footer>BlueKrait, {date.today().isoformat()}. Errors are 95 % intervals.</footer>",
    ]
    return html_page.page(title, parts)


def drawings(steps: Sequence[Step], bounds: Bounds | None) -> list[Drawing]:
    """The plots of a match: Elo, and with bounds the LLR."""
    curves: list[Drawing] = [(draw_elo, steps)]
    return [*curves, (draw_llr, steps, bounds)] if bounds else curves


def opponents_of(match: Match) -> str:
    """The opponent's name, or how many there are."""
    others = match.players[1:]
    return others[0] if len(others) == 1 else f"{len(others)} opponents"


def _circumstances(match: Match) -> str:
    """The number of games, and the tags that all games have in common."""
    texts = [count_text(len(match.games), "game")]
    if match.unfinished:
        texts.append(f"{match.unfinished} unfinished and left out")
    if single := len(match.points) - len(match.paired_points):
        texts.append(f"{single} without the other game of the pair")
    for tag, before in (("TimeControl", "time control "), ("Date", "")):
        values = {game.tags.get(tag, "?") for game in match.games} - {"?", "-"}
        if len(values) == 1:
            texts.append(before + values.pop())
    return ", ".join(texts)


def figures(match: Match, bounds: Bounds | None) -> list[tuple[str, str, str, str]]:
    """Name, value, note and CSS class of the main figures."""
    pairs = match.pairs
    (value, error), (normalised, normalised_error) = elo(pairs), normalised_elo(pairs)
    points, games = sum(match.points), len(match.points)
    style = "good" if value > error else "bad" if value < -error else ""
    tiles = [
        ("Elo", _difference_text(value, error), "difference, 95 %", style),
        ("normalised Elo", _difference_text(normalised, normalised_error), "in standard deviations", style),
        ("score", percent(points / games), f"{points:g} of {games}", ""),
        ("LOS", percent(los(pairs)), "likelihood of superiority", ""),
    ]
    if bounds:
        accepted = accepted_hypothesis(pairs, bounds)
        style = {"H1": "good", "H0": "bad"}.get(accepted or "", "")
        note = f"{accepted} accepted" if accepted else f"of {bounds.lower:.2f} or {bounds.upper:.2f}"
        tiles.append(("LLR", number(llr(pairs, bounds)), note, style))
    return tiles


def _difference_text(value: float, error: float) -> str:
    """A difference and its error; a dash for nan."""
    text = "–" if isnan(value) else signed(value, 1) + ("" if isnan(error) else f" ± {error:.1f}")
    return text.replace("inf", "∞")


def rating_rows(ratings: Iterable[Rating]) -> list[list[str]]:
    """The rows of a table of ratings, the heading first."""
    rows = [
        [f"{place}. {row.name}", signed(row.value, 0), f"{row.error:.0f}", str(row.games), f"{row.points:g}"]
        for place, row in enumerate(ratings, 1)
    ]
    return [["", "rating", "±", "games", "points"], *rows]


def ratings_of(match: Match) -> list[Rating]:
    """The ratings of all players; none for a match of two, or if some cannot be compared."""
    if len(match.players) == 2:
        return []
    try:
        return fit_ratings(match.encounters())
    except UnconnectedPlayers:
        return []


def _crosstable(match: Match) -> list[str]:
    """Scores of every two players, with ratings; empty if there are none."""
    ratings = ratings_of(match)
    if not ratings:
        return []
    scores: dict[tuple[str, str], str] = {}
    for one in match.encounters():
        scores[one.first, one.second] = f"{one.points:g} / {one.games}"
        scores[one.second, one.first] = f"{one.games - one.points:g} / {one.games}"
    header, *rows = rating_rows(ratings)
    header += [str(place) for place in range(1, len(ratings) + 1)]
    for row, player in zip(rows, ratings):
        row += [scores.get((player.name, other.name), "") for other in ratings]
    note = '<p class="quiet">Ratings are relative to their mean.</p>'
    return [html_page.heading("Crosstable"), html_page.table(header, rows), note]


def _endings(match: Match) -> list[str]:
    total = len(match.games)
    rows = [(ending, count, percent(count / total)) for ending, count in match.endings()]
    return [html_page.heading("How games ended"), html_page.table(("ending", "games", "share"), rows)]


def _losses(match: Match) -> list[str]:
    """The lost games: a table with links to their moves, and the moves."""
    lost = match.lost_games()
    shown = lost[:MOST_LOSSES]
    if not lost:
        return [html_page.heading("Lost games"), '<p class="quiet">None.</p>']
    title = f"Lost games: {len(lost)}"
    if len(shown) < len(lost):
        title += f", the first {len(shown)} of them"
    rows = [
        (
            html_page.link(f"game-{game.number}", f"game {game.number}"),
            game.round,
            f"{game.white} – {game.black}",
            game.result,
            game.tags.get("PlyCount", "?"),
            game.ending,
        )
        for game in shown
    ]
    header = ("", "round", "players", "result", "half-moves", "ending")
    return [
        html_page.heading(title),
        html_page.table(header, rows),
        html_page.heading("Their moves"),
        *(_moves_of(game) for game in shown),
    ]


def _moves_of(game: PgnGame) -> str:
    summary = f"game {game.number}, round {game.round}: {game.white} – {game.black} {game.result}"
    return html_page.folded(f"game-{game.number}", summary, game.moves, game.tags.get("FEN", ""))
