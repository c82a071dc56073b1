"""Requests about the game on the board: moves, another position, and games that begin or end."""

from collections.abc import Sequence

from bluekrait.search.library.position import Position
from bluekrait.tools.board.game.game_tree import GameTree, Node
from bluekrait.tools.board.game.match_play import MatchPlay
from bluekrait.tools.board.game.typed_move import typed_move
from bluekrait.tools.board.messages.new_games import position_of, rules_in, starting_position
from bluekrait.tools.board.messages.requests import MOST_NUMBERS, BadRequest, Request
from bluekrait.tools.board.visitor.game_session import GameSession


async def move(session: GameSession, request: Request) -> None:
    """A move at a node, as it was typed, or as squares."""
    node = session.tree.node(request.whole("at", 0, MOST_NUMBERS))
    text = request.text("move", 20)
    match = session.match
    if match and (node is not match.tip or match.ending or match.is_engines_turn):
        await session.tell_game()  # the page was late
        return
    node = _known(node)
    if not match:
        await _try(session, node, [typed_move(node.position, text)])
        return
    added = typed_move(node.position, text)  # a ValueError before anything is stopped
    await session.thinker.stop()
    if not match.check_flag():
        match.play(added)
    await session.go_on()


async def moves(session: GameSession, request: Request) -> None:
    """Several moves of a line, at a node; only while studying."""
    if session.match:
        raise BadRequest("a game is being played: only its next move can be made")
    node = _known(session.tree.node(request.whole("at", 0, MOST_NUMBERS)))
    await _try(session, node, request.text("moves", 2000).split())


async def go(session: GameSession, request: Request) -> None:
    """Show another position of the game."""
    session.tree.cursor = _known(session.tree.node(request.whole("node", 0, MOST_NUMBERS)))
    if session.is_engines_turn:
        await session.tell_game()  # the engine goes on thinking
    else:
        await session.thinker.stop()
        await session.go_on()


async def take_back(session: GameSession, request: Request) -> None:
    """Take back the last move of a game that is played, or of a study."""
    await session.thinker.stop()
    (session.match or session.tree).take_back()
    await session.go_on()


async def new(session: GameSession, request: Request) -> None:
    """A new game: from a FEN, a position of Chess960, or the starting position."""
    rules = rules_in(request)
    tree = GameTree(starting_position(request))
    await session.thinker.stop()
    session.place(tree, MatchPlay(tree, rules))
    await session.go_on()


async def set_up(session: GameSession, request: Request) -> None:
    """A position to study."""
    tree = GameTree(position_of(request.text("fen")))
    await session.thinker.stop()
    session.place(tree)
    await session.go_on()


async def play_on(session: GameSession, request: Request) -> None:
    """Play a game from the position on the board."""
    rules = rules_in(request)
    await session.thinker.stop()
    here = session.tree.cursor.position
    tree = GameTree(Position(here.fen, chess960=here.chess960))
    session.place(tree, MatchPlay(tree, rules))
    await session.go_on()


async def study(session: GameSession, request: Request) -> None:
    """End the game, and look at it."""
    await session.thinker.stop()
    if session.match:
        session.match.sign()
        session.tree.keep_moves()
    session.match = None
    await session.go_on()


async def move_now(session: GameSession, request: Request) -> None:
    """Let the engine move at once."""
    if not session.is_engines_turn:
        return
    if session.thinker.is_busy:
        session.thinker.hurry()
    else:  # it could not think before
        await session.go_on()


async def resign(session: GameSession, request: Request) -> None:
    """The visitor gives up."""
    if not session.match:
        raise BadRequest("no game is being played")
    await session.thinker.stop()
    session.match.resign()
    await session.go_on()


async def _try(session: GameSession, node: Node, texts: Sequence[str]) -> None:
    """Make moves of a study. A ValueError comes before anything is changed or stopped."""
    last = session.tree.add_line(node, texts)
    await session.thinker.stop()
    session.tree.cursor = last
    await session.go_on()


def _known(node: Node | None) -> Node:
    """A node that the page asks for, unless it has been removed."""
    if node is None:
        raise BadRequest("that position is not there any more")
    return node
