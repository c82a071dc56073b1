"""Chromium without a window, driven by playwright: for pictures of pages and for measuring them."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome")


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
