"""Split a PGN file into the texts of its games, whatever is in it. Nothing is parsed, so nothing can fail.

Files are read line by line: a hundred thousand games need no more memory than one. UTF-8 and UTF-16 are
recognised; a game that is not UTF-8 is read as Windows-1252, which old databases use.
"""

import codecs
import io
import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple, TextIO

TAG = re.compile(r'\s*\[\s*\w+\s+"')
FIRST_TAG = re.compile(r'\s*\[\s*Event\s+"[^"]*"\s*\]\s*$')
STRUCTURE = re.compile(r"[{}();]")
RESULT_AT_END = re.compile(r"(?:^|\s)(?:1-0|0-1|1/2-1/2|\*)\s*$")
WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
OLD_ENCODING = "cp1252"


class GameText(NamedTuple):
    """One game as it stands in a file."""

    number: int  # from 1
    line: int  # where it begins, from 1
    text: str

    @property
    def for_parser(self) -> str:
        """The text without what stops a parser: empty lines among the moves, spaces before tags."""
        lines, has_moves, depth = [], False, _Depth()
        for line in self.text.splitlines(keepends=True):
            is_blank = not line.strip()
            if not (has_moves and is_blank and not depth.in_comment):
                lines.append(line if has_moves else line.lstrip(" \t"))
            if has_moves or not (is_blank or TAG.match(line)):
                has_moves = True
                depth.follow(line)
        return "".join(lines)


def games_in(file: BinaryIO) -> Iterator[GameText]:
    """The games of an open file, in their order."""
    splitter, number, begins = _Splitter(), 0, 1
    lines: list[str] = []
    for place, line in enumerate(_lines(file), 1):
        if lines and splitter.begins_game(line):
            number += 1
            yield GameText(number, begins, _text(lines))
            lines = []
        if not lines:
            if not line.strip():
                continue
            splitter, begins = _Splitter(), place
        splitter.follow(line)
        lines.append(line)
    if lines:
        yield GameText(number + 1, begins, _text(lines))


def _lines(file: BinaryIO) -> TextIO:
    """The lines of a file, whatever ends them; other than UTF-16, each byte is a character as yet."""
    mark = file.read(len(codecs.BOM_UTF8))
    file.seek(len(mark) if mark == codecs.BOM_UTF8 else 0)
    encoding = "utf-16" if mark[:2] in WIDE_MARKS else "latin-1"
    return io.TextIOWrapper(file, encoding=encoding, errors="replace")


def _text(lines: list[str]) -> str:
    """The text of a game, decoded."""
    text = "".join(lines).rstrip() + "\n"
    try:
        content = text.encode("latin-1")
    except UnicodeEncodeError:  # it was UTF-16
        return text.lstrip("\ufeff").replace("\0", "\ufffd")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode(OLD_ENCODING, errors="replace")
    return text.replace("\0", "\ufffd")


class _Depth:
    """Whether a place in the moves is inside a comment, and in how many variations."""

    def __init__(self) -> None:
        self.in_comment = False
        self.variations = 0

    def follow(self, line: str) -> None:
        """Go on to the end of a line."""
        if line.startswith("%") and not self.in_comment:
            return
        for match in STRUCTURE.finditer(line):
            symbol = match[0]
            if self.in_comment:
                self.in_comment = symbol != "}"
            elif symbol == "{":
                self.in_comment = True
            elif symbol == ";":
                return
            elif symbol == "(":
                self.variations += 1
            elif symbol == ")":
                self.variations = max(0, self.variations - 1)


class _Splitter:
    """Finds where the next game begins."""

    def __init__(self) -> None:
        self._depth = _Depth()
        self._has_moves = self._is_over = self._was_blank = False

    def begins_game(self, line: str) -> bool:
        """True if a line cannot belong to the game at hand any more."""
        if not self._has_moves or not line.strip():
            return False
        if self._depth.in_comment:  # one that is not closed must not swallow the rest of the file
            return self._was_blank and FIRST_TAG.match(line) is not None
        return self._is_over or TAG.match(line) is not None

    def follow(self, line: str) -> None:
        """Take a line of the game at hand."""
        self._was_blank = not line.strip()
        if self._was_blank:
            return
        if self._has_moves or not TAG.match(line):
            self._has_moves = True
            self._depth.follow(line)
            is_open = self._depth.in_comment or self._depth.variations
            self._is_over = not is_open and RESULT_AT_END.search(line) is not None
