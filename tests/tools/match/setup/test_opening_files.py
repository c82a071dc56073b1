"""Openings: those of EPD and PGN files, and our own."""

import chess
import pytest

from bluekrait.tools.match.setup.common_openings import common_openings
from bluekrait.tools.match.setup.opening_files import (
    START,
    Opening,
    openings_to_play,
    read_openings,
    source_of,
)

EPD = """\
# a comment
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm Nf3; id "one";

rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2; id "two";
rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
"""

COUNTERS = ("hmvc 3; fmvn 12;", 'id "a"; fmvn 9;', "bm e5; hmvc 7;", "4 6 bm e5;")

PGN = """\
[Event "?"]

1. e4 {a comment} e5 2. Nf3 (2. f4) Nc6 *

[Event "?"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]

1. e4 Kd7 1-0
"""


def openings_in(folder, name, text, count=10, **settings):
    path = folder / name
    path.write_text(text)
    return read_openings(source_of(path, **settings), count)


def test_openings_of_an_epd_file(tmp_path):
    openings = openings_in(tmp_path, "book.epd", EPD)
    assert [opening.fen.split()[4:] for opening in openings] == [["0", "1"], ["0", "2"], ["0", "1"]]
    assert openings[0].board().piece_at(chess.E5)
    for start in (3, 6):  # after the last comes the first
        assert openings_in(tmp_path, "book.epd", EPD, 2, start=start) == (openings[2], openings[0])


def test_counters_of_an_epd_file(tmp_path):
    place = "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"
    lines = "\n".join(f"{place} {more}" for more in COUNTERS)
    openings = openings_in(tmp_path, "book.epd", lines)
    assert [" ".join(opening.fen.split()[4:]) for opening in openings] == ["3 12", "0 9", "7 1", "4 6"]


def test_openings_of_a_pgn_file(tmp_path):
    openings = openings_in(tmp_path, "book.pgn", PGN)
    assert openings[0] == Opening(START, ("e2e4", "e7e5", "g1f3", "b8c6"))
    assert openings[1].board().fen() == "8/3k4/8/8/4P3/8/8/4K3 w - - 1 2"
    assert openings_in(tmp_path, "BOOK.PGN", PGN, plies=1)[0].moves == ("e2e4",)


@pytest.mark.parametrize("moves", ["1. e4 e5 2. Ke3 *", "1. e5 *", "1. e4 e5 2. Ke3) Nf3 *"])
def test_a_pgn_with_illegal_moves(tmp_path, moves):
    with pytest.raises(ValueError, match="book.pgn, game 3: illegal"):
        openings_in(tmp_path, "book.pgn", f'{PGN}\n[Event "?"]\n\n{moves}\n')
    assert len(openings_in(tmp_path, "book.pgn", f'{PGN}\n[Event "?"]\n\n{moves}\n', 2)) == 2


@pytest.mark.parametrize(
    ("tag", "reason"),
    [
        ('[FEN "4k3/8/8/8/4R3/8/8/4K3 w - - 0 1"]', "no legal position"),  # White could take the king
        ('[FEN "4k3/8/8/8/8/8/8/8 w - - 0 1"]', "no legal position"),
        ('[Variant "Atomic"]', "Atomic is another game"),
    ],
)
def test_a_pgn_that_begins_with_what_is_no_chess(tmp_path, tag, reason):
    with pytest.raises(ValueError, match=f"book.pgn, game 3: {reason}"):
        openings_in(tmp_path, "book.pgn", f'{PGN}\n[Event "?"]\n{tag}\n\n*\n')


def test_random_order_is_decided_by_the_seed(tmp_path):
    text = "\n".join(f"4k3/8/8/8/8/8/8/4K2R w K - 0 {number}" for number in range(1, 100))
    many = openings_in(tmp_path, "book.epd", text, 50, order="random", seed=7)
    assert len(set(many)) == 50
    assert openings_in(tmp_path, "book.epd", text, 20, order="random", seed=7) == many[:20]
    assert openings_in(tmp_path, "book.epd", text, 50, order="random", seed=8) != many


def test_marks_of_windows_and_games_without_an_event(tmp_path):
    assert openings_in(tmp_path, "book.epd", f"\ufeff{START}\n") == (Opening(START),)
    games = '[White "A"]\n[Black "B"]\n\n1. e4 *\n\n[White "C"]\n\n1. d4 *\n'
    moves = [opening.moves for opening in openings_in(tmp_path, "book.pgn", games)]
    assert moves == [("e2e4",), ("d2d4",)]


@pytest.mark.parametrize(
    ("games", "moves"),
    [
        ('[White "A"]\n\n1. e4 *\n[White "B"]\n\n1. d4 *\n', ["e2e4", "d2d4"]),  # no empty line
        ("1. e4 e5 *\n\n1. d4 d5 1-0\n", ["e2e4 e7e5", "d2d4 d7d5"]),  # no tags
        ('[White "A"]\n[Event "?"]\n\n1. e4 *\n', ["e2e4"]),  # another tag before Event
        ('[Event "?"]\n\n[White "A"]\n\n1. e4 *\n', ["e2e4"]),  # an empty line among the tags
        ('[Event "?"]\n\n1. e4\n\n1... e5 *\n', ["e2e4 e7e5"]),  # and among the moves
        ('Openings of mine\n\n[Event "?"]\n\n1. e4 *\n', ["e2e4"]),
    ],
)
def test_a_pgn_that_is_not_quite_one(tmp_path, games, moves):
    openings = openings_in(tmp_path, "book.pgn", games)
    assert [" ".join(opening.moves) for opening in openings] == moves


@pytest.mark.parametrize(
    "text", ["", "# nothing", EPD + "8/8/8/8/8/8/8/8 w - -", EPD + "rnbqkbnr/8 w", EPD + "nonsense"]
)
def test_files_without_openings(tmp_path, text):
    with pytest.raises(ValueError, match="book.epd"):
        openings_in(tmp_path, "book.epd", text)


REPEATED = '[Event "?"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *'

UNNAMED_960 = """\
[Event "?"]
[FEN "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1"]
[SetUp "1"]

1. e4 *
"""
CASTLED_960 = """\
[Event "?"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"]

1. O-O *
"""


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("book.pgn", f"{PGN}\n{CASTLED_960}", "game 3: needs --variant fischerandom"),
        ("book.pgn", UNNAMED_960, "game 1: needs --variant fischerandom"),
        ("book.epd", f"{EPD}1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb -", "line 6: needs --variant fischerandom"),
        ("book.epd", f"{EPD}7k/6Q1/6K1/8/8/8/8/8 b - -", "line 6: the game is over"),
        ("book.epd", f"{EPD}4k3/8/8/8/8/8/8/4K2R w K - 100 90", "line 6: the game is over"),
        ("book.pgn", f'{PGN}\n[Event "?"]\n\n1. f3 e5 2. g4 Qh4# 0-1', "game 3: the game is over"),
        ("book.pgn", REPEATED, "game 1: the game is over"),
    ],
)
def test_openings_that_a_match_cannot_play(tmp_path, name, text, message):
    number = len(openings_in(tmp_path, name, text))
    source = source_of(tmp_path / name)
    with pytest.raises(ValueError, match=f"{name}, {message}"):
        openings_to_play(source, number, False)
    assert number == 1 or len(openings_to_play(source, number - 1, False)) == number - 1


def test_openings_of_chess960_are_played_by_its_rules(tmp_path):
    (opening,) = openings_in(tmp_path, "book.pgn", CASTLED_960)
    assert openings_to_play(source_of(tmp_path / "book.pgn"), 1, True) == (opening,)
    assert opening.board(True).fen().startswith("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 b")


def test_openings_of_our_own():
    openings = common_openings()
    assert len(openings) == len(set(openings)) >= 50
    assert len({opening.board().epd() for opening in openings}) == len(openings)
