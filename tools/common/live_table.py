"""A table on a terminal that is updated in place; elsewhere a progress line in its stead."""

import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from bluekrait.uci.progress import ProgressLine

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

REFRESHES = 2  # of the table, in a second


class LiveTable:
    """Shows how long work goes, while its `with` block runs."""

    def __init__(self) -> None:
        self._stack, self._line = ExitStack(), ProgressLine()
        self._live: Live | None = None

    def __enter__(self) -> "LiveTable":
        if sys.stderr is not None and sys.stderr.isatty():
            self._live = self._start()
        return self

    def __exit__(self, *error: object) -> None:
        self._line.clear()
        self._stack.close()

    def show(self, text: str, table: "Callable[[], RenderableType]") -> None:
        """Show the table that the function makes; the text where there is no table."""
        if self._live:
            self._live.update(table())
        else:
            self._line.show(text)

    def log(self, text: str) -> None:
        """Print a line that stays, where there is no table."""
        if not self._live:
            self._line.log(text)

    def _start(self) -> "Live | None":
        try:
            from rich.console import Console
            from rich.live import Live
        except ModuleNotFoundError:
            return None
        live = Live(console=Console(stderr=True), refresh_per_second=REFRESHES, transient=True)
        return self._stack.enter_context(live)
