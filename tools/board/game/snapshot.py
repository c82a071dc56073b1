"""A game on the board as an object for JSON, and back."""

from collections.abc import Sequence
from typing import Any

from bluekrait.search.library.position import Position
from bluekrait.tools.board.game.clocks import TimeControl
from bluekrait.tools.board.game.game_tree import GameTree, Node, Unshown
from bluekrait.tools.board.game.match_play import Ending, GameSettings, MatchPlay

FORMAT = 1


def snapshot(tree: GameTree, match: MatchPlay | None) -> dict[str, Any]:
    """All there is to a game: its positions, the rules that it is played by, and the clocks."""
    nodes = tree.nodes()
    places = {node.number: place for place, node in enumerate(nodes)}
    root = tree.root.position
    return {
        "format": FORMAT,
        "fen": root.fen,
        "chess960": root.chess960,
        "headers": tree.headers,
        "comment": tree.root.comment,
        "unshown": tree.root.unshown,
        "moves": [_move(node, places) for node in nodes[1:]],
        "kept": sum(not tree.is_tried(node) for node in nodes),
        "cursor": places[tree.cursor.number],
        "match": _match(match, places) if match else None,
    }


def _move(node: Node, places: dict[int, int]) -> list[Any]:
    assert node.parent
    return [places[node.parent.number], node.move, node.clock, node.comment, node.mark, node.unshown]


def _match(match: MatchPlay, places: dict[int, int]) -> dict[str, Any]:
    clocks = match.clocks
    return {
        "rules": [match.rules.human, match.rules.elo, match.rules.seconds],
        "time": match.rules.time,
        "tip": places[match.tip.number],
        "left": [clocks.left("white"), clocks.left("black")] if clocks else None,
        "given_up": match.given_up,
    }


def restored(fields: dict[str, Any]) -> tuple[GameTree, MatchPlay | None]:
    """The game of a snapshot; its clocks stand. ValueError if it is none."""
    try:
        if fields["format"] != FORMAT:
            raise ValueError("it was written by another version")
        tree = GameTree(Position(fields["fen"], chess960=bool(fields["chess960"])), dict(fields["headers"]))
        nodes, kept = [tree.root], fields.get("kept", len(fields["moves"]) + 1)  # earlier versions kept all
        tree.root.comment = str(fields["comment"])
        tree.root.unshown = _unshown(fields.get("unshown", ()))
        for parent, move, clock, comment, mark, *unshown in fields["moves"]:
            node = tree.add(nodes[parent], move)
            node.clock, node.comment, node.mark = clock, comment, mark
            node.unshown = _unshown(*unshown)
            nodes.append(node)
            if len(nodes) == kept:
                tree.keep_moves()  # those that follow were only tried
        tree.cursor = nodes[fields["cursor"]]
        return tree, _restored_match(tree, nodes, fields["match"])
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"this is no game: {error}") from None


def _unshown(fields: Sequence[Any] = ()) -> Unshown:
    """Games that earlier versions kept have none."""
    known = Unshown(*fields)
    return known._replace(nags=tuple(known.nags))


def _restored_match(tree: GameTree, nodes: list[Node], fields: dict[str, Any] | None) -> MatchPlay | None:
    if fields is None:
        return None
    time = TimeControl(*fields["time"]) if fields["time"] else None
    human, elo, seconds = fields["rules"]
    match = MatchPlay(tree, GameSettings(human, elo, seconds, time))
    match.tip = nodes[fields["tip"]]
    match.given_up = Ending(*fields["given_up"]) if fields["given_up"] else None
    if match.clocks:
        match.clocks.set(*fields["left"])
    return match
