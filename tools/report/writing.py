"""Write what a file of games tells: as a page, or as a picture of its curves."""

from datetime import date
from html import escape
from math import isnan
from pathlib import Path

from bluekrait.tools.report import page
from bluekrait.tools.report.match_facts import read_match
from bluekrait.tools.report.plots import draw_elo, draw_llr, inline_svg, picture, thinned
from bluekrait.tools.statistics.pentanomial import elo, los, normalised_elo
from bluekrait.tools.statistics.ratings import UnconnectedPlayers, fit_ratings
from bluekrait.tools.statistics.sequential import llr, verdict
from bluekrait.tools.statistics.summary import number, percent, summary_lines

MOST_LOSSES = 200  # that a page holds with all their moves
PAIR_LABELS = ("0", "½", "1", "1½", "2")


def write_report(pgn_path, html_path, bounds=None, player=None):
    """Write the page of a match: figures, curves, crosstable and lost games, all in one file."""
    match = read_match(pgn_path, player)
    _write_text(html_path, match_page(match, bounds))


def write_plot(pgn_path, image_path, bounds=None, player=None):
    """Draw Elo, and with bounds the LLR, against games; the file's ending tells the format."""
    steps = thinned(read_match(pgn_path, player).history())
    picture(_drawings(steps, bounds), image_path)


def match_page(match, bounds=None):
    """The page as text."""
    title = f"{match.player} against {_opponents(match)}"
    parts = [
        f"<h1>{escape(match.player)} <i>against</i> {escape(_opponents(match))}</h1>",
        f'<p class="quiet">{escape(_circumstances(match))}</p>',
        page.tiles(_figures(match, bounds)),
        page.result_bar(*(match.points.count(result) for result in (1.0, 0.5, 0.0))),
        page.heading("How the estimate narrowed down" + (", and how the test went" if bounds else "")),
        *(inline_svg(*drawing) for drawing in _drawings(thinned(match.history()), bounds)),
        page.heading("Points of a pair of games"),
        page.columns(match.pairs, PAIR_LABELS),
        page.heading("In one piece"),
        "<pre>" + escape("\n".join(summary_lines(match.paired_points, bounds))) + "</pre>",
        *_crosstable(match),
        *_endings(match),
        *_losses(match),
        f"<footer>BlueKrait, {date.today().isoformat()}. Errors are 95 % intervals.</footer>",
    ]
    return page.page(title, parts)


def _write_text(path, text):
    """Write a file as a whole or not at all."""
    path = Path(path)
    draft = path.with_name(path.name + ".part")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def _drawings(steps, bounds):
    return [(draw_elo, steps), *([(draw_llr, steps, bounds)] if bounds else [])]


def _opponents(match):
    others = match.players[1:]
    return others[0] if len(others) == 1 else f"{len(others)} opponents"


def _circumstances(match):
    """What the tags say that all games have in common."""
    texts = [f"{len(match.games)} games"]
    if match.unfinished:
        texts.append(f"{match.unfinished} unfinished and left out")
    if lonely := len(match.points) - len(match.paired_points):
        texts.append(f"{lonely} whose partner is missing")
    for tag, before in (("TimeControl", "time control "), ("Date", "")):
        values = {game.tags.get(tag, "?") for game in match.games} - {"?", "-"}
        if len(values) == 1:
            texts.append(before + values.pop())
    return ", ".join(texts)


def _figures(match, bounds):
    """Name, value, remark and mood of every figure in large print."""
    pairs = match.pairs
    (value, error), (normalised, normalised_error) = elo(pairs), normalised_elo(pairs)
    points, games = sum(match.points), len(match.points)
    mood = "good" if value > error else "bad" if value < -error else ""
    figures = [
        ("Elo", _signed(value, error), "difference, 95 %", mood),
        ("normalised Elo", _signed(normalised, normalised_error), "in standard deviations", mood),
        ("score", percent(points / games), f"{points:g} of {games}", ""),
        ("superiority", percent(los(pairs)), "likely the stronger one", ""),
    ]
    if bounds:
        accepted = verdict(pairs, bounds)
        mood = {"H1": "good", "H0": "bad"}.get(accepted, "")
        remark = f"{accepted} accepted" if accepted else f"of {bounds.lower:.2f} or {bounds.upper:.2f}"
        figures.append(("LLR", number(llr(pairs, bounds)), remark, mood))
    return figures


def _signed(value, error):
    """A difference and its error; a dash where there is no such number."""
    text = "–" if isnan(value) else f"{value:+.1f}" + ("" if isnan(error) else f" ± {error:.1f}")
    return text.replace("inf", "∞")


def _crosstable(match):
    """Everybody against everybody, with ratings; nothing where there are only two."""
    if len(match.players) == 2:
        return []
    encounters = match.encounters()
    try:
        ratings = fit_ratings(encounters)
    except UnconnectedPlayers:
        return []
    made = {}
    for one in encounters:
        made[one.first, one.second] = f"{one.points:g} / {one.games}"
        made[one.second, one.first] = f"{one.games - one.points:g} / {one.games}"
    header = ["", "rating", "±", "games", "points", *(str(place) for place in range(1, len(ratings) + 1))]
    rows = [
        [f"{place}. {row.name}", f"{row.value:+.0f}", f"{row.error:.0f}", row.games, f"{row.points:g}"]
        + [made.get((row.name, other.name), "") for other in ratings]
        for place, row in enumerate(ratings, 1)
    ]
    note = '<p class="quiet">Ratings are relative to their mean.</p>'
    return [page.heading("Crosstable"), page.table(header, rows), note]


def _endings(match):
    total = len(match.games)
    rows = [(ending, count, percent(count / total)) for ending, count in match.endings()]
    return [page.heading("How games ended"), page.table(("ending", "games", "share"), rows)]


def _losses(match):
    """The games that were lost, as a table whose links lead to their moves."""
    lost = match.lost_games()
    shown = lost[:MOST_LOSSES]
    if not lost:
        return [page.heading("Lost games"), '<p class="quiet">None.</p>']
    title = f"Lost games: {len(lost)}"
    if len(shown) < len(lost):
        title += f", the first {len(shown)} of them"
    rows = [
        (
            page.link(f"game-{game.number}", f"game {game.number}"),
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
        page.heading(title),
        page.table(header, rows),
        page.heading("Their moves"),
        *(_moves_of(game) for game in shown),
    ]


def _moves_of(game):
    summary = f"game {game.number}, round {game.round}: {game.white} – {game.black} {game.result}"
    return page.folded(f"game-{game.number}", summary, game.moves, game.tags.get("FEN", ""))
