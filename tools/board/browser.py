"""Chromium without a window, driven by playwright, and a board for it: to measure pages and take pictures."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome")
READY = "body[data-ready]"  # the page sets it when its board has the first position and its moves


def chromium() -> str | None:
    """The path of an installed Chromium; None if there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def browser() -> "Iterator[Browser]":
    """A browser. ModuleNotFoundError without playwright; FileNotFoundError without Chromium."""
    from playwright.sync_api import sync_playwright

    path = chromium()
    if path is None:
        raise FileNotFoundError("no Chromium is installed")
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=path, args=["--disable-gpu"])
        yield opened
        opened.close()


@contextmanager
def served_board() -> Iterator[str]:
    """The address of the page of `bluekrait play`, empty if it does not start. Its games are not kept."""
    command = [sys.executable, "-m", "bluekrait", "play", "--no-browser", "--games"]
    with (
        tempfile.TemporaryDirectory() as games,
        subprocess.Popen([*command, games], stdout=subprocess.PIPE, text=True) as process,
    ):
        try:
            yield process.stdout.readline().strip() if process.stdout else ""
        finally:
            process.terminate()
