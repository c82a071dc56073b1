"""Self-play: games from compiled code, replayed by python-chess; their files; and what is made of them."""

import random
import subprocess
import sys
from ctypes import addressof
from functools import cache

import chess
import numpy as np
import pytest

from bluekrait.core import format_fen, parse_fen
from bluekrait.core.compiler.jit import int64, position_type, uint64
from bluekrait.search.self_play import node_clock
from bluekrait.search.self_play.adjudication import adjudicate, draw_by_rule
from bluekrait.search.self_play.game_openings import random_opening
from bluekrait.search.self_play.game_records import ENDINGS, SelfPlay
from bluekrait.search.self_play.job import job_at
from bluekrait.search.self_play.players.player import Player
from bluekrait.search.self_play.players.rivals import Rivals
from bluekrait.search.self_play.players.searcher import Searcher
from bluekrait.search.self_play.random_numbers import seed_random
from bluekrait.search.thinking.clock import soft_limit_factor
from bluekrait.search.thread_record import SearchThread
from bluekrait.search.tree.state import thread_at
from bluekrait.tools.data import data_command
from bluekrait.tools.data.formats import game_file
from bluekrait.tools.data.formats.game_file import games_in, pack_games, pack_head
from bluekrait.tools.data.formats.game_samples import (
    EVERYTHING,
    TRAINING,
    Filters,
    filtered,
    positions_of_games,
)
from bluekrait.tools.data.formats.labelled_file import read_contents, samples_of
from bluekrait.tools.data.formats.sample_array import LAYOUT
from bluekrait.tools.data.formats.samples import pack_sample, sample_from_text, unpack_sample
from helpers.kernels import uncached_kernel
from helpers.labelled import mended
from helpers.network.networks import random_network
from helpers.processes.conversation import printed_by

SEED, NODES, CHESS960, GAMES = 5, 60, 30, 60
MADE = {"kind": "self-play", "seed": SEED, "nodes": NODES}
PROMOTIONS = {0: None, 2: chess.KNIGHT, 5: chess.BISHOP, 6: chess.ROOK, 7: chess.QUEEN}


@cache
def some_games():
    """The bytes of some games, by number."""
    player = Player(SEED, NODES, CHESS960)
    return [player.play(number) for number in range(GAMES)]


def positions(packed):
    """Every position of a game, as samples."""
    return [unpack_sample(row.tobytes()) for row in positions_of_games(packed, 1, EVERYTHING)[0]]


def head_of(packed):
    return next(games_in(packed)).head


def board_of(sample):
    """A sample's position in python-chess."""
    return chess.Board(data_command.sample_text(sample._replace(move=0), None).split(";")[0], chess960=True)


def move_of(sample):
    """A sample's move in python-chess, which writes castling as king takes rook there."""
    turn_round = 56 if sample.ply & 1 else 0
    origin, target = sample.move & 63, sample.move >> 6 & 63
    return chess.Move(origin ^ turn_round, target ^ turn_round, PROMOTIONS[sample.move >> 12])


def printed_game(program, **environment):
    """The game that a program prints in hexadecimal digits, run by another process."""
    return bytes.fromhex(printed_by(program, **environment).strip())


@uncached_kernel(int64(int64, int64, int64, int64))
def thousandths(best_nodes, nodes, stable, drop):
    """How much longer a search by the clock of self-play takes than usual."""
    return node_clock.soft_limit_thousandths(best_nodes, nodes, stable, drop)


def test_the_clock_of_self_play_follows_the_rules_of_the_clock():
    for best_nodes in (0, 1, 300, 999, 1000):
        for stable in (0, 3, 8, 20):
            for drop in (-500, -10, 0, 25, 60, 500):
                expected = soft_limit_factor(best_nodes / 1000, stable, drop)
                assert abs(thousandths(best_nodes, 1000, stable, drop) / 1000 - expected) < 0.005


# --- games ----------------------------------------------------------------------------------------


def test_a_game_is_decided_by_seed_and_number_whatever_was_played_before():
    player, games = Player(SEED, NODES, CHESS960), some_games()
    for number in (17, 3, 40, 3):
        assert player.play(number) == games[number]
    assert Player(SEED + 1, NODES, CHESS960).play(3) != games[3]
    assert len(set(games)) == GAMES


def test_games_with_a_network_are_other_games_and_decided_by_seed_and_number_too():
    player = Player(SEED, NODES, CHESS960, network=random_network(32, buckets=8))
    games = [player.play(number) for number in range(4)]
    assert not set(games) & set(some_games())
    assert [player.play(number) for number in (3, 0)] == [games[3], games[0]]
    assert Player(SEED, NODES, CHESS960, network=random_network(32, seed=2)).play(0) != games[0]


def test_another_process_plays_the_same_game():
    program = (
        "from bluekrait.search.self_play.players.player import Player; "
        f"print(Player({SEED}, {NODES}, {CHESS960}).play(9).hex())"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == some_games()[9].hex()


def test_interpreted_the_game_is_the_same():
    program = (
        "from bluekrait.search.self_play import adjudication; adjudication.WIN_SCORE = 0\n"
        "from bluekrait.search.self_play.players.player import Player; "
        "print(Player(2, 1, 50, 1 << 16).play(1).hex())"
    )
    interpreted = printed_game(program, NUMBA_DISABLE_JIT="1")
    compiled = printed_game(program.split("\n")[1])
    plies = head_of(interpreted).plies  # it ends as soon as one side was ahead four times
    assert plies >= 4
    moves = slice(game_file.HEAD_BYTES, game_file.HEAD_BYTES + 4 * plies)
    assert interpreted[moves] == compiled[moves]
    assert interpreted[:24] == compiled[:24]


def test_games_hold_scores_as_the_evaluation_tells_them():
    program = (
        "from bluekrait.search.self_play import adjudication, game; adjudication.WIN_SCORE = 0\n"
        "game.unscaled_by_material = lambda thread, board, score: 77\n"
        "from bluekrait.search.self_play.players.player import Player; "
        "print(Player(2, 1, 50, 1 << 16).play(1).hex())"
    )
    samples = positions(printed_game(program, NUMBA_DISABLE_JIT="1"))
    assert len(samples) >= 4 and {sample.score for sample in samples} == {77}


def test_python_chess_replays_every_game():
    for packed in some_games():
        samples = positions(packed)
        board = board_of(samples[0])
        assert board.is_valid()
        for sample in samples:
            here = board_of(sample)
            assert here.fen(en_passant="legal").split()[:4] == board.fen(en_passant="legal").split()[:4]
            assert (here.halfmove_clock, here.ply()) == (board.halfmove_clock, sample.ply)
            assert board.is_legal(move_of(sample))
            board.push(move_of(sample))


def ending_by_rule(board):
    """What python-chess says of a position, in the words of `ENDINGS`."""
    if board.is_checkmate():
        return "checkmate"
    if board.is_stalemate():
        return "stalemate"
    if board.halfmove_clock >= 100:
        return "fifty moves"
    if board.is_insufficient_material():
        return "insufficient material"
    if board.is_repetition(3):
        return "repetition"
    return "too long" if board.ply() >= 400 else None


def adjudication(whites):
    """How the scores of a game, as White sees them, each with its ply, end it; None if they do not."""
    last = [score for score, _ in whites[-4:]]
    if len(last) == 4 and (min(last) >= 2500 or max(last) <= -2500):
        return "win by adjudication"
    if len(whites) >= 12 and all(abs(score) <= 4 and ply >= 80 for score, ply in whites[-12:]):
        return "draw by adjudication"
    return None


def end_by_a_slow_referee(packed):
    """How a game ends, and that it does so no earlier or later, and with that result."""
    samples, head = positions(packed), head_of(packed)
    board, whites, end = board_of(samples[0]), [], None
    for sample in samples:
        assert end is None and ending_by_rule(board) is None
        whites.append((-sample.score if sample.ply & 1 else sample.score, sample.ply))
        end = adjudication(whites)
        if end is None:
            board.push(move_of(sample))
    end = end or ending_by_rule(board)
    assert end == ENDINGS[head.ending]
    winner = {"checkmate": not board.turn, "win by adjudication": whites[-1][0] > 0}.get(end)
    assert head.result == {None: 1, True: 2, False: 0}[winner]
    return end


def test_games_end_where_and_how_a_slow_referee_ends_them():
    assert len({end_by_a_slow_referee(packed) for packed in some_games()}) >= 3


@uncached_kernel(int64(uint64, int64, int64))
def ending_by_score(address, score, ply):
    """The ending after one more score of a game."""
    return adjudicate(job_at(address), score, ply)


@pytest.mark.parametrize("usual", [[2499, 2500, 2501, 3000, -2500], [*range(-4, 5), 5]], ids=["won", "level"])
@pytest.mark.parametrize("seed", range(20))
def test_scores_end_a_game_as_a_slow_referee_says(seed, usual):
    """Runs of scores at the limits, such as games seldom have."""
    rng, job, whites = random.Random(seed), SelfPlay(), []
    for ply in range(rng.randrange(60, 80), 400):
        whites.append((rng.choice(usual if ply % 16 else [0, 2500]), ply))
        expected, score = adjudication(whites), -whites[-1][0] if ply & 1 else whites[-1][0]
        ending = ending_by_score(addressof(job), score, ply)
        assert ENDINGS.get(ending) == expected, whites
        if ending:
            assert expected.startswith("draw") or (job.winner > 0) == (whites[-1][0] > 0)
            break


@uncached_kernel(int64(uint64, position_type))
def ending_of(address, position):
    """The ending by rule in a position."""
    return draw_by_rule(thread_at(address), position)


@pytest.mark.parametrize(
    ("fen", "clock", "ply", "ending"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3 w - -", 99, 399, None),
        ("4k3/8/8/8/8/8/4P3/4K3 w - -", 100, 399, "fifty moves"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - -", 99, 400, "too long"),
        ("4k3/8/8/8/8/8/8/3BK3 w - -", 0, 300, "insufficient material"),
        ("4k3/8/8/8/8/8/8/3RK3 w - -", 0, 300, None),
    ],
)
def test_a_game_that_could_go_on_is_drawn_by_rule(fen, clock, ply, ending):
    position = parse_fen(fen)._replace(clock=clock, ply=ply)
    assert ENDINGS.get(ending_of(addressof(SearchThread()), position)) == ending


def test_both_rivals_know_the_whole_game():
    rivals = Rivals(SEED, NODES, Searcher(), Searcher(), Searcher())
    last_movers = set()  # of games that end by repetition
    for pair in range(17, 117):
        for packed in rivals.play_pair(pair):
            if end_by_a_slow_referee(packed) == "repetition":
                last_movers.add(positions(packed)[-1].ply & 1)
        if len(last_movers) == 2:
            break
    assert last_movers == {0, 1}


def test_openings_are_random_fair_and_a_share_of_them_chess960():
    heads = [head_of(packed) for packed in some_games()]
    assert {head.first_ply for head in heads} == {8, 9}
    assert 0 < sum(head.is_chess960 for head in heads) < GAMES
    assert all(abs(positions(packed)[0].score) <= 600 for packed in some_games())
    assert len({bytes(head.board) for head in heads}) == GAMES
    player = Player(SEED, NODES, 0)
    assert not any(head_of(player.play(number)).is_chess960 for number in range(10))


@uncached_kernel(position_type(uint64))
def opening_of(address):
    """The first opening of a game, which its scores may still reject."""
    job = job_at(address)
    seed_random(job)
    return random_opening(job)


def test_a_seed_has_always_the_same_openings():
    """Files of games are continued, by later versions too."""
    jobs = [SelfPlay(seed=SEED, opening=number) for number in range(4)]
    for job in jobs[2:]:
        job.game.head.is_chess960 = 1
    assert [format_fen(opening_of(addressof(job))) for job in jobs] == [
        "rnbqkbnr/ppppp1p1/5p1p/8/1PB5/4P3/P1PP1PPP/RNBQK1NR b KQkq - 4 5",
        "r1bqkbnr/p1pppp1p/1p6/6p1/2Pn4/BP6/P2PPPPP/RN1QKBNR w KQkq - 1 5",
        "rkbb1rqn/pppp1p2/3np2p/6p1/P5B1/2PPP3/1P3PPP/RKB1NRQN b KQkq - 0 5",
        "nb1qrkbr/2pppppp/p2n4/1p3P2/2P1P3/8/PP1P2PP/NBNQRKBR b KQkq - 0 5",
    ]


def test_the_starting_positions_of_chess960_are_those_of_python_chess():
    from bluekrait.core.notation.fen import parse_fen
    from bluekrait.search.self_play.starting_positions import starting_position

    for number in range(960):
        expected = parse_fen(chess.Board.from_chess960_pos(number).shredder_fen())
        assert starting_position(number) == expected


# --- files ----------------------------------------------------------------------------------------


def a_file(*numbers):
    """The bytes of a file with a block of two games for each number."""
    games = some_games()
    return pack_head(MADE) + b"".join(pack_games(games[number : number + 2]) for number in numbers)


def test_games_are_read_as_they_were_written():
    contents = read_contents(a_file(0, 2, 8))
    assert (contents.head, contents.games) == (MADE, {0, 1, 2, 3, 8, 9})
    assert (contents.damage, contents.torn) == ([], 0)
    assert contents.samples == sum(head_of(some_games()[number]).plies for number in contents.games)


def test_a_torn_end_is_cut_off(tmp_path):
    path, whole, shorter = tmp_path / "torn.bkg", a_file(0, 2), a_file(0)
    for length in range(len(shorter), len(whole), 97):
        path.write_bytes(whole[:length])
        assert mended(path).games == {0, 1}
        assert path.read_bytes() == shorter


def test_damage_costs_the_block_it_touches():
    rng, whole = random.Random(1), a_file(0, 2, 4)
    start, end = len(a_file(0)), len(a_file(0, 2))
    for _ in range(50):
        damaged = bytearray(whole)
        damaged[rng.randrange(start, end)] ^= 1 << rng.randrange(8)
        assert read_contents(bytes(damaged)).games == {0, 1, 4, 5}


def test_a_later_format_is_not_misread():
    later = game_file.pack_part(game_file.HEAD, 2, 2, b"{}")
    with pytest.raises(ValueError, match="version 2"):
        read_contents(later)


def test_a_position_takes_less_than_five_bytes():
    contents = read_contents(pack_head(MADE) + pack_games(some_games()))
    assert contents.size / contents.samples < 5


# --- what is made of them -------------------------------------------------------------------------


def test_positions_are_packed_as_python_packs_them():
    for packed in some_games()[:10]:
        rows, kept = positions_of_games(packed, 1, EVERYTHING)
        assert kept.tolist() == [len(rows)]
        assert [row.tobytes() for row in rows] == list(map(pack_sample, map(unpack_sample, map(bytes, rows))))


@pytest.mark.parametrize(
    "filters", [TRAINING, Filters(30, 200, True, False), Filters(0, 32_001, False, True)], ids=str
)
def test_filters_let_through_what_they_should(filters):
    body = b"".join(some_games()[:20])
    every, _ = positions_of_games(body, 20, EVERYTHING)
    chosen, kept = positions_of_games(body, 20, filters)
    expected = [row.tobytes() for row in every if passes(unpack_sample(row.tobytes()), filters)]
    assert [row.tobytes() for row in chosen] == expected
    assert kept.sum() == len(chosen) > 0
    assert np.array_equal(filtered(every, filters), chosen)


def passes(sample, filters):
    board, move = board_of(sample), move_of(sample)
    is_noisy = board.is_capture(move) or move.promotion is not None
    return (
        sample.ply >= filters.first_ply
        and abs(sample.score) <= filters.highest_score
        and not (filters.no_checks and board.is_check())
        and not (filters.quiet and is_noisy)
    )


@pytest.fixture
def game_path(tmp_path):
    path = tmp_path / "games.bkg"
    path.write_bytes(a_file(0, 2, 4, 6))
    return str(path)


def test_a_converted_file_holds_every_position(game_path, tmp_path, capsys):
    out = str(tmp_path / "all.bks")
    assert data_command.main(["convert", game_path, "-o", out]) == 0
    assert np.array_equal(samples_of(out), samples_of(game_path, EVERYTHING))
    assert data_command.main(["check", game_path, out]) == 0
    assert data_command.main(["convert", game_path, "-o", out]) == 2
    assert "exists" in capsys.readouterr().err


def test_a_filtered_file_is_the_same_from_either_format(game_path, tmp_path, monkeypatch):
    every = str(tmp_path / "every.bks")
    monkeypatch.setattr("bluekrait.tools.data.filter_samples.BLOCK_SAMPLES", 4)
    data_command.main(["convert", game_path, game_path, "-o", every])

    def filtered(source, name, *more):
        out = str(tmp_path / name)
        assert data_command.main(["filter", source, "-o", out, "--training", *more]) == 0
        return samples_of(out)

    found = filtered(game_path, "one.bks", "--dedupe")
    assert np.array_equal(found, filtered(every, "other.bks", "--dedupe"))
    with_repetitions = filtered(every, "all.bks")
    assert len(with_repetitions) >= 2 * len(found) > 40
    monkeypatch.setattr("bluekrait.tools.data.formats.labelled_file.BATCH_BYTES", 300)
    monkeypatch.setattr("bluekrait.tools.data.filter_samples.TOGETHER", 10)
    assert np.array_equal(found, filtered(every, "in_pieces.bks", "--dedupe"))
    assert np.array_equal(with_repetitions, filtered(every, "all_in_pieces.bks"))
    boards = [unpack_sample(row.tobytes()).board for row in samples_of(game_path)]
    assert [unpack_sample(row.tobytes()).board for row in found] == list(dict.fromkeys(boards))


def test_shown_positions_can_be_read_again(game_path, capsys):
    assert data_command.main(["show", game_path, "-n", "0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    samples = [unpack_sample(row.tobytes()) for row in samples_of(game_path, EVERYTHING)]
    assert len(lines) == len(samples)
    for line, sample in zip(lines, samples):
        assert sample_from_text(line)._replace(move=sample.move) == sample
        assert board_of(sample).parse_uci(line.split("; ")[3]) == move_of(sample)


def test_relabelling_goes_on_where_it_was_and_changes_labels_alone(game_path, tmp_path, monkeypatch):
    monkeypatch.setattr("bluekrait.tools.data.relabel.UNIT_SAMPLES", 50)
    out, command = tmp_path / "new.bks", ["relabel", game_path, "--nodes", "100", "--processes", "1"]
    assert data_command.main([*command, "-o", str(out)]) == 0
    whole, old, new = out.read_bytes(), samples_of(game_path), samples_of(out)
    for name in LAYOUT.names:
        assert np.array_equal(old[name], new[name]) == (name not in ("score", "move"))
    for row in new:
        sample = unpack_sample(row.tobytes())
        assert board_of(sample).is_legal(move_of(sample))
    out.write_bytes(whole[:-700])
    assert data_command.main([*command, "-o", str(out)]) == 0
    assert out.read_bytes() == whole
    assert data_command.main([*command[:-4], "--nodes", "101", "-o", str(out)]) == 2
