"""`bluekrait analyse` on games: annotations, the page, resuming, and files that are hardly PGN."""

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from html.parser import HTMLParser
from time import monotonic, sleep

import chess.pgn
import pytest
from chess.engine import Cp, Mate, MateGiven

from bluekrait.tools.analyst import analyse_command, analyse_games
from bluekrait.tools.analyst.analysis_journal import AnalysisJournal
from bluekrait.tools.analyst.annotations import annotated, judged_game, score_of
from bluekrait.tools.analyst.game_page import GamePage, game_data
from bluekrait.tools.analyst.game_search import STRETCH, Judged, Limit, judge_stretch, stretches
from bluekrait.tools.analyst.judgement import accuracy, mark_of
from bluekrait.tools.analyst.opening_names import opening_name
from bluekrait.tools.analyst.played_game import read_game
from bluekrait.tools.common.pgn_splitter import GameText
from bluekrait.uci.exits import FAILED, INTERRUPTED, SUCCESS, WRONG_ARGUMENTS
from helpers.paths import DATA

GAMES = DATA / "analysis.pgn"
PATIENCE = 120  # seconds after which something has gone wrong, however slow the machine
SHORT = '[Event "{}"]\n\n1. e4 e5 2. Nf3 *\n\n'


@pytest.fixture
def analyse(tmp_path, capsys, monkeypatch):
    """Analyse a file in this process; exit code, what was printed, what was complained of."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = analyse_command.main([*map(str, arguments), "--threads", "1", "--nodes", "300"])
        return code, *capsys.readouterr()

    return run


def read_all(path):
    with open(path, encoding="utf-8") as file:
        return list(iter(lambda: chess.pgn.read_game(file), None))


def facts(game):
    """A game but for its comments and the engine's additions."""
    moves = [(node.move, node.clock()) for node in game.mainline()]
    return dict(game.headers), game.board().fen(), moves


# --- judging ------------------------------------------------------------------------------------------


def test_marks_and_accuracy():
    assert [mark_of(loss) for loss in (0, 0.079, 0.08, 0.16, 0.3, 1)] == ["", "", "?!", "?", "??", "??"]
    assert accuracy([]) is None
    assert accuracy([0, 0]) == 100
    assert 100 > accuracy([0, 0.1]) > accuracy([0, 0.2]) > accuracy([0.5, 0.5]) > 0


def test_openings():
    assert opening_name(["e4", "c5", "a3"]) == "Sicilian Defence"
    assert (
        opening_name(["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1"])
        == "Ruy Lopez, Closed"
    )
    assert opening_name(["a4"]) is None and opening_name([]) is None


def test_openings_of_the_table_can_be_played():
    from bluekrait.tools.analyst.opening_names import TABLE

    for line in TABLE.strip().splitlines():
        board = chess.Board()
        for move in line.rpartition(":")[2].split():
            board.push_san(move)


@pytest.mark.parametrize("count", [0, 1, STRETCH - 1, STRETCH, STRETCH + 1, 3 * STRETCH])
def test_stretches_cover_every_position_once(count):
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * STRETCH
    parts = stretches(chess.STARTING_FEN, False, moves[:count])
    assert [place for part in parts for place in range(part.first, part.last)] == list(range(count + 1))


def test_a_loss_is_seen_from_the_side_that_moved():
    game = read_game(GameText(1, 1, '[Event "x"]\n\n1. e4 e5 2. Nf3 *'))
    chances = [0.5, 0.2, 0.6, 0.6]
    judged = judged_game(game, [Judged(0, None, chance, 1, []) for chance in chances])
    assert [round(move.loss, 3) for move in judged.moves] == [0.3, 0.4, 0]
    assert [move.mark for move in judged.moves] == ["??", "??", ""]
    best = [Judged(0, None, chance, 1, ["e2e4"]) for chance in chances]
    assert judged_game(game, best).moves[0].loss == 0


def test_black_may_begin_a_game():
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    game = read_game(GameText(1, 1, f'[FEN "{fen}"]\n[SetUp "1"]\n\n1... e5 2. Nf3 *'))
    judged = judged_game(game, [Judged(0, None, chance, 1, []) for chance in (0.5, 0.8, 0.6)])
    assert [(move.by_white, round(move.loss, 3)) for move in judged.moves] == [(False, 0.3), (True, 0.2)]


def test_a_stretch_depends_on_its_arguments_alone():
    (part,) = stretches(chess.STARTING_FEN, False, ["e2e4", "e7e5", "d1h5"])
    first = judge_stretch(7, part, Limit(nodes=500))
    judge_stretch(1, stretches(chess.STARTING_FEN, False, ["d2d4"])[0], Limit(nodes=900))
    assert judge_stretch(7, part, Limit(nodes=500)) == first
    assert first[:2] == (7, 0) and len(first[2]) == 4


@pytest.mark.parametrize(
    ("fen", "moves", "judged"),
    [
        (chess.STARTING_FEN, ["f2f3", "e7e5", "g2g4", "d8h4"], Judged(None, 0, 0.0, 0, [])),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", ["f1f8"], Judged(None, 0, 1.0, 0, [])),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", ["f1f7"], Judged(0, None, 0.5, 0, [])),  # stalemate
        ("7k/8/8/8/8/8/6p1/7K w - - 0 1", ["h1g2"], Judged(0, None, 0.5, 0, [])),  # kings alone
    ],
)
def test_ends_of_games_are_not_searched(fen, moves, judged):
    (part,) = stretches(fen, False, moves)
    assert judge_stretch(1, part, Limit(nodes=50))[2][-1] == judged


# --- annotated games ----------------------------------------------------------------------------------


def test_annotated_games_are_the_same_but_for_comments(analyse, tmp_path):
    code, printed, complaints = analyse(GAMES, "-o", "out.pgn")
    assert (code, complaints) == (SUCCESS, "")
    assert printed == "out.pgn: 3 games, 36 moves\n"
    assert [path.name for path in tmp_path.iterdir()] == ["out.pgn"]
    before, after = read_all(GAMES), read_all("out.pgn")
    assert [facts(game) for game in before] == [facts(game) for game in after]
    opera = after[0]
    assert opera.comment.startswith("Opening: Philidor Defence. Accuracy: White ")
    assert all(node.eval() for node in list(opera.mainline())[:-1])
    joke = list(opera.mainline())[5]
    assert joke.comment.startswith("a joke") and joke.nags == {6}
    assert list(opera.mainline())[7].parent.variation(1).variation(0).parent.move == chess.Move.from_uci(
        "d6e5"
    )
    marked = [node for node in opera.mainline() if node.nags & {2, 4, 6} and node is not joke]
    assert marked and all(len(node.parent.variations) > 1 for node in marked)


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_annotated_games_may_go_to_standard_output(tmp_path, capfd, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_text(SHORT.format("A"))
    assert analyse_command.main(["games.pgn", "-o", name, "--threads", "1", "--nodes", "300"]) == SUCCESS
    printed, complaints = capfd.readouterr()
    file = io.StringIO(printed)
    game = chess.pgn.read_game(file)
    assert game.headers["Event"] == "A" and all(node.eval() for node in game.mainline())
    assert chess.pgn.read_game(file) is None  # nothing else was printed there
    assert complaints == "/dev/stdout: 1 game, 3 moves\n"
    assert [path.name for path in tmp_path.iterdir()] == ["games.pgn"]


def test_judgements_stay_until_they_are_printed(tmp_path, capfd, monkeypatch):
    def failing(path, mode="x"):
        raise BrokenPipeError

    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_text(SHORT.format("A"))
    monkeypatch.setattr(analyse_games, "whole_file", failing)
    with pytest.raises(BrokenPipeError):
        analyse_command.main(["games.pgn", "-o", "-", "--threads", "1", "--nodes", "300"])
    assert {path.name for path in tmp_path.iterdir()} == {"games.pgn", "games.annotated.pgn.journal"}


def test_a_position_without_moves_is_scored_and_can_be_annotated_again(analyse, tmp_path):
    mate = '[Event "x"]\n[FEN "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"]\n[SetUp "1"]\n\n{ White wins. } *\n'
    (tmp_path / "mate.pgn").write_text(mate)
    for _ in range(2):
        code, _, complaints = analyse("mate.pgn", "--html", "mate.html")
        assert (code, complaints) == (SUCCESS, "")
    (game,) = read_all("mate.annotated.pgn")
    assert game.eval().white() == Mate(1) and game.comment.startswith("White wins. [%eval #1")
    (shown,) = json.loads(Page((tmp_path / "mate.html").read_text(encoding="utf-8")).scripts[0])
    assert (shown["score"], shown["moves"]) == ("mate in 1", [])


@pytest.mark.parametrize("fen", ["R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "4k3/8/8/8/8/8/5PPP/r5K1 w - - 0 1"])
def test_a_mate_without_moves_can_be_annotated_again(analyse, tmp_path, fen):
    (tmp_path / "mate.pgn").write_text(f'[Event "x"]\n[FEN "{fen}"]\n[SetUp "1"]\n\n{{ The end. }} *\n')
    for name in ("mate.pgn", "mate.pgn", "mate.annotated.pgn"):
        code, _, complaints = analyse(name)
        assert (code, complaints) == (SUCCESS, "")
    for name in ("mate.annotated.pgn", "mate.annotated.annotated.pgn"):
        (game,) = read_all(name)
        assert game.comment == "The end. [%eval #0]"


def test_a_blunder_is_marked_and_a_better_move_stands_beside_it(analyse, tmp_path):
    (tmp_path / "fool.pgn").write_text('[Event "x"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n')
    analyse("fool.pgn", "-o", "out.pgn")
    marked = [node for node in read_all("out.pgn")[0].mainline() if node.nags & {2, 4}]
    assert "g4" in [node.san() for node in marked]
    assert all(len(node.parent.variations) > 1 for node in marked)


def test_annotating_twice_adds_nothing(analyse):
    analyse(GAMES, "-o", "once.pgn")
    analyse("once.pgn", "-o", "twice.pgn")
    once, twice = read_all("once.pgn"), read_all("twice.pgn")
    for one, two in zip(once, twice):
        assert facts(one) == facts(two)
        branches = [[len(node.variations) for node in game.mainline()] for game in (one, two)]
        assert branches[0] == branches[1]
        assert one.comment == two.comment


def test_a_move_is_annotated_with_what_is_thought_of_the_position_after_it():
    game = read_game(GameText(1, 1, '[Event "x"]\n\n1. e4 e5 2. Nf3 *'))
    judged = [Judged(10 * place, None, 0.5, 5 + place, []) for place in range(4)]
    tree = chess.pgn.read_game(io.StringIO(annotated(judged_game(game, judged))))
    found = [(node.eval().white().score(), node.eval_depth()) for node in tree.mainline()]
    assert found == [(10, 6), (20, 7), (30, 8)]


def test_a_better_line_is_annotated_with_what_is_thought_of_the_position_before_the_move():
    game = read_game(GameText(1, 1, '[Event "x"]\n\n1. f3 e5 *'))
    chances = enumerate((0.9, 0.1, 0.1))
    judged = [
        Judged(100 * (9 - place), None, chance, 5 + place, ["e2e4", "e7e5"]) for place, chance in chances
    ]
    tree = chess.pgn.read_game(
        io.StringIO(annotated(judged_game(game, judged[:2] + [judged[2]._replace(line=[])])))
    )
    better = tree.variation(1)
    assert (better.san(), better.variation(0).san()) == ("e4", "e5")
    assert (better.eval().white().score(), better.eval_depth()) == (900, 5)


@pytest.mark.parametrize(
    ("centipawns", "mate", "chance", "score"),
    [
        (35, None, 0.6, Cp(35)),
        (None, 3, 1.0, Mate(3)),
        (None, -2, 0.0, Mate(-2)),
        (None, 0, 1.0, MateGiven),  # Black is mated
        (None, 0, 0.0, Mate(0)),
    ],
)
def test_scores_are_written_for_white(centipawns, mate, chance, score):
    assert score_of(Judged(centipawns, mate, chance, 9, [])).white() == score


@pytest.mark.parametrize(
    ("tags", "opening"),
    [
        ("", "Open Game"),
        ('[Opening "?"]\n', "Open Game"),
        ('[Opening "Anderssen"]\n', "Anderssen"),
        (f'[FEN "{chess.STARTING_FEN.replace("KQkq", "KQ")}"]\n[SetUp "1"]\n', None),
    ],
)
def test_whose_name_an_opening_has(tags, opening):
    assert read_game(GameText(1, 1, f'[Event "x"]\n{tags}\n1. e4 e5 *')).opening == opening


def test_marks_of_the_author_stay():
    game = read_game(GameText(1, 1, '[Event "x"]\n\n1. e4! e5 *'))
    judged = [Judged(0, None, chance, 1, []) for chance in (0.9, 0.1, 0.9)]  # both moves lose much
    tree = chess.pgn.read_game(io.StringIO(annotated(judged_game(game, judged))))
    assert [node.nags for node in tree.mainline()] == [{chess.pgn.NAG_GOOD_MOVE}, {chess.pgn.NAG_BLUNDER}]


def test_another_analysis_replaces_the_accuracies_and_no_comment():
    for earlier in ("Open Game", "St. George,\n1.e4 a6"):
        before = f"By Anna. Opening: {earlier}. Accuracy: White\n1.5 %, Black 100.0 %. Accuracy: none."
        game = read_game(GameText(1, 1, f'[Event "x"]\n\n{{ {before} }} 1. e4 e5 *'))
        text = annotated(judged_game(game, [Judged(0, None, 0.5, 1, [])] * 3))
        about = "Opening: Open Game. Accuracy: White 100.0 %, Black 100.0 %."
        assert game.tree.comment == f"By Anna. Accuracy: none. {about}" and "{ By Anna." in text


@pytest.mark.parametrize("name", ["English Opening. The  Whale", "English Opening.} The Whale"])
def test_an_opening_of_two_sentences_is_replaced(name):
    tags, text = f'[Opening "{name}"]\n\n', ""
    for _ in range(2):
        game = read_game(GameText(1, 1, f"{tags}{text or '1. c4 e5 *'}"))
        text = annotated(judged_game(game, [Judged(0, None, 0.5, 1, [])] * 3)).partition("\n\n")[2]
        about = "Opening: English Opening. The Whale. Accuracy: White 100.0 %, Black 100.0 %."
        assert game.tree.comment == about


def test_games_are_not_replayed_for_each_of_their_moves(monkeypatch):
    replayed, board = [], chess.pgn.ChildNode.board
    monkeypatch.setattr(chess.pgn.ChildNode, "board", lambda node: replayed.append(node) or board(node))
    knights = " ".join(["Nf3", "Nf6", "Ng1", "Ng8"] * 25)
    game = read_game(GameText(1, 1, f'[Event "x"]\n\n{knights} *'))
    chances = [Judged(0, None, 1 - ply % 2, 1, [("b1c3", "b8c6")[ply % 2]]) for ply in range(101)]
    judged = judged_game(game, chances)
    assert len(game_data(judged)["moves"]) == 100 and "Nc3" in annotated(judged)
    assert replayed == []


def test_hostile_games_cost_one_line_each_and_no_other_game(analyse, tmp_path):
    hostile = [
        '[Event "wrong move"]\n\n1. e4 e5 2. Ke3 *\n\n',
        '[Event "no FEN"]\n[FEN "1/2/3"]\n\n1. e4 *\n\n',
        '[Event "no kings"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n[SetUp "1"]\n\n*\n\n',
        '[Event "atomic"]\n[Variant "Atomic"]\n\n1. e4 *\n\n',
        '[Event "null"]\n\n1. e4 -- *\n\n',
        '[Event "bracket"]\n\n1. e4 e4) {too many} *\n\n',
    ]
    good = [SHORT.format(n).encode("latin-1") for n in range(len(hostile))]
    content = b"".join(part for pair in zip(good, map(str.encode, hostile)) for part in pair)
    content += '[Event "Réti"]\n\n1. Nf3 {nie geöffnet\n\n'.encode("latin-1") + SHORT.format("last").encode()
    (tmp_path / "hostile.pgn").write_bytes(content)
    code, printed, complaints = analyse("hostile.pgn", "--html", "page.html")
    assert code == FAILED and "14 games, 22 moves, 6 left as they were" in printed
    assert len(complaints.splitlines()) == 6
    assert all(line.startswith("bluekrait analyse: hostile.pgn, game ") for line in complaints.splitlines())
    assert "game 2 at line 5: illegal san: 'Ke3'" in complaints
    annotated_file = (tmp_path / "hostile.annotated.pgn").read_text(encoding="utf-8")
    events = re.findall(r'\[Event "(.*)"]', annotated_file)  # python-chess fails at one bracket too many
    assert events[0:3] == ["0", "wrong move", "1"] and events[-2:] == ["Réti", "last"]
    assert "1. e4 e5 2. Ke3 *" in annotated_file


@pytest.mark.parametrize(
    ("movetext", "complaint"),
    [
        ("1. e4 e5 2. Ke3) ?! (2. d4) {so} Nc6 *", "illegal san: 'Ke3'"),  # a parenthesis that was not opened
        (f"1. e4 ${'9' * 5000} *", "5000 digits"),
    ],
)
def test_a_game_at_which_the_reader_fails_costs_one_line_too(analyse, tmp_path, movetext, complaint):
    (tmp_path / "some.pgn").write_text(f'[Event "wrong"]\n\n{movetext}\n\n{SHORT.format("right")}')
    code, printed, complaints = analyse("some.pgn")
    assert (code, printed) == (FAILED, "some.annotated.pgn: 2 games, 3 moves, 1 left as it was\n")
    assert complaint in complaints and len(complaints.splitlines()) == 1
    assert movetext in (tmp_path / "some.annotated.pgn").read_text(encoding="utf-8")


PROSE = "Dear diary,\n\ntoday I was in town. It rained: e4 of the ships came in.\n"


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff", PROSE, "[key]\nvalue=a1\n", "import chess\n"])
def test_a_file_without_games_is_told(analyse, tmp_path, content):
    (tmp_path / "empty.pgn").write_text(content, encoding="utf-8")
    code, printed, complaints = analyse("empty.pgn")
    assert (code, printed) == (WRONG_ARGUMENTS, "")
    assert complaints == "bluekrait analyse: empty.pgn: there is no game in it\n"
    assert [path.name for path in tmp_path.iterdir()] == ["empty.pgn"]


def test_a_file_whose_games_are_all_wrong_is_told(analyse, tmp_path):
    (tmp_path / "wrong.pgn").write_text("1. Sf3 d5 *\n\n1. e5 *\n\n" + PROSE)
    code, printed, complaints = analyse("wrong.pgn")
    assert (code, printed) == (WRONG_ARGUMENTS, "") and len(complaints.splitlines()) == 1
    assert "wrong.pgn: no game in it can be analysed; that at line 1: cannot read 'Sf3'" in complaints
    assert [path.name for path in tmp_path.iterdir()] == ["wrong.pgn"]


def test_text_between_games_is_no_game(analyse, tmp_path):
    (tmp_path / "mixed.pgn").write_text(f"1. e4 *\n\n{PROSE}\n" + SHORT.format("second"))
    code, printed, complaints = analyse("mixed.pgn")
    assert code == FAILED and printed == "mixed.annotated.pgn: 3 games, 4 moves, 1 left as it was\n"
    assert "mixed.pgn, game 2 at line 3: no game: neither tags nor moves; left as it is" in complaints
    assert PROSE in (tmp_path / "mixed.annotated.pgn").read_text(encoding="utf-8")


def test_a_file_without_games_replaces_nothing(analyse, tmp_path):
    (tmp_path / "empty.pgn").touch()
    kept = [tmp_path / name for name in ("kept.pgn", "kept.html")]
    for path in kept:
        path.write_text("precious")
    code, _, _ = analyse("empty.pgn", "-o", "kept.pgn", "--html", "kept.html")
    assert code == WRONG_ARGUMENTS
    assert [path.read_text() for path in kept] == ["precious"] * 2


def test_no_file_but_the_output_is_written_over(analyse, tmp_path):
    games, other = tmp_path / "out.pgn.draft", tmp_path / "out.html.draft"
    games.write_text(SHORT.format("one"))
    other.write_text("precious")
    assert analyse(games, "-o", "out.pgn", "--html", "out.html")[0] == SUCCESS
    assert [game.headers["Event"] for game in read_all(tmp_path / "out.pgn")] == ["one"]
    assert games.read_text() == SHORT.format("one") and other.read_text() == "precious"
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.parametrize("option", ["-o", "--html"])
def test_files_that_something_else_has_written_are_not_replaced(analyse, tmp_path, option):
    own, empty, foreign = (tmp_path / name for name in ("own", "empty", "foreign"))
    empty.touch()
    foreign.write_text("precious")
    assert [analyse(GAMES, "-o", "out.pgn", option, name)[0] for name in (own, own, empty)] == [SUCCESS] * 3
    assert empty.read_bytes() == own.read_bytes()
    code, printed, complaints = analyse(GAMES, "-o", "out.pgn", option, foreign)
    assert (code, printed) == (
        WRONG_ARGUMENTS,
        "",
    ) and "foreign is there, and was not written by" in complaints
    assert foreign.read_text() == "precious"


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        (["missing.pgn"], "there is no missing.pgn"),
        (["."], ". is a folder"),
        ([GAMES, "-o", "out.pgn", "--html", "out.pgn.journal"], "would replace what this command works on"),
        ([GAMES, "--html", GAMES], "would replace what this command works on"),
        ([GAMES, "-o", "a.pgn", "--html", "./a.pgn"], "is named for two files"),
        ([GAMES, "-o", GAMES], "would replace what this command works on"),
        ([GAMES, "-o", "no/folder/out.pgn"], "no/folder/out.pgn cannot be written"),
        ([GAMES, "-o", "out.pgn", "--html", "no/page.html"], "no/page.html cannot be written"),
        ([GAMES, "-o", "."], "cannot be written"),
        ([GAMES, "-o", "-", "--html", "-"], "/dev/stdout is named for two files"),
        ([GAMES, "-o", "out.pgn", "--html", "."], "cannot be written"),
    ],
)
def test_wrong_arguments_cost_one_line(analyse, arguments, complaint):
    code, printed, complaints = analyse(*arguments)
    assert (code, printed) == (WRONG_ARGUMENTS, "") and complaint in complaints
    assert len(complaints.splitlines()) == 1


@pytest.mark.parametrize("name", ["games.pgn", "suite.epd"])
@pytest.mark.parametrize(
    ("seconds", "problem"), [("1e12", "1e12 is above 1000000000"), ("0", "not a number above 0")]
)
def test_seconds_out_of_range_are_refused_at_once(tmp_path, monkeypatch, capsys, name, seconds, problem):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("")
    with pytest.raises(SystemExit) as leaving:
        analyse_command.main([name, "--seconds", seconds])
    complaint = capsys.readouterr().err
    assert leaving.value.code == WRONG_ARGUMENTS and complaint.count("\n") == 1
    assert "argument --seconds: " in complaint and (
        seconds != "1e12" or "1e12 is above 1000000000" in complaint
    )
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no pipes among its files")
@pytest.mark.parametrize("name", ["pipe.pgn", "pipe.epd"])
def test_a_pipe_is_refused(analyse, tmp_path, name):
    os.mkfifo(tmp_path / name)
    code, printed, complaints = analyse(name)
    assert (code, printed) == (WRONG_ARGUMENTS, "") and len(complaints.splitlines()) == 1
    assert f"{name} is not an ordinary file" in complaints


# --- resuming -----------------------------------------------------------------------------------------


def test_a_killed_analysis_goes_on_where_it_was(warm_cache, tmp_path, monkeypatch):
    games = tmp_path / "games.pgn"
    games.write_text(6 * GAMES.read_text(encoding="utf-8").partition('[Event "Chess960')[0], encoding="utf-8")
    command = [sys.executable, "-m", "bluekrait", "analyse", "games.pgn", "--nodes", "1000"]
    journal = tmp_path / "games.annotated.pgn.journal"
    with subprocess.Popen([*command, "--threads", "1"], cwd=tmp_path, stdout=subprocess.PIPE) as process:
        deadline = monotonic() + PATIENCE
        while not journal.exists() or journal.read_bytes().count(b"\n") < 4:
            assert monotonic() < deadline and process.poll() is None
            sleep(0.01)
        process.send_signal(signal.SIGKILL)
    done = journal.read_bytes().count(b"\n") - 1
    assert 0 < done < 12 and not (tmp_path / "games.annotated.pgn").exists()
    with open(journal, "ab") as file:
        file.write(b"[7,0,[[12,nu")  # cut off in the middle of a line
    calls = []
    judge = analyse_games.judge_stretch
    monkeypatch.setattr(
        analyse_games, "judge_stretch", lambda *arguments: calls.append(arguments) or judge(*arguments)
    )
    monkeypatch.chdir(tmp_path)
    assert analyse_command.main(["games.pgn", "--nodes", "1000", "--threads", "1"]) == SUCCESS
    assert len(calls) == 12 - done and not journal.exists()
    resumed = (tmp_path / "games.annotated.pgn").read_bytes()
    assert analyse_command.main(["games.pgn", "--nodes", "1000", "--threads", "1"]) == SUCCESS
    assert (tmp_path / "games.annotated.pgn").read_bytes() == resumed


def test_the_time_that_is_left_is_reckoned_from_what_this_run_has_done(monkeypatch):
    shown, now = [], iter((0, 1))
    monkeypatch.setattr(analyse_games, "monotonic", lambda: next(now))
    monkeypatch.setattr(analyse_games.ProgressLine, "show", lambda _, text: shown.append(text))
    progress = analyse_games._Progress(1000)
    for number in range(1, 7):  # an earlier run has judged the first five
        progress.read(GameText(number, 1, 100 * "x"))
    assert shown == [f"game {number}: looking for the first that is not judged" for number in range(1, 7)]
    progress.begin(10)
    progress.add(10)
    assert shown[6:] == ["game 6, 60 %, 10 positions a second, 0:04 left"]


def test_an_analysis_is_not_continued_with_other_settings(tmp_path):
    path = tmp_path / "out.pgn.journal"
    with AnalysisJournal(path, {"nodes": 100}) as journal:
        journal.add(1, 0, [Judged(3, None, 0.5, 4, ["e2e4"])])
        journal.add(1, 20, [])
        with pytest.raises(ValueError, match="in use"):
            AnalysisJournal(path, {"nodes": 100})
    with AnalysisJournal(path, {"nodes": 100}) as journal:
        assert journal.judgements(1, 0) == [Judged(3, None, 0.5, 4, ["e2e4"])]
        assert journal.judgements(1, 20) == []
    with pytest.raises(ValueError, match="was begun with --nodes 100, not 200: remove the journal"):
        AnalysisJournal(path, {"nodes": 200})


def test_an_analysis_is_not_continued_with_another_kind_of_limit(tmp_path):
    path = tmp_path / "out.pgn.journal"
    with AnalysisJournal(path, {"nodes": None, "seconds": 1.0}) as journal:
        journal.add(1, 0, [])
    with pytest.raises(ValueError, match="was begun without --nodes: remove the journal"):
        AnalysisJournal(path, {"nodes": 200, "seconds": None})


def test_an_interrupted_writer_leaves_nothing(analyse, tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    (tmp_path / "games.pgn").write_text(SHORT.format("A"))
    with monkeypatch.context() as patched:
        patched.setattr(analyse_games, "annotated", interrupted)
        assert analyse("games.pgn")[0] == INTERRUPTED
    assert {path.name for path in tmp_path.iterdir()} == {"games.pgn", "games.annotated.pgn.journal"}


def test_an_analysis_is_not_continued_with_other_games_of_the_same_size(analyse, tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    games = tmp_path / "games.pgn"
    games.write_text(SHORT.format("A"))
    with monkeypatch.context() as patched:
        patched.setattr(analyse_games, "_write_all", interrupted)
        assert analyse("games.pgn")[0] == INTERRUPTED
    games.write_text(SHORT.format("B"))
    code, _, complaint = analyse("games.pgn")
    assert code == WRONG_ARGUMENTS
    told = "games.annotated.pgn.journal was begun with other contents of games.pgn: remove the journal"
    assert told in complaint
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "games.pgn").write_text(SHORT.format("B"))
    _, _, complaint = analyse("elsewhere/games.pgn", "-o", "games.annotated.pgn")
    assert told in complaint
    (tmp_path / "other.pgn").write_text(SHORT.format("C"))
    _, _, complaint = analyse("other.pgn", "-o", "games.annotated.pgn")
    assert "games.annotated.pgn.journal was begun with games.pgn, not other.pgn" in complaint


@pytest.mark.parametrize(
    "content", ["text\n", '{"other": 1}\n', "[]\n", '{"journal": "bluekrait analyse", "format": 1}\nx\n']
)
def test_other_files_are_no_journals(tmp_path, content):
    path = tmp_path / "journal"
    path.write_text(content)
    with pytest.raises(ValueError, match="damaged|no journal"):
        AnalysisJournal(path, {})
    assert path.read_text() == content


# --- the page -----------------------------------------------------------------------------------------


class Page(HTMLParser):
    """The parts of a page that matter here."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.scripts, self._script = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag == "script":
            self._script = ""

    def handle_data(self, data):
        if self._script is not None:
            self._script += data

    def handle_endtag(self, tag):
        if tag == "script":
            self.scripts.append(self._script)
            self._script = None


def known_page():
    """The page of the known games, with made-up judgements that never change."""
    page = GamePage("analysis.pgn", Limit(nodes=100))
    for number, text in enumerate(GAMES.read_text(encoding="utf-8").split("\n\n[")):
        game = read_game(GameText(number + 1, 1, text if number == 0 else "[" + text))
        chances = [0.5 + 0.4 * (-1) ** (ply // 7) * (ply % 7) / 7 for ply in range(len(game.moves) + 1)]
        board, lines = game.tree.board(), []
        for node in [*game.nodes, None]:
            best = next(iter(sorted(board.legal_moves, key=chess.Move.uci)), None)
            lines.append([board.uci(best)] if best else [])
            if node:
                board.push(node.move)
        judged = [Judged(round(100 * chance), None, chance, 9, line) for chance, line in zip(chances, lines)]
        page.add(judged_game(game, judged))
    return page.text()


def test_page_of_known_games_is_the_golden_one():
    golden = DATA / "analysis_page.json"
    page = Page(known_page())
    games = json.loads(page.scripts[0])
    assert games == json.loads(golden.read_text(encoding="utf-8"))
    ids = {attributes.get("id") for _, attributes in page.elements}
    assert {f"piece-{letter}" for letter in "PNBRQKpnbrqk"} <= ids
    assert {"board", "curve", "moves", "points", "chooser", "said"} <= ids


def test_page_needs_nothing_else_and_believes_nobody():
    text = known_page()
    for tag, attributes in Page(text).elements:
        for name in ("src", "href"):
            assert attributes.get(name, "#").startswith("#"), (tag, attributes)
    assert "<script>alert" not in text and "url(http" not in text
    assert len(Page(text).scripts) == 3


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_script_of_the_page_can_be_parsed(tmp_path):
    path = tmp_path / "page.js"
    path.write_text("\n".join(Page(known_page()).scripts[1:]), encoding="utf-8")
    checked = subprocess.run(["node", "--check", path], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


def test_controls_have_names():
    elements = Page(known_page()).elements
    buttons = [attributes for tag, attributes in elements if tag == "button"]
    assert {button["data-go"] for button in buttons} == {"first", "back", "on", "last", "flip"}
    assert all(
        button["aria-label"] and button["title"].startswith(button["aria-label"]) for button in buttons
    )
    assert all(attributes.get("scope") == "col" for tag, attributes in elements if tag == "th")


def test_moves_of_black_are_numbered_in_one_way():
    games = json.loads(Page(known_page()).scripts[0])
    moves = [move for game in games for move in game["moves"] if move["better"]]
    numbers = {(move["number"], move["better"]["san"].split()[0]) for move in moves}
    assert numbers and all(move == line for move, line in numbers)
    assert any(move.endswith("...") for move, _ in numbers)


@pytest.fixture
def open_page():
    """Show a page in a browser, on a screen of a width."""
    pytest.importorskip("playwright", reason="playwright is not installed")
    from bluekrait.tools.board.browser import browser, chromium

    if not chromium():
        pytest.skip("no Chromium is installed")
    with browser() as opened:

        def show(text, width=1000):
            page = opened.new_page(viewport={"width": width, "height": 800})
            page.set_content(text)
            return page

        yield show


def test_keys_of_the_page(open_page):
    page = open_page(known_page())
    chooser, moves = page.locator("#chooser"), page.locator('#moves [aria-current="true"]')
    chooser.select_option("1")
    chooser.press("ArrowRight")
    assert (chooser.input_value(), moves.count()) == ("1", 1)
    chooser.blur()
    a8 = page.locator("#board use").first
    assert a8.get_attribute("y") == "0"
    page.keyboard.press("F")
    assert a8.get_attribute("y") == "315"


def test_the_board_has_coordinates_and_names_its_pieces(open_page):
    page = open_page(known_page())
    files, ranks = "abcdefgh", "87654321"
    for is_flipped in (False, True):
        shown = page.locator("#board text").all_text_contents()
        order = -1 if is_flipped else 1
        assert shown[0::2] == list(ranks[::order]) and shown[1::2] == list(files[::order])
        page.keyboard.press("F")
    name = page.locator("#board").get_attribute("aria-label")
    assert name.startswith("board. White: pawn a2, ") and ". Black: rook a8, knight b8, " in name


def test_a_single_position_has_neither_a_curve_nor_turning_points(open_page):
    page = GamePage("position.pgn", Limit(nodes=100))
    for text in ('[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n[SetUp "1"]\n\n*', "1. f3 e5 *"):
        game = read_game(GameText(1, 1, text))
        chances = (0.9, 0.1, 0.1)[: len(game.moves) + 1]
        page.add(judged_game(game, [Judged(0, None, chance, 9, []) for chance in chances]))
    shown = open_page(page.text())
    assert shown.locator("#said").inner_text() == "+0.00, White's chances 90 %"
    assert not shown.locator("#curve").is_visible() and not shown.locator("#turns").is_visible()
    shown.locator("#chooser").select_option("1")
    assert shown.locator("#curve").is_visible() and shown.locator("#turns").is_visible()
    assert shown.locator("#moves button").first.get_attribute("aria-label") == "f3, blunder"


def test_the_page_fits_narrow_screens_and_is_printed_without_controls(open_page):
    page = open_page(known_page(), width=320)
    assert page.locator("#points tr").count()
    for element in ("html", ".scroll"):
        wide = page.locator(element).evaluate("element => element.scrollWidth - element.clientWidth")
        assert wide <= 0, element
    assert page.locator(".controls").is_visible()
    page.emulate_media(media="print", color_scheme="dark")
    assert not page.locator(".controls").is_visible()
    assert page.locator("#moves").evaluate("moves => getComputedStyle(moves).maxHeight") == "none"
    assert (
        page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
        == "rgb(255, 255, 255)"
    )


def test_a_page_holds_so_many_games_and_says_so(monkeypatch):
    monkeypatch.setattr("bluekrait.tools.analyst.game_page.MOST_GAMES", 2)
    text = known_page()
    assert len(json.loads(Page(text).scripts[0])) == 2
    assert ", 1 more in the annotated PGN only" in text


def test_page_is_written_beside_the_games(analyse):
    code, printed, _ = analyse(GAMES, "-o", "out.pgn", "--html", "page.html")
    assert code == SUCCESS and printed.splitlines()[-1] == "page.html"
    with open("page.html", encoding="utf-8") as file:
        games = json.loads(Page(file.read()).scripts[0])
    assert len(games) == 3 and games[0]["moves"][0]["clock"] == "0:10:00"
    for game, original in zip(games, read_all(GAMES)):
        board = original.board()
        assert game["board"] == board.board_fen()
        for move, node in zip(game["moves"], original.mainline(), strict=True):
            board.push(node.move)
            assert (move["board"], move["san"]) == (board.board_fen(), node.san())


def test_page_of_a_game_with_a_clock_of_hundreds_of_digits(analyse, tmp_path):
    (tmp_path / "long.pgn").write_text(f"1. e4 {{[%clk 0:00:{'9' * 400}]}} *\n")
    code, _, complaints = analyse("long.pgn", "--html", "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert (code, complaints) == (SUCCESS, "") and '"clock":""' in page


def test_page_of_a_file_whose_name_is_no_utf_8(analyse, tmp_path):
    (tmp_path / "caf\udce9.pgn").write_text(SHORT.format("x"))
    code, _, complaints = analyse("caf\udce9.pgn", "-o", "out.pgn", "--html", "page.html")
    assert (code, complaints) == (SUCCESS, "")
    assert "<h1>caf?.pgn</h1>" in (tmp_path / "page.html").read_text(encoding="utf-8")


if __name__ == "__main__":  # write the golden page again, after a change that is meant
    data = json.loads(Page(known_page()).scripts[0])
    text = json.dumps(data, ensure_ascii=False, indent=0)
    (DATA / "analysis_page.json").write_text(text + "\n", encoding="utf-8")
