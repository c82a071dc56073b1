"""`eval`: a table of the terms of the evaluation."""

import re

import chess
import pytest

POSITIONS = [
    chess.STARTING_FEN,
    "r1bq1rk1/ppp1npbp/3p1np1/3Pp3/2P1P3/2N2N2/PP2BPPP/R1BQ1RK1 w - - 1 9",
    "6k1/5p2/3bp1pp/1q1p4/3P1P2/2Q1BNPP/5K2/8 b - - 3 38",
    "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
]


def table(engine, board):
    """The rows by name, each with six numbers, and the line that sums them up."""
    lines = engine.ask(f"position fen {board.fen()}", "eval")
    end = next(place for place, line in enumerate(lines) if line.startswith("Classical evaluation"))
    header, *rows, empty, verdict = lines[: end + 1]  # the network's part follows, if there is a network
    assert header.split() == ["White", "Black", "Both"]
    assert empty == ""
    split = [re.fullmatch(r"(\S.*?)((?: +-?\d+){6})", row).groups() for row in rows]
    return {name: [int(number) for number in numbers.split()] for name, numbers in split}, verdict


@pytest.mark.parametrize("fen", POSITIONS)
def test_terms_add_up_to_the_total(talk, fen):
    rows, verdict = table(talk(), chess.Board(fen))
    total = rows.pop("total")
    assert total == [sum(column) for column in zip(*rows.values(), strict=True)]
    for white_middle, white_end, black_middle, black_end, middle, end in rows.values():
        assert (middle, end) == (white_middle - black_middle, white_end - black_end)
    score = int(
        re.fullmatch(r"Classical evaluation: ([+-]\d+) for (White|Black), who is to move", verdict)[1]
    )
    sign = 1 if " w " in fen else -1
    low, high = sorted((sign * total[4], sign * total[5]))
    assert min(low, 0) <= score <= max(high, 0)


@pytest.mark.parametrize("fen", POSITIONS)
def test_mirrored_position_exchanges_the_columns(talk, fen):
    engine = talk()
    rows, verdict = table(engine, chess.Board(fen))
    mirrored, mirrored_verdict = table(engine, chess.Board(fen).mirror())
    for name, (white_middle, white_end, black_middle, black_end, *_) in rows.items():
        assert mirrored[name][:4] == [black_middle, black_end, white_middle, white_end]
    assert mirrored_verdict.split()[2] == verdict.split()[2]
