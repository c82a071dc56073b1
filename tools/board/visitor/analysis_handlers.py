"""Requests about the analysis: how many lines are shown, and the evaluation by term."""

from bluekrait.tools.board.messages.requests import Request
from bluekrait.tools.board.visitor.game_session import GameSession

MOST_LINES = 5


async def analyse(session: GameSession, request: Request) -> None:
    """Show so many lines; 0 ends the analysis."""
    session.lines = request.whole("lines", 0, MOST_LINES)
    await _begin_again(session)


async def terms(session: GameSession, request: Request) -> None:
    """Show the evaluation by term, or do not."""
    session.with_terms = request.switch("on")
    await _begin_again(session)


async def _begin_again(session: GameSession) -> None:
    """Analyse anew, unless the engine is choosing its move: then the page says so."""
    if session.is_engines_turn:
        await session.tell_game()
    else:
        await session.thinker.stop()
        await session.go_on()
