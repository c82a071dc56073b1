"""The server with all its parts, ready to run."""

from typing import NamedTuple

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from bluekrait.tools.board.live.watch import Watch
from bluekrait.tools.board.live.work import Work
from bluekrait.tools.board.server.application import Application
from bluekrait.tools.board.server.gate import Gate
from bluekrait.tools.board.server.visitors import Visitors
from bluekrait.tools.board.visitor.engines import Engines
from bluekrait.tools.board.visitor.file_handlers import LONGEST_PGN
from bluekrait.tools.board.visitor.kept_games import KeptGames

LONGEST_MESSAGE = 4 * LONGEST_PGN  # bytes: letters may take several
SECONDS_TO_END = 1  # that open pages are given when the server ends


class EngineBounds(NamedTuple):
    """How much the engines of all visitors may take."""

    engines: int
    hash_mb: int
    threads: int
    idle_seconds: float


def server_for(gate: Gate, bounds: EngineBounds, work: Work | None, kept: KeptGames | None) -> uvicorn.Server:
    """The server behind a gate; it also shows running work, and keeps games, if it is given them."""
    engines = Engines(bounds.engines, bounds.hash_mb, bounds.threads)
    visitors = Visitors(engines, bounds.idle_seconds, Watch(work) if work else None, kept)
    return uvicorn.Server(
        uvicorn.Config(
            Application(gate, visitors).asgi(),
            log_level="error",
            access_log=False,
            use_colors=False,  # else it asks whether standard output is a terminal, and that may be closed
            server_header=False,
            ws=WebSocketsSansIOProtocol,
            ws_per_message_deflate=False,
            ws_max_size=LONGEST_MESSAGE,
            timeout_graceful_shutdown=SECONDS_TO_END,
        )
    )
