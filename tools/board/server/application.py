"""The web application: the files of the page, and the websocket over which page and engine talk."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from bluekrait.search.library.compiled import entries
from bluekrait.tools.board.server.connection import FULL, Connection
from bluekrait.tools.board.server.gate import HEADERS, Gate
from bluekrait.tools.board.server.visitors import TooManyVisitors, Visitors
from bluekrait.uci import __version__

STATIC = Path(__file__).parents[1] / "static"
INDEX = "index.html"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}

LOADING = "the engine is being compiled for this processor: about a minute, and only once"
SECONDS_UNTIL_TOLD = 1.0  # that it is still being loaded


class Application:
    """What is asked for by the address of the page, and below it."""

    def __init__(self, gate: Gate, visitors: Visitors) -> None:
        self._gate, self._visitors = gate, visitors
        self._loading: asyncio.Future[None]  # the engine; begun with the server
        self._files = {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()}

    def asgi(self) -> Starlette:
        """What uvicorn runs."""
        routes = [
            WebSocketRoute("/{token}/talk", self.talk),
            Route("/{token}/{name:path}", self.file, methods=["GET"]),
            Route("/{rest:path}", self._nothing),
        ]
        return Starlette(routes=routes, lifespan=self._lifespan)

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        self._loading = _load_engine()  # while the browser starts
        caring = asyncio.create_task(self._visitors.care())
        try:
            yield
        finally:
            caring.cancel()
            await self._visitors.close()

    async def file(self, request: Request) -> Response:
        """A file of the page."""
        if not self._gate.admits_request(request.path_params["token"], request.headers):
            return await self._nothing(request)
        name = request.path_params["name"] or INDEX
        if name not in self._files:
            return PlainTextResponse("there is no such file", 404, HEADERS)
        path = STATIC / name
        return Response(path.read_bytes(), headers={**HEADERS, "Content-Type": TYPES[path.suffix]})

    async def _nothing(self, request: Request) -> Response:
        text = "Open the address that `bluekrait play` has printed, by hand and not by a link."
        return PlainTextResponse(text, 403, HEADERS)

    async def talk(self, socket: WebSocket) -> None:
        """Talk with a page until it goes."""
        if not self._gate.admits_connection(socket.path_params["token"], socket.headers):
            await socket.close()  # before it is accepted: the browser gets an error
            return
        await socket.accept()
        connection = Connection(socket)
        if not await self._has_engine(socket, connection):
            return
        try:
            visitor = await self._visitors.visitor(socket.query_params.get("visitor"))
        except TooManyVisitors:
            await connection.close(FULL)
            return
        await connection.send(self._welcome(visitor.name))
        await visitor.enter(connection)
        try:
            while True:
                await visitor.handle(await socket.receive_text())
        except (WebSocketDisconnect, RuntimeError, KeyError):  # gone, or it sent bytes instead of text
            await connection.close()
        finally:
            await visitor.leave(connection)

    async def _has_engine(self, socket: WebSocket, connection: Connection) -> bool:
        """Wait until the engine is compiled, and say so if it takes long; False if the page goes before."""
        if not self._loading.done():
            gone = asyncio.create_task(_until_gone(socket))
            waiting = partial(asyncio.wait, [self._loading, gone], return_when=asyncio.FIRST_COMPLETED)
            done, _ = await waiting(timeout=SECONDS_UNTIL_TOLD)
            if not done:
                await connection.send({"say": "loading", "text": LOADING})
                await waiting()
            gone.cancel()
            if not self._loading.done():
                return False
        self._loading.result()  # an error, if there was one
        return True

    def _welcome(self, visitor: str) -> dict[str, Any]:
        return {"say": "welcome", "visitor": visitor, "version": __version__}


async def _until_gone(socket: WebSocket) -> None:
    """Wait until a page is gone. What it asks for before it is welcomed is dropped."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


def _load_engine() -> "asyncio.Future[None]":
    """Load the engine, or compile it, in a thread for which the end of the program does not wait."""
    loop = asyncio.get_running_loop()
    loading: asyncio.Future[None] = loop.create_future()

    def load() -> None:
        try:
            entries()
        except Exception as error:
            outcome = partial(loading.set_exception, error)
        else:
            outcome = partial(loading.set_result, None)
        with suppress(RuntimeError):  # the program has ended meanwhile, and its loop is closed
            loop.call_soon_threadsafe(outcome)

    threading.Thread(target=load, daemon=True).start()
    return loading
