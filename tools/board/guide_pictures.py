"""Take the pictures of the guides: the board in the browser, and the page of an analysed game.

`python -m bluekrait.tools.board.guide_pictures docs/pictures` writes board.png, board-phone.png
and analysis.png. It needs Chromium, playwright, Pillow and the extra [play].
"""

import io
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from bluekrait.tools.board.browser import READY, browser, served_board
from bluekrait.tools.common.command_line import Parser
from bluekrait.tools.common.errors import CommandError, with_errors_reported
from bluekrait.uci.exits import SUCCESS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PROGRAM = "python -m bluekrait.tools.board.guide_pictures"
DESCRIPTION = (
    "Take the pictures of the guides: board.png, board-phone.png and analysis.png. "
    "It needs Chromium, playwright, Pillow and the extra [play]."
)
NEEDED = ("playwright", "PIL", "chess", "starlette")  # packages

SECONDS = 6  # that the analysis is given
PLY = 18  # of the game, that is shown
TIMEOUT = 120_000  # milliseconds
HEIGHT = 800  # of a window
COLOURS = 128  # of a picture: fewer bytes, and nobody sees it

# Paul Morphy against the Duke of Brunswick and Count Isouard, at the opera.
GAME = """[Event "Paris"]
[Date "1858.??.??"]
[White "Morphy"]
[Black "Duke of Brunswick, Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5
cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""


@with_errors_reported(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Take all pictures; the exit code."""
    parser = Parser(prog=PROGRAM, description=DESCRIPTION)
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="where the pictures are written")
    folder = parser.parse_args(arguments).folder
    if not folder.is_dir():
        raise ValueError(f"{folder}: there is no such directory")
    for package in NEEDED:
        if find_spec(package) is None:
            raise CommandError(f'it needs {package}: pip install playwright pillow "bluekrait[play]"')
    take_all(folder)
    return SUCCESS


def take_all(folder: Path) -> None:
    """Take all pictures."""
    with browser() as opened:
        with board_page(opened, 1180) as page:
            study(page)
            take(page, folder / "board.png")
        with board_page(opened, 400, color_scheme="dark") as page:
            study(page)
            take(page, folder / "board-phone.png")
        with tempfile.TemporaryDirectory() as place:
            page = opened.new_page(viewport={"width": 1000, "height": HEIGHT})
            page.goto(report(Path(place)).as_uri())
            page.locator("#moves button").nth(PLY).click()
            take(page, folder / "analysis.png")


@contextmanager
def board_page(opened: "Browser", width: int, **options: str) -> "Iterator[Page]":
    """The page of `bluekrait play` in a window that is so wide."""
    with served_board() as address:
        if not address:
            raise CommandError("bluekrait play has not started")
        page = opened.new_page(viewport={"width": width, "height": HEIGHT}, **options)  # type: ignore[arg-type]
        page.set_default_timeout(TIMEOUT)
        page.goto(address)
        page.wait_for_selector(READY)
        yield page
        page.close()


def study(page: "Page") -> None:
    """Load the game, go to a position, and analyse it for a while."""
    page.click("#pgn")
    page.fill("#pgn-dialog textarea", GAME)
    page.locator("#pgn-dialog button.main").click()
    page.locator("#moves .move").nth(PLY - 1).click()
    page.locator("#moves [aria-current]").wait_for()
    page.locator("h1").click()  # takes the focus from the button
    page.check("#analyse")
    page.locator("#lines li").nth(2).wait_for()
    page.wait_for_timeout(1000 * SECONDS)
    page.check("#terms")
    page.locator("#evaluation table").wait_for()
    page.locator("#lines li").nth(2).wait_for()
    page.wait_for_timeout(1000 * SECONDS)


def take(page: "Page", path: Path) -> None:
    """Take a picture of what the window shows first, in few colours."""
    from PIL import Image

    page.locator("h1").scroll_into_view_if_needed()
    with Image.open(io.BytesIO(page.screenshot())) as picture:
        picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def report(folder: Path) -> Path:
    """The page of the analysed game."""
    games, html = folder / "opera.pgn", folder / "opera.html"
    games.write_text(GAME, encoding="utf-8")
    command = [sys.executable, "-m", "bluekrait", "analyse", str(games), "--html", str(html)]
    subprocess.run([*command, "--nodes", "200000"], check=True, stdout=subprocess.DEVNULL)
    return html


if __name__ == "__main__":
    sys.exit(main())
