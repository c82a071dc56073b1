"""How long `bluekrait play` takes until a move can be made in the browser."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

from bluekrait.tools.board.browser import browser
from bluekrait.tools.figures.figure import Figure, Unmeasurable, rounds_of, use_all_cores

if TYPE_CHECKING:
    from playwright.sync_api import Page

READY = "body[data-ready]"  # the page sets it when its board has the first position and its moves


def page_figures(rounds: int, command: Sequence[str]) -> Iterator[Figure]:
    """From the start of the command to a board with legal moves, in a browser that is running already.

    Nothing is measured without Chromium and playwright. The command is that of this package.
    """
    use_all_cores()
    try:
        with browser() as opened:
            page = opened.new_page()
            ready(page)  # so that it is warm
            seconds = [ready(page) for _ in rounds_of(rounds, "page")]
    except (ModuleNotFoundError, FileNotFoundError):
        return
    yield Figure("play to page ready, warm", median(seconds), "s", 1.5, 0.7, "headless Chromium")


def ready(page: "Page") -> float:
    """Start the server, and open its page; seconds until a move can be made."""
    began = perf_counter()
    command = [sys.executable, "-m", "bluekrait", "play", "--no-browser", "--games"]
    with (
        tempfile.TemporaryDirectory() as games,
        subprocess.Popen([*command, games], stdout=subprocess.PIPE, text=True) as process,
    ):
        try:
            address = process.stdout.readline().strip() if process.stdout else ""
            if not address:
                raise Unmeasurable("bluekrait play has not started")
            page.goto(address, wait_until="commit")
            page.wait_for_selector(READY)
            return perf_counter() - began
        finally:
            process.terminate()
