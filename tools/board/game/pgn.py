"""Games in PGN, in and out, by python-chess. It is imported when needed: the first page does not wait."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, NamedTuple

from bluekrait.search.library.position import Position
from bluekrait.tools.board.game.game_tree import GameTree, Node, Unshown
from bluekrait.tools.common.pgn_splitter import GameText, games_in

if TYPE_CHECKING:
    import chess
    import chess.pgn

MOST_GAMES = 2000  # that a page lists
MARKS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}  # by their numbers in PGN
NUMBERS = {mark: number for number, mark in MARKS.items()}
COMMAND = re.compile(r"\[%\w+\s[^][]*\]")  # in comments, for programs
# A tag, or a result.
GAME_SIGN = re.compile(r'^[^\S\n]*\[\w+\s+"|(?:^|\s)(1-0|0-1|1/2-1/2|\*)\s*$', re.MULTILINE)
TAG = re.compile(r'^[ \t]*\[\s*(White|Black|Result)\s+"((?:[^"\\]|\\.)*)"\s*\]', re.MULTILINE)


class ListedGame(NamedTuple):
    """A game of a file, as it stands there, and its title."""

    source: GameText
    title: str


def list_games(text: str) -> list[ListedGame]:
    """The games of a text. ValueError if there is none, or too many."""
    games: list[ListedGame] = []
    for source in games_in(io.BytesIO(text.encode())):
        if len(games) == MOST_GAMES:
            raise ValueError(f"this page lists at most {MOST_GAMES} games")
        games.append(ListedGame(source, _title(source)))
    if not games:
        raise ValueError("there is no game in it")
    return games


def _title(source: GameText) -> str:
    tags = dict(TAG.findall(source.text))
    return f"{tags.get('White', '?')} – {tags.get('Black', '?')} {tags.get('Result', '')}".strip()


def open_game(source: GameText) -> GameTree:
    """The tree of a game. ValueError if it cannot be shown, with the reason."""
    from bluekrait.tools.analyst.played_game import read_game

    played = read_game(source)
    if not played.tree.variations and not GAME_SIGN.search(source.text):
        raise ValueError("there is no game in it")
    if played.problem:
        raise ValueError(f"game {source.number}: {played.problem}")
    board = played.tree.board()
    fen = board.shredder_fen(en_passant="fen") if board.chess960 else board.fen(en_passant="fen")
    headers = {tag: value for tag, value in played.tree.headers.items() if value not in ("?", "????.??.??")}
    tree = GameTree(Position(fen, chess960=board.chess960), headers)
    tree.root.comment, tree.root.unshown = _text(played.tree.comment), _unshown(played.tree, tree.root)
    waiting = [(move, tree.root, board) for move in reversed(played.tree.variations)]
    while waiting:
        source_node, parent, board = waiting.pop()  # what was played comes before the variations
        if not source_node.move:  # a null move, in a variation
            continue
        known = parent.children.copy()
        node = tree.add(parent, board.uci(source_node.move, chess960=True))  # right in every kind of chess
        if node in known:
            _join(node, source_node)
        else:
            _fill(node, source_node)
        board = _after(board, source_node.move)
        waiting += [(move, node, board) for move in reversed(source_node.variations)]
    tree.keep_moves()
    return tree


def _fill(node: Node, source: chess.pgn.ChildNode) -> None:
    """Take over what a file tells of a move."""
    from bluekrait.tools.common.pgn_trees import clock_of

    node.clock = clock_of(source)
    node.mark = _mark(source)
    node.comment = _text(source.comment)
    node.unshown = _unshown(source, node)


def _join(node: Node, source: chess.pgn.ChildNode) -> None:
    """Add what a variation tells of its first move, which is there already; a move keeps its own mark."""
    comments = (node.comment, _text(source.starting_comment), _text(source.comment))
    node.comment = " ".join(filter(None, comments))
    node.mark = node.mark or _mark(source)
    nags = {*node.unshown.nags, *(source.nags - MARKS.keys())}
    node.unshown = node.unshown._replace(nags=tuple(sorted(nags)))


def _mark(source: chess.pgn.ChildNode) -> str:
    return next((MARKS[number] for number in sorted(source.nags) if number in MARKS), "")


def _text(comment: str) -> str:
    """A comment, without what is for programs."""
    return COMMAND.sub("", comment).strip()


def write_game(tree: GameTree, result: str) -> str:
    """The PGN of a game with its variations, marks, comments and clocks."""
    import chess.pgn

    game, board = chess.pgn.Game(), tree.root.position.board().root()
    game.setup(board)  # the tags Variant, SetUp and FEN, where they are needed
    game.headers.update(tree.headers)
    game.headers["Result"] = result
    game.comment = _whole_comment(tree.root)
    waiting: list[tuple[Node, chess.pgn.GameNode, chess.Board]] = [(tree.root, game, board)]
    while waiting:
        node, target, board = waiting.pop()
        for child in node.children:
            move = board.parse_uci(child.move)
            added = target.add_variation(move, nags=_nags(child))
            added.starting_comment = child.unshown.opening
            if child.clock is not None:
                added.set_clock(child.clock)  # before there is another clock, which it would replace
            added.comment = " ".join(filter(None, (added.comment, _whole_comment(child))))
            waiting.append((child, added, _after(board, move)))
    return f"{game}\n"


def _unshown(source: chess.pgn.GameNode, node: Node) -> Unshown:
    """What a node has not taken from its source: a clock or a mark may be there, or not."""
    if node.clock is not None:
        source.set_clock(None)  # another clock in the comment stays
    commands = COMMAND.findall(source.comment)
    nags = tuple(sorted(source.nags - {NUMBERS.get(node.mark)}))
    return Unshown(source.starting_comment, " ".join(commands), nags)


def _whole_comment(node: Node) -> str:
    """But for the clock."""
    return " ".join(filter(None, (node.unshown.commands, node.comment)))


def _nags(node: Node) -> list[int]:
    return [NUMBERS[node.mark], *node.unshown.nags] if node.mark else list(node.unshown.nags)


def _after(board: chess.Board, move: chess.Move) -> chess.Board:
    after = board.copy(stack=False)
    after.push(move)
    return after
