"""Requests about PGN: read a file, open one of its games, and write the game on the board."""

import asyncio

from bluekrait.tools.board.game import pgn
from bluekrait.tools.board.game.match_play import UNKNOWN
from bluekrait.tools.board.messages.requests import BadRequest, Request
from bluekrait.tools.board.visitor.game_session import GameSession

LONGEST_PGN = 4_000_000  # letters


async def read(session: GameSession, request: Request) -> None:
    """The games of a PGN text; if it is one, it is opened at once."""
    text = request.text("pgn", LONGEST_PGN)
    listed = await asyncio.to_thread(pgn.list_games, text)
    if len(listed) == 1:
        await show(session, listed[0])
        await set_list(session, [])
    else:
        await set_list(session, listed)  # first: the others can be opened even if this one cannot
        await show(session, listed[0], opened=1)


async def open_listed(session: GameSession, request: Request) -> None:
    """One of the games that were read."""
    if not session.listed:
        raise BadRequest("no games were read")
    number = request.whole("number", 1, len(session.listed))
    await show(session, session.listed[number - 1], opened=number)


async def write(session: GameSession, request: Request) -> None:
    """The game as PGN, and the position as FEN."""
    tree = session.tree
    if session.match:
        session.match.sign()
    result = tree.headers.get("Result", UNKNOWN)
    outcome = [tree.root, *tree.root.continuation()][-1].position.outcome
    if result == UNKNOWN and outcome:
        result = outcome.result
    text = await asyncio.to_thread(pgn.write_game, tree, result)
    await session.page.say({"say": "written", "pgn": text, "fen": tree.cursor.position.fen})


async def show(
    session: GameSession, game: pgn.ListedGame, opened: int | None = None, at_end: bool = False
) -> None:
    """Put a game of a file on the board."""
    tree = await asyncio.to_thread(pgn.open_game, game.source)
    if at_end:
        tree.cursor = (tree.line() or [tree.root])[-1]
    await session.thinker.stop()
    session.place(tree, opened=opened)
    await session.go_on()


async def set_list(session: GameSession, games: list[pgn.ListedGame]) -> None:
    """Take the games of a file, of which none is on the board yet."""
    session.listed, session.opened = games, None
    await session.tell_list()
