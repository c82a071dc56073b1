"""Finished games as PGN."""

import io
import re
from datetime import datetime, timezone

import chess
import chess.pgn

from bluekrait.tools.match.results.finished_games import ABANDONED, finished_game, lost_by, now
from bluekrait.tools.match.runner.pair_play import play_pair
from bluekrait.tools.match.setup.opening_files import START, Opening
from helpers.match.matches import contest_of, fake


def test_what_an_engine_says_does_not_break_the_pgn():
    scheduled = next(contest_of(fake("A"), fake("B")).schedule())
    result = lost_by(chess.WHITE, ABANDONED, " gives up (a}\n[b]\x1b{c)")
    game = finished_game(scheduled, scheduled.opening.board(), [], result, now(), 1.0)
    assert game.reason == "White gives up (a) [b] (c)"
    parsed = chess.pgn.read_game(io.StringIO(game.pgn))
    assert not parsed.errors and parsed.comment == game.reason
    assert chess.pgn.read_game(io.StringIO(game.pgn.partition("1-0 ")[2])) is None


def test_the_pgn_of_a_game():
    opening = Opening(START, ("e2e4", "c7c5"))
    contest = contest_of(
        fake("A", "good", "score=35"), fake("B", "good", "score=mate -2"), openings=(opening,)
    )
    game = play_pair(contest, 1)[0]
    parsed = chess.pgn.read_game(io.StringIO(game.pgn))
    assert not parsed.errors
    tags = parsed.headers
    assert (tags["White"], tags["Black"], tags["Round"], tags["Result"]) == ("A", "B", "1.1", "1/2-1/2")
    assert (tags["TimeControl"], tags["Termination"]) == ("20+0.1", "adjudication")
    assert not {"Variant", "SetUp", "FEN"} & tags.keys()
    comments = [node.comment for node in parsed.mainline()]
    assert len(comments) == game.plies + 2
    assert comments[:2] == ["book", "book"]
    assert re.fullmatch(r"\+0\.35/7 \d+\.\d{3}s, n=1, sd=9", comments[2])
    assert re.fullmatch(r"-M4/7 \d+\.\d{3}s, n=1, sd=9", comments[3])
    assert comments[-1].endswith(f", {game.reason}")


def test_the_tags_of_a_game():
    opening, started = Opening(START, ("e2e4",)), datetime(2026, 11, 28, 9, 5, 7, tzinfo=timezone.utc)
    contest = contest_of(fake("A", tc="tc=40/60"), fake("B", tc="st=0.5"), openings=(opening,), chess960=True)
    board = opening.board(True)
    board.push_uci("e7e5")
    for scheduled in contest.schedule():
        game = finished_game(scheduled, board, ["0.00/1"], lost_by(chess.WHITE, ABANDONED, ""), started, 1.0)
        tags = chess.pgn.read_game(io.StringIO(game.pgn)).headers
        assert tags["Variant"] == "Chess960"
        assert (tags["Date"], tags["GameStartTime"]) == ("2026.11.28", "2026-11-28T09:05:07Z")
        assert tags["PlyCount"] == str(game.plies) == "1"  # without those of the opening
        clocks = {tags[colour]: tags[f"{colour}TimeControl"] for colour in ("White", "Black")}
        assert clocks == {"A": "40/60", "B": "0.5/move"} and "TimeControl" not in tags
