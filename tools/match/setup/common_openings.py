"""The openings of a match without --openings: well-known lines, a few moves each."""

from collections.abc import Sequence

from bluekrait.tools.match.setup.opening_files import START, Opening

LINES = """\
e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7
e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4
e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6
e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5 d5
e4 e5 Nf3 Nc6 d4 exd4 Nxd4 Nf6
e4 e5 Nf3 Nc6 Nc3 Nf6
e4 e5 Nf3 Nf6 Nxe5 d6 Nf3 Nxe4
e4 e5 Nf3 d6 d4 exd4 Nxd4 Nf6
e4 e5 f4 exf4 Nf3 g5
e4 e5 Nc3 Nf6 f4 d5
e4 e5 Bc4 Nf6 d3 c6
e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6
e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6
e4 c5 Nf3 d6 Bb5+ Bd7 Bxd7+ Qxd7
e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5
e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 g6
e4 c5 Nf3 Nc6 Bb5 g6
e4 c5 Nf3 e6 d4 cxd4 Nxd4 a6
e4 c5 Nf3 e6 d4 cxd4 Nxd4 Nc6
e4 c5 Nc3 Nc6 g3 g6
e4 c5 c3 d5 exd5 Qxd5
e4 c5 d4 cxd4 c3 dxc3
e4 e6 d4 d5 Nc3 Bb4 e5 c5
e4 e6 d4 d5 Nc3 Nf6 Bg5 Be7
e4 e6 d4 d5 Nd2 c5
e4 e6 d4 d5 e5 c5 c3 Nc6
e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5
e4 c6 d4 d5 e5 Bf5
e4 c6 d4 d5 exd5 cxd5 c4 Nf6
e4 d5 exd5 Qxd5 Nc3 Qa5
e4 d6 d4 Nf6 Nc3 g6
e4 Nf6 e5 Nd5 d4 d6
e4 g6 d4 Bg7 Nc3 d6
d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7
d4 d5 c4 e6 Nc3 c5 cxd5 exd5
d4 d5 c4 c6 Nf3 Nf6 Nc3 dxc4
d4 d5 c4 c6 Nf3 Nf6 Nc3 e6
d4 d5 c4 dxc4 Nf3 Nf6
d4 d5 c4 e5 dxe5 d4
d4 d5 Nf3 Nf6 Bf4 c5
d4 d5 Nf3 Nf6 e3 e6 Bd3 c5
d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O
d4 Nf6 c4 e6 Nc3 Bb4 Qc2 O-O
d4 Nf6 c4 e6 Nf3 b6 g3 Ba6
d4 Nf6 c4 e6 g3 d5 Bg2 Be7
d4 Nf6 c4 g6 Nc3 Bg7 e4 d6
d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5
d4 Nf6 c4 c5 d5 e6 Nc3 exd5
d4 Nf6 c4 c5 d5 b5
d4 Nf6 c4 e5 dxe5 Ng4
d4 Nf6 Bg5 e6 e4 h6
d4 f5 g3 Nf6 Bg2 g6
d4 f5 c4 Nf6 Nc3 e6
c4 e5 Nc3 Nf6 Nf3 Nc6
c4 c5 Nf3 Nf6 Nc3 Nc6
c4 e6 Nf3 d5 g3 Nf6
c4 Nf6 Nc3 g6 g3 Bg7
Nf3 d5 g3 Nf6 Bg2 c6
Nf3 Nf6 c4 g6 b3 Bg7
Nf3 d5 c4 d4
b3 e5 Bb2 Nc6
f4 d5 Nf3 g6
g3 d5 Bg2 e5
Nc3 d5 e4 d4
"""


def common_openings() -> tuple[Opening, ...]:
    """All lines, as openings."""
    return tuple(_opening(line.split()) for line in LINES.splitlines())


def _opening(moves: Sequence[str]) -> Opening:
    board = Opening(START).board()
    return Opening(START, tuple(board.push_san(move).uci() for move in moves))
