"""`bluekrait play`: a board in the browser, to play against the engine and to analyse with it."""

import argparse
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from bluekrait.tools.board.engines import Engines
from bluekrait.tools.board.gate import LOOPBACK, Gate
from bluekrait.tools.board.live.watch import Watch
from bluekrait.tools.board.server import Server
from bluekrait.tools.board.visitors import Visitors
from bluekrait.tools.common.command_line import Parser, add_number, positive
from bluekrait.tools.common.errors import CommandError, with_errors_reported
from bluekrait.uci.exits import SUCCESS

PROGRAM = "bluekrait play"
HASH_MB, ENGINES, IDLE_MINUTES = 64, 4, 15.0
HIGHEST_PORT = 65535
LONGEST_MESSAGE = 5_000_000  # bytes: a PGN file
SECONDS_TO_END = 1  # that open pages are given when the server ends

EXAMPLES = """\
examples:
  open the board in the browser
    bluekrait play
  only print its address, with a port of your choice
    bluekrait play --port 8080 --no-browser
  show how a match, a test, a tuning or the generation of data goes on, by the file that it writes
    bluekrait play --live sprt.pgn
    bluekrait play --live tuning.jsonl

The page can be reached from this machine only, and only by the address that is printed: it contains a
secret. Each page has an engine of its own. Games live in this program: a page that is loaded again goes on
where it was. Ctrl-C ends everything.

exit code: 0 or 130 ended by the user, 1 the port is in use, 2 wrong arguments
"""


@with_errors_reported(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Serve the page until the user ends it; the exit code."""
    options = _parser().parse_args(arguments)
    watch = watch_of(options)
    with _listening(options.port) as listener:
        gate = Gate(listener.getsockname()[1])
        print(f"{gate.address}\nOpen this address in a browser of this machine; Ctrl-C ends.", flush=True)
        if not options.no_browser:
            threading.Thread(target=webbrowser.open, args=(gate.address,), daemon=True).start()
        server_for(gate, options, watch).run(sockets=[listener])
    return SUCCESS


def watch_of(options: argparse.Namespace) -> Watch | None:
    """The watch over the work that the page shows, if any."""
    if not options.live:
        return None
    from bluekrait.tools.board.live.files import work_at  # the board alone starts sooner

    return Watch(work_at(options.live))


def server_for(gate: Gate, options: argparse.Namespace, watch: Watch | None = None) -> uvicorn.Server:
    """The server behind a gate."""
    engines = Engines(options.engines, options.hash, options.threads)
    server = Server(gate, Visitors(engines, 60 * options.idle, watch))
    return uvicorn.Server(
        uvicorn.Config(
            server.application(),
            log_level="error",
            access_log=False,
            server_header=False,
            ws=WebSocketsSansIOProtocol,
            ws_max_size=LONGEST_MESSAGE,
            timeout_graceful_shutdown=SECONDS_TO_END,
        )
    )


def _listening(port: int) -> socket.socket:
    """A socket that waits for browsers of this machine; port 0 is any that is free."""
    try:
        return socket.create_server((LOOPBACK, port))
    except OSError as error:
        raise CommandError(f"port {port} cannot be used: {error.strerror}") from None


def _parser() -> Parser:
    parser = Parser(
        prog=PROGRAM,
        description="Open a board in the browser: play against the engine at any strength, and analyse.",
        epilog=EXAMPLES,
    )
    parser.add_argument("--port", type=_port, default=0, metavar="P", help="the port (one that is free)")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    live = "also show running work, by its file: of match, sprt, tune search, tune network (folder), datagen"
    parser.add_argument("--live", metavar="FILE", help=live)
    add_number(parser, "--hash", HASH_MB, "megabytes of each engine's transposition table")
    add_number(parser, "--threads", 1, "threads that each engine searches with")
    add_number(parser, "--engines", ENGINES, "engines at the same time, one for each page that is in use")
    idle = f"minutes of silence after which the engine of a page is released ({IDLE_MINUTES:g})"
    parser.add_argument("--idle", type=positive, default=IDLE_MINUTES, metavar="MINUTES", help=idle)
    return parser


def _port(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else HIGHEST_PORT + 1
    if number > HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to {HIGHEST_PORT}")
    return number


if __name__ == "__main__":
    sys.exit(main())
