"""Opening books, written here and read by python-chess for comparison."""

import os
import random
from struct import pack

import chess
import chess.polyglot
import pytest

from bluekrait.search.playing.book import Book, best_move, random_move
from helpers.oracles import king_takes_rook, packed_move, packed_moves, position_of, random_boards
from helpers.search.polyglot_book import entry

START = chess.Board()
CASTLING = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1")
PROMOTION = chess.Board("8/P6k/8/8/8/8/8/K7 w - - 0 1")


@pytest.fixture
def written(tmp_path):
    """Write entries, or any bytes, as a book."""

    def write(*entries):
        path = tmp_path / "the book.bin"
        path.write_bytes(b"".join(sorted(entries, key=lambda content: content[:8])))
        return path

    return write


def known(path, board):
    """The weights that our book gives for a board, by python-chess's moves."""
    spelled = king_takes_rook(board)
    names = {packed_move(spelled, move): move for move in spelled.legal_moves}
    return {names[move]: weight for move, weight in Book(path).moves(position_of(board), packed_moves(board))}


def test_books_of_many_positions_agree_with_python_chess(written):
    rng = random.Random(5)
    met = [king_takes_rook(board) for board in random_boards(seed=5, games=3)]
    boards = {chess.polyglot.zobrist_hash(board): board for board in met}
    entries = []
    for board in boards.values():
        for move in rng.sample(list(board.legal_moves), k=min(3, board.legal_moves.count())):
            entries.append(entry(board, board.uci(move), rng.randrange(1, 1000)))
    path = written(*entries)
    with chess.polyglot.open_reader(path) as reader:
        for board in boards.values():
            expected = {found.move: found.weight for found in reader.find_all(board)}
            assert known(path, board) == expected
    assert len(entries) > 300


def test_unknown_positions_have_no_moves(written):
    path = written(entry(START, "e2e4", 1))
    assert known(path, CASTLING) == known(path, PROMOTION) == {}


def test_castling_is_king_takes_rook(written):
    path = written(entry(CASTLING, "e8h8", 2), entry(CASTLING, "e8a8", 1))
    assert known(path, CASTLING) == {chess.Move.from_uci("e8h8"): 2, chess.Move.from_uci("e8a8"): 1}


def test_promotions_are_told_apart(written):
    path = written(entry(PROMOTION, "a7a8n", 2), entry(PROMOTION, "a7a8q", 9))
    assert known(path, PROMOTION) == {chess.Move.from_uci("a7a8n"): 2, chess.Move.from_uci("a7a8q"): 9}


def test_illegal_moves_are_ignored(written):
    senseless = pack(">QHHI", chess.polyglot.zobrist_hash(START), 0xFFFF, 7, 0)
    path = written(senseless, entry(START, "e2e5", 9), entry(START, "d2d4", 1), entry(START, "c2c4", 0))
    assert known(path, START) == {chess.Move.from_uci("d2d4"): 1}


def test_weights_of_a_move_that_comes_twice_are_added(written):
    path = written(entry(START, "e2e4", 2), entry(START, "d2d4", 1), entry(START, "e2e4", 3))
    assert known(path, START) == {chess.Move.from_uci("e2e4"): 5, chess.Move.from_uci("d2d4"): 1}


@pytest.mark.parametrize("content", [b"", bytes(16), b"\xff" * 1008])
def test_books_without_a_sensible_entry_have_no_moves(written, content):
    assert known(written(content), START) == {}


@pytest.mark.parametrize("content", [b"short", b"\xff" * 1000, bytes(range(256)) * 9, b"[Event A]" * 160])
def test_files_that_are_no_books_are_refused(written, content):
    with pytest.raises(OSError, match="it is no opening book in Polyglot's format"):
        Book(written(content))


def test_moves_are_played_as_often_as_their_weights_say():
    rng = random.Random(1)
    weighted = [("often", 75), ("seldom", 25)]
    played = [random_move(weighted, rng) for _ in range(2000)]
    assert 0.7 < played.count("often") / len(played) < 0.8
    assert best_move([("a", 3), ("b", 9), ("c", 9)]) == "b"


# In a game


def use(path, *settings):
    """The commands for playing from a book."""
    pairs = [("BookFile", path), ("OwnBook", "true"), *settings]
    return [f"setoption name {name} value {value}" for name, value in pairs]


def test_the_book_is_played_from(talk, written):
    engine = talk()
    assert engine.ask(*use(written(entry(START, "a2a4", 1)))) == []
    engine.say("position startpos", "go wtime 60000 btime 60000")
    assert engine.hear("^bestmove") == ["bestmove a2a4"]
    engine.say("position startpos moves a2a4", "go depth 3")
    assert len(engine.hear("^bestmove")) > 1


def test_the_best_of_the_book(talk, written):
    path = written(entry(START, "a2a4", 1), entry(START, "h2h4", 2))
    engine = talk()
    engine.ask(*use(path, ("Book Choice", "best")))
    for _ in range(10):
        engine.say("go movetime 1000")
        assert engine.hear("^bestmove") == ["bestmove h2h4"]


@pytest.mark.parametrize("setting", ["OwnBook value false", "UCI_AnalyseMode value true", "BookFile value"])
def test_the_book_is_not_used_unless_asked_for(talk, written, setting):
    engine = talk()
    engine.ask(*use(written(entry(START, "a2a4", 1))), f"setoption name {setting}")
    engine.say("go depth 2")
    assert any(line.startswith("info depth 2") for line in engine.hear("^bestmove"))


def test_analysis_does_not_use_the_book(talk, written):
    engine = talk()
    engine.ask(*use(written(entry(START, "a2a4", 1))))
    engine.say("go infinite")
    engine.hear("^info depth 3")
    engine.say("stop")
    engine.hear("^bestmove")
    engine.say("go depth 2 searchmoves e2e4")
    assert engine.hear("^bestmove")[-1].startswith("bestmove e2e4")


def test_a_book_move_is_kept_back_while_pondering(talk, written):
    engine = talk()
    engine.ask(*use(written(entry(START, "a2a4", 1))))
    assert engine.ask("go ponder wtime 9000 btime 9000") == []
    engine.say("ponderhit")
    assert engine.hear("^bestmove") == ["bestmove a2a4"]


def test_a_missing_book_gets_one_line(talk, tmp_path):
    engine, missing = talk(), tmp_path / "missing.bin"
    (heard,) = engine.ask(f"setoption name BookFile value {missing}")
    assert heard == f"info string BookFile: {missing}: No such file or directory"
    assert engine.ask("setoption name OwnBook value true") == []
    engine.say("go depth 2")
    engine.hear("^bestmove")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.bin")
    with pytest.raises(OSError, match="not an ordinary file"):
        Book(tmp_path / "pipe.bin")
