"""How long `bluekrait play` takes until a move can be made in the browser."""

from collections.abc import Iterator, Sequence
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

from bluekrait.tools.board.browser import READY, browser, served_board
from bluekrait.tools.figures.figure import Figure, MissingNeed, Unmeasurable, rounds_of, use_all_cores

if TYPE_CHECKING:
    from playwright.sync_api import Page


def page_figures(rounds: int, command: Sequence[str]) -> Iterator[Figure]:
    """From the start of the command to a board with legal moves, in a browser that is running already.

    It needs Chromium and playwright. The command is that of this package.
    """
    use_all_cores()
    try:
        with browser() as opened:
            page = opened.new_page()
            ready(page)  # so that it is warm
            seconds = [ready(page) for _ in rounds_of(rounds, "page")]
    except ModuleNotFoundError:
        raise MissingNeed("playwright") from None
    except FileNotFoundError:
        raise MissingNeed("Chromium") from None
    yield Figure("play to page ready, warm", median(seconds), "s", 1.5, 0.7, "headless Chromium")


def ready(page: "Page") -> float:
    """Start the server, and open its page; seconds until a move can be made."""
    began = perf_counter()
    with served_board() as address:
        if not address:
            raise Unmeasurable("bluekrait play has not started")
        page.goto(address, wait_until="commit")
        page.wait_for_selector(READY)
        return perf_counter() - began
