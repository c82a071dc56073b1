"""What the page is told, as objects for JSON. The page knows no rules: what depends on them stands here."""

from collections.abc import Sequence
from typing import Any

from bluekrait.search.library.position import Position
from bluekrait.search.library.results import Evaluation, Line
from bluekrait.tools.analyst.game_search import final_outcome
from bluekrait.tools.board.game.game_tree import GameTree, Node
from bluekrait.tools.board.game.match_play import BLACK, WHITE, MatchPlay

ROOK_SQUARES = {"e1g1": "h1", "e1c1": "a1", "e8g8": "h8", "e8c8": "a8"}  # of castling, by the king's way


def notice(text: str, about: str | None = None) -> dict[str, Any]:
    """A line for the user; `about` is the request that it refuses, if it does so."""
    return {"say": "notice", "text": text, "about": about}


def game_view(tree: GameTree, match: MatchPlay | None, lines: int, with_terms: bool) -> dict[str, Any]:
    """All that the page shows of the game. `match` is None where a game is only looked at."""
    cursor = tree.cursor
    can_move = not match or (cursor is match.tip and not match.ending and not match.is_engines_turn)
    outcome = match.ending if match else cursor.position.outcome
    return {
        "say": "game",
        **_place_view(cursor),
        **(_moves_view(cursor.position) if can_move else {"destinations": {}, "promotions": []}),
        "start": tree.root.number,
        "moves": [_move_view(node) for node in tree.line()],
        "chess960": cursor.position.chess960,
        "outcome": outcome._asdict() if outcome else None,
        "headers": tree.headers,
        "match": _match_view(match) if match else None,
        "analysis": {"lines": lines, "terms": with_terms},
    }


def _match_view(match: MatchPlay) -> dict[str, Any]:
    """The rules of a game that is being played, whose turn it is, and the clocks."""
    rules, clocks = match.rules, match.clocks
    times = clocks and {"white": clocks.left(WHITE), "black": clocks.left(BLACK), "running": clocks.running}
    return {
        "human": rules.human,
        "elo": rules.elo,
        "thinking": match.is_engines_turn,
        "tip": match.tip.number,
        "can_take_back": match.before_last_move is not None,
        "clocks": times,
    }


def _moves_view(position: Position) -> dict[str, Any]:
    """The legal moves as the board needs them: squares by squares, and which of them promote."""
    destinations: dict[str, list[str]] = {}
    promotions: dict[str, None] = {}
    for move in position.legal_moves:
        start, end = move[:2], move[2:4]
        ends = destinations.setdefault(start, [])
        if move[4:]:
            promotions[start + end] = None
        if end not in ends:
            ends.append(end)
        if not position.chess960 and move in ROOK_SQUARES and move.san.startswith("O-O"):
            ends.append(ROOK_SQUARES[move])  # to move the king upon the rook is understood, too
    return {"destinations": destinations, "promotions": list(promotions)}


def _move_view(node: Node) -> dict[str, Any]:
    assert node.parent
    view: dict[str, Any] = {
        "node": node.number,
        "ply": node.ply - 1,  # that of the position before the move
        "san": node.san,
        "mark": node.mark,
    }
    others = [other for other in node.parent.children if other is not node]
    if others:
        view["others"] = [{"node": other.number, "san": other.san} for other in others]
    return view


def _place_view(node: Node) -> dict[str, Any]:
    """The position on the board."""
    position = node.position
    move = node.move
    final = final_outcome(position)
    return {
        "node": node.number,
        "fen": position.fen,
        "turn": position.turn,
        "check": position.is_check,
        "final": final.result if final else None,  # then there is nothing to analyse
        "last": [move[:2], move[2:4]] if move else [],
        "comment": node.comment,
        "mark": node.mark,
    }


def lines_view(lines: Sequence[Line], is_running: bool) -> dict[str, Any]:
    """The best lines of an analysis, so far."""
    first = lines[0]
    seconds = first.seconds
    return {
        "say": "lines",
        "fen": first.position.fen,
        "ply": first.position.value.ply,
        "running": is_running,
        "depth": first.depth,
        "nodes": first.nodes,
        "speed": round(first.nodes / seconds) if seconds else 0,
        "lines": [_line_view(line) for line in lines],
    }


def _line_view(line: Line) -> dict[str, Any]:
    chances = line.chances
    if line.position.turn == "black":
        chances = chances._replace(win=chances.loss, loss=chances.win)
    return {
        "rank": line.rank,
        "depth": line.depth,
        "score": str(line.white_score),
        "chances": chances,
        "bar": round(chances.expectation, 4),
        "moves": [{"uci": str(move), "san": move.san} for move in line.moves],
    }


def evaluation_view(evaluation: Evaluation, position: Position) -> dict[str, Any]:
    """The evaluation by term, from White's view, in centipawns."""
    is_black = position.turn == "black"
    sign = -1 if is_black else 1
    terms = []
    for term in evaluation.terms.values():
        white, black = (term.enemy, term.own) if is_black else (term.own, term.enemy)
        terms.append({"name": term.name, "white": white, "black": black})
    network = evaluation.network
    return {
        "say": "evaluation",
        "fen": position.fen,
        "score": sign * evaluation.score,
        "classical": sign * evaluation.classical,
        "network": None if network is None else sign * network,
        "terms": terms,
        "worths": {square: sign * worth for square, worth in evaluation.worths.items()},
    }
