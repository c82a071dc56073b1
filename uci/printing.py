"""How positions, moves and counts look in print."""

from bluekrait.core.notation.san_and_uci import describe_kind, move_to_uci


def move_text(engine, move):
    """The move as the GUI wants it spelled."""
    return move_to_uci(move, engine.position.ply & 1, engine.chess960)


def root_count_text(engine, move, nodes):
    """A root move and the leaves below it, as Stockfish prints them."""
    return f"{move_text(engine, move)}: {nodes}"


def total_text(nodes):
    """The end of a perft, as Stockfish prints it."""
    return f"\nNodes searched: {nodes}\n"


def position_text(description, chess960):
    """The board and what identifies it, under the labels that scripts know from Stockfish."""
    fen = description.shredder if chess960 else description.fen
    checkers = " ".join(description.checkers)
    rows = [("Fen", fen), ("Key", f"{description.key:016X}"), ("Checkers", checkers)]
    if description.repetitions:
        rows.append(("Occurred before", description.repetitions))
    return f"\n{description.diagram}\n\n" + "\n".join(f"{name}: {value}" for name, value in rows)


def moves_text(engine):
    """The legal moves, one to a line, sorted by kind."""
    kinds = {}
    for move in engine.legal_moves():
        kind = describe_kind(move)
        kinds.setdefault(kind, []).append(f"{kind}: {move_text(engine, move)}")
    lines = [line for group in kinds.values() for line in group]
    return "\n".join([*lines, f"{len(lines)} legal moves"])


def evaluation_text(rows, score, turn):
    """Names, and the points of White, Black and both in the middle game and in the end game."""
    named = [(name, _seen_by_white(points, turn)) for name, *points in rows]
    total = ("total", [sum(column) for column in zip(*(points for _, points in named), strict=True)])
    width = max(len(name) for name, _ in [*named, total])
    header = f"{'':{width}}      White         Black          Both"
    lines = [f"{name:{width}} {_points_text(points)}" for name, points in [*named, total]]
    sides = ("White", "Black")
    verdict = f"Final evaluation: {score:+} for {sides[turn]}, who is to move"
    return "\n".join([header, *lines, "", verdict])


def _seen_by_white(points, turn):
    """Middle-game and end-game points of White, then of Black, out of those of the side to move first."""
    return points[2:] + points[:2] if turn else points


def _points_text(points):
    white_middle, white_end, black_middle, black_end = points
    pairs = [(white_middle, white_end), (black_middle, black_end)]
    pairs.append((white_middle - black_middle, white_end - black_end))
    return " ".join(f"{middle:6} {end:6}" for middle, end in pairs)


def table_text(rows):
    """Names and values in two columns."""
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:{width}}  {value}" for name, value in rows)
