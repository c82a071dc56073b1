"""`bluekrait play`: a board in the browser, to play against the engine and to analyse with it."""

import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from bluekrait.search.library.options import MOST_MEGABYTES, MOST_THREADS
from bluekrait.tools.board.server.gate import LOOPBACK, Gate
from bluekrait.tools.common.command_line import Parser, add_number, positive, whole_number
from bluekrait.tools.common.errors import CommandError, with_errors_reported
from bluekrait.uci.exits import SUCCESS

if TYPE_CHECKING:
    from bluekrait.tools.board.live.work import Work

PROGRAM = "bluekrait play"
HASH_MB, ENGINES, IDLE_MINUTES = 64, 4, 15.0
HIGHEST_PORT = 65535
NEEDED = ("chess", "starlette", "uvicorn", "websockets")

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
secret. Each page has an engine of its own. A page that is loaded again goes on where it was, and so does the
next program: the games on the board are kept in files. Ctrl-C ends everything.

exit code: 0 or 130 ended by the user, 1 the port is in use, 2 wrong arguments
"""


@with_errors_reported(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Serve the page until the user ends it; the exit code."""
    options = _parser().parse_args(arguments)
    _check_packages()
    if options.games and Path(options.games).exists() and not Path(options.games).is_dir():
        raise ValueError(f"{options.games} is no folder")
    work = _work_at(options.live) if options.live else None
    with _listening(options.port) as listener:
        gate = Gate(listener.getsockname()[1])
        print(f"{gate.address}\nOpen this address in a browser of this machine; Ctrl-C ends.", flush=True)
        if not options.no_browser:
            threading.Thread(target=webbrowser.open, args=(gate.address,), daemon=True).start()
        # While the browser starts:
        from bluekrait.tools.board.server.serving import EngineBounds, server_for
        from bluekrait.tools.board.visitor.kept_games import KeptGames, usual_folder

        bounds = EngineBounds(options.engines, options.hash, options.threads, 60 * options.idle)
        kept = KeptGames(Path(options.games) if options.games else usual_folder())
        server_for(gate, bounds, work, kept).run(sockets=[listener])
    return SUCCESS


def _check_packages() -> None:
    """Look for what the server needs; it is imported when the address is printed already."""
    for package in NEEDED:
        if find_spec(package) is None:
            raise ModuleNotFoundError(f"No module named {package!r}", name=package)


def _work_at(name: str) -> "Work":
    """The work that the page shows."""
    from bluekrait.tools.board.live.files import work_at  # needs much that the board alone does not

    return work_at(name)


def _listening(port: int) -> socket.socket:
    """A socket that waits for browsers of this machine; port 0 is any that is free."""
    try:
        return socket.create_server((LOOPBACK, port))
    except OSError as error:
        reason = str(error.strerror).partition(" (while")[0]  # Python adds the address once more
        raise CommandError(f"port {port} cannot be used: {reason}") from None


def _parser() -> Parser:
    parser = Parser(
        prog=PROGRAM,
        description="Open a board in the browser: play against the engine at any strength, and analyse.",
        epilog=EXAMPLES,
    )
    port, port_number = "the port (one that is free)", partial(whole_number, most=HIGHEST_PORT)
    parser.add_argument("--port", type=port_number, default=0, metavar="P", help=port)
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    games = "the folder where games are kept from one program to the next (one in the user's data)"
    parser.add_argument("--games", metavar="FOLDER", help=games)
    live = "also show running work, by its file: of match, sprt, datagen, or tune (network: its folder)"
    parser.add_argument("--live", metavar="FILE", help=live)
    table = "megabytes of each engine's transposition table"
    add_number(parser, "--hash", HASH_MB, table, most=MOST_MEGABYTES)
    add_number(parser, "--threads", 1, "threads that each engine searches with", most=MOST_THREADS)
    add_number(parser, "--engines", ENGINES, "engines at the same time, one for each page that is in use")
    idle = f"minutes of silence after which the engine of a page is released ({IDLE_MINUTES:g})"
    parser.add_argument("--idle", type=positive, default=IDLE_MINUTES, metavar="MINUTES", help=idle)
    return parser


if __name__ == "__main__":
    sys.exit(main())
