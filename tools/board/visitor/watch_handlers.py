"""The request for a game of the work that is watched."""

import asyncio

from bluekrait.tools.board.game.pgn import list_games
from bluekrait.tools.board.messages.requests import MOST_NUMBERS, BadRequest, Request
from bluekrait.tools.board.visitor.file_handlers import set_list, show
from bluekrait.tools.board.visitor.game_session import GameSession


async def open_watched(session: GameSession, request: Request) -> None:
    """One of the games of the work that is watched, by its number.

    A page that follows the work takes nothing from the board that is the visitor's own.
    """
    if request.has("follow") and _is_own_game(session):
        return
    games = session.watch.view.games if session.watch and session.watch.view else ()
    number = request.whole("number", 0, MOST_NUMBERS)
    game = next((game for game in games if game.number == number), None)
    if not game:
        raise BadRequest(f"game {number} is not among the latest of the work that is watched")
    text = await asyncio.to_thread(game.pgn)
    await show(session, list_games(text)[0], at_end=True)
    session.watched = session.tree
    await set_list(session, [])


def _is_own_game(session: GameSession) -> bool:
    """True unless the board shows a game that is watched, or one that has no move yet."""
    tree = session.tree
    if tree is session.watched:
        return any(tree.is_tried(node) for node in tree.nodes())
    return not session.match or bool(tree.root.children)
