"""Names of openings by their first moves: a small table, not an encyclopedia."""

from collections.abc import Iterable
from itertools import islice

# One opening a line: name, colon, moves. A longer sequence is a more exact name.
TABLE = """
King's Pawn Game: e4
Sicilian Defence: e4 c5
Sicilian Defence, Alapin: e4 c5 c3
Sicilian Defence, Closed: e4 c5 Nc3
Sicilian Defence, Najdorf: e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6
Sicilian Defence, Dragon: e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6
Sicilian Defence, Scheveningen: e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 e6
Sicilian Defence, Classical: e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 Nc6
Sicilian Defence, Moscow: e4 c5 Nf3 d6 Bb5+
Sicilian Defence, Rossolimo: e4 c5 Nf3 Nc6 Bb5
Sicilian Defence, Sveshnikov: e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5
Sicilian Defence, Kan: e4 c5 Nf3 e6 d4 cxd4 Nxd4 a6
Sicilian Defence, Taimanov: e4 c5 Nf3 e6 d4 cxd4 Nxd4 Nc6
French Defence: e4 e6
French Defence, Advance: e4 e6 d4 d5 e5
French Defence, Exchange: e4 e6 d4 d5 exd5
French Defence, Tarrasch: e4 e6 d4 d5 Nd2
French Defence, Winawer: e4 e6 d4 d5 Nc3 Bb4
French Defence, Classical: e4 e6 d4 d5 Nc3 Nf6
Caro-Kann Defence: e4 c6
Caro-Kann Defence, Advance: e4 c6 d4 d5 e5
Caro-Kann Defence, Exchange: e4 c6 d4 d5 exd5 cxd5
Caro-Kann Defence, Classical: e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5
Scandinavian Defence: e4 d5
Pirc Defence: e4 d6
Modern Defence: e4 g6
Alekhine's Defence: e4 Nf6
Nimzowitsch Defence: e4 Nc6
Open Game: e4 e5
Vienna Game: e4 e5 Nc3
King's Gambit: e4 e5 f4
King's Gambit Accepted: e4 e5 f4 exf4
Bishop's Opening: e4 e5 Bc4
Centre Game: e4 e5 d4 exd4 Qxd4
Danish Gambit: e4 e5 d4 exd4 c3
Philidor Defence: e4 e5 Nf3 d6
Petrov's Defence: e4 e5 Nf3 Nf6
Latvian Gambit: e4 e5 Nf3 f5
Scotch Game: e4 e5 Nf3 Nc6 d4
Ponziani Opening: e4 e5 Nf3 Nc6 c3
Three Knights Game: e4 e5 Nf3 Nc6 Nc3
Four Knights Game: e4 e5 Nf3 Nc6 Nc3 Nf6
Italian Game: e4 e5 Nf3 Nc6 Bc4
Giuoco Piano: e4 e5 Nf3 Nc6 Bc4 Bc5
Evans Gambit: e4 e5 Nf3 Nc6 Bc4 Bc5 b4
Two Knights Defence: e4 e5 Nf3 Nc6 Bc4 Nf6
Ruy Lopez: e4 e5 Nf3 Nc6 Bb5
Ruy Lopez, Berlin: e4 e5 Nf3 Nc6 Bb5 Nf6
Ruy Lopez, Exchange: e4 e5 Nf3 Nc6 Bb5 a6 Bxc6
Ruy Lopez, Morphy: e4 e5 Nf3 Nc6 Bb5 a6 Ba4
Ruy Lopez, Closed: e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7
Ruy Lopez, Open: e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Nxe4
Queen's Pawn Game: d4
Closed Game: d4 d5
London System: d4 d5 Bf4
London System: d4 d5 Nf3 Nf6 Bf4
London System: d4 Nf6 Nf3 e6 Bf4
London System: d4 Nf6 Bf4
Trompowsky Attack: d4 Nf6 Bg5
Queen's Gambit: d4 d5 c4
Queen's Gambit Accepted: d4 d5 c4 dxc4
Queen's Gambit Declined: d4 d5 c4 e6
Queen's Gambit Declined, Exchange: d4 d5 c4 e6 Nc3 Nf6 cxd5 exd5
Tarrasch Defence: d4 d5 c4 e6 Nc3 c5
Slav Defence: d4 d5 c4 c6
Semi-Slav Defence: d4 d5 c4 c6 Nc3 Nf6 Nf3 e6
Albin Countergambit: d4 d5 c4 e5
Chigorin Defence: d4 d5 c4 Nc6
Catalan Opening: d4 Nf6 c4 e6 g3
Nimzo-Indian Defence: d4 Nf6 c4 e6 Nc3 Bb4
Queen's Indian Defence: d4 Nf6 c4 e6 Nf3 b6
Bogo-Indian Defence: d4 Nf6 c4 e6 Nf3 Bb4+
King's Indian Defence: d4 Nf6 c4 g6 Nc3 Bg7
Grünfeld Defence: d4 Nf6 c4 g6 Nc3 d5
Modern Benoni: d4 Nf6 c4 c5 d5 e6
Benko Gambit: d4 Nf6 c4 c5 d5 b5
Budapest Gambit: d4 Nf6 c4 e5
Old Indian Defence: d4 Nf6 c4 d6
Dutch Defence: d4 f5
Benoni Defence: d4 c5
English Opening: c4
English Opening, Reversed Sicilian: c4 e5
English Opening, Symmetrical: c4 c5
Réti Opening: Nf3
Réti Opening: Nf3 d5 c4
King's Indian Attack: Nf3 d5 g3
Bird's Opening: f4
Nimzowitsch-Larsen Attack: b3
Hungarian Opening: g3
Polish Opening: b4
Grob's Attack: g4
Van Geet Opening: Nc3
"""

_NAMES = {
    tuple(moves.split()): name
    for name, _, moves in (line.rpartition(":") for line in TABLE.strip().splitlines())
}
_LONGEST = max(map(len, _NAMES))


def opening_name(moves: Iterable[str]) -> str | None:
    """The name of the opening that a game from the starting position begins with, None for none."""
    played = tuple(islice(moves, _LONGEST))
    found = (_NAMES.get(played[:length]) for length in range(len(played), 0, -1))
    return next((name for name in found if name), None)
