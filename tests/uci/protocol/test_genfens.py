"""`genfens`: openings for other programs."""

from itertools import islice

import chess
import pytest

from bluekrait.core.move import NO_MOVE
from bluekrait.search.playing.random_openings import balanced_openings
from bluekrait.search.reports import Choice
from helpers.search.searching import searcher


def openings(lines):
    """The FENs that were printed."""
    return [line.removeprefix("info string genfens ") for line in lines]


def test_openings_are_legal_distinct_and_reproducible(talk):
    first = openings(talk().leave("genfens 8 seed 42 book None"))
    assert len(set(first)) == 8
    for fen in first:
        board = chess.Board(fen)
        assert board.is_valid() and not board.is_game_over()
        assert board.ply() in (8, 9)
    engine = talk()
    engine.say("setoption name Hash value 64", "position startpos moves e2e4", "go depth 8")
    engine.hear("^bestmove")
    assert openings(engine.leave("genfens 8 seed 42 book None extra words")) == first
    assert openings(talk().leave("genfens 8 seed 43 book none")) != first


def test_openings_are_balanced(talk):
    engine = talk()
    for fen in openings(engine.ask("genfens 4 seed 1")):
        engine.say(f"position fen {fen}", "go nodes 20000")
        scores = engine.hear("^bestmove")
        last = [line.split() for line in scores if " score cp " in line][-1]
        assert abs(int(last[last.index("cp") + 1])) < 250


def test_an_opening_without_a_score_is_rejected(monkeypatch):
    engine = searcher()
    first, second = islice(balanced_openings(engine, seed=42), 2)
    search, nothing = engine.go, Choice(NO_MOVE, NO_MOVE, [])

    def overwhelmed(limits):
        return nothing if engine.describe().fen == first else search(limits)

    monkeypatch.setattr(engine, "go", overwhelmed)
    assert next(balanced_openings(engine, seed=42)) == second


def test_openings_continue_the_lines_of_a_book(talk, tmp_path):
    book = tmp_path / "book.epd"
    book.write_text("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\n")
    for fen in openings(talk().leave(f"genfens 3 seed 9 book {book}")):
        board = chess.Board(fen)
        assert board.piece_at(chess.E4) or board.piece_at(chess.E5), "two or three moves do not undo both"
        assert board.ply() in (2, 3)


def test_it_ends_where_there_are_no_more(monkeypatch):
    monkeypatch.setattr("bluekrait.search.playing.random_openings.MOST_ATTEMPTS", 20)
    mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
    with pytest.raises(ValueError, match="20 attempts found no balanced opening beside the 0 so far"):
        next(balanced_openings(searcher(), seed=1, beginnings=[mated]))


@pytest.mark.parametrize(
    "words", ["", "0", "many", "3 seed x", "3 seed -1", "3 book nowhere.epd", "3 book ."]
)
def test_wrong_words_get_one_line(talk, words):
    (heard,) = talk().leave(f"genfens {words}")
    assert heard.startswith("info string ") and not heard.startswith("info string genfens rnbq")


def test_it_can_be_stopped(talk):
    engine = talk()
    engine.say("genfens 10000000 seed 1")
    engine.hear("^info string genfens")
    assert len(engine.ask("stop")) < 10_000
