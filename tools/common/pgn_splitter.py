"""Split a PGN file into the texts of its games, whatever is in it. Nothing is parsed, so nothing can fail.

Files are read line by line: a hundred thousand games need no more memory than one. UTF-8 and UTF-16 are
recognised; a game that is not UTF-8 is read as Windows-1252, which old databases use.
"""

import codecs
import io
import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple, TextIO

TAG = re.compile(r'\s*\[\s*([\w+#=:-]+)\s+"')
FIRST_TAG = re.compile(r'\s*\[\s*Event\s+"[^"]*"\s*\]\s*$')
STRUCTURE = re.compile(r"[{}();]")
COMMENTS = re.compile(r"\{[^}]*\}?|;.*|^%.*", re.MULTILINE)
RESULT_AT_END = re.compile(r"(?:^|\s)(?:1-0|0-1|1/2-1/2|\*)\s*$")
REMARKS = ("%", ";")  # what the lines begin with that are neither tags nor moves
WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
MARKS = ("\ufeff", codecs.BOM_UTF8.decode("latin-1"))  # as they are read here, in UTF-16 and in UTF-8
OLD_ENCODING = "cp1252"


class GameText(NamedTuple):
    """One game as it stands in a file."""

    number: int  # from 1
    line: int  # where it begins, from 1
    text: str

    def tags_and_moves(self) -> tuple[str, str]:
        """The text in two parts, without what stops a parser, such as empty lines among the moves.

        Comments behind semicolons are in braces among the moves, where a parser keeps them.
        """
        head, body = self._parts()
        tags = (line.lstrip() for line in head if line.lstrip().startswith("["))
        remarks = (line for line in head if line.startswith(";"))
        return "".join(tags), "".join(_without_gaps((*remarks, *body)))

    def _parts(self) -> tuple[list[str], list[str]]:
        """The lines before the moves, and the others."""
        lines = list(io.StringIO(self.text))
        first = next((place for place, line in enumerate(lines) if _begins_moves(line)), len(lines))
        return lines[:first], lines[first:]


def _begins_moves(line: str) -> bool:
    """Whether a line that follows tags is the first of the moves."""
    return bool(line.strip()) and not (line.lstrip().startswith("[") or line.startswith(REMARKS))


def _without_gaps(lines: Iterable[str]) -> Iterator[str]:
    """The lines of moves, without those that are empty or for other programs."""
    depth = _Depth()
    for line in lines:
        in_comment = depth.in_comment
        moves, remark = depth.follow(line)
        if remark:
            moves += "{" + remark.replace("}", ")") + "}"
        if in_comment or moves.strip():
            yield moves.removesuffix("\n") + "\n"


def games_in(file: BinaryIO) -> Iterator[GameText]:
    """The games of an open file, in their order. Comments between them are left out."""
    texts = ((begins, decoded(lines)) for begins, lines in _parts_of(file))
    games = ((begins, text) for begins, text in texts if COMMENTS.sub("", text).strip())
    for number, (begins, text) in enumerate(games, 1):
        yield GameText(number, begins, text)


def _parts_of(file: BinaryIO) -> Iterator[tuple[int, list[str]]]:
    """The lines of each game, or of comments between games, and where they begin."""
    splitter, begins = _Splitter(), 1
    lines: list[str] = []
    for place, line in enumerate(lines_in(file), 1):
        for mark in MARKS:  # files that were put together have one before each part
            line = line.removeprefix(mark)
        if lines and splitter.begins_game(line):
            yield begins, lines
            lines = []
        if not lines:
            if not line.strip() or line.startswith(REMARKS):
                continue
            splitter, begins = _Splitter(), place
        splitter.follow(line)
        lines.append(line)
    if lines:
        yield begins, lines


def lines_in(file: BinaryIO) -> TextIO:
    """The lines of a file, whatever ends them; other than UTF-16, each byte is a character as yet."""
    mark = file.read(len(codecs.BOM_UTF8))
    file.seek(len(mark) if mark == codecs.BOM_UTF8 else 0)
    encoding = "utf-16" if mark[:2] in WIDE_MARKS else "latin-1"
    return io.TextIOWrapper(file, encoding=encoding, errors="replace")


def decoded(lines: list[str]) -> str:
    """The text of lines as `lines_in` gives them."""
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

    def follow(self, line: str) -> tuple[str, str]:
        """Go on to the end of a line: its moves, and the comment behind a semicolon."""
        if line.startswith("%") and not self.in_comment:
            return "", ""
        for match in STRUCTURE.finditer(line):
            symbol = match[0]
            if self.in_comment:
                self.in_comment = symbol != "}"
            elif symbol == "{":
                self.in_comment = True
            elif symbol == ";":
                return line[: match.start()], line[match.end() :].strip()
            elif symbol == "(":
                self.variations += 1
            elif symbol == ")":
                self.variations = max(0, self.variations - 1)
        return line, ""


class _Splitter:
    """Finds where the next game begins."""

    def __init__(self) -> None:
        self._depth = _Depth()
        self._tags: set[str] = set()
        self._has_moves = self._is_over = self._was_blank = False

    def begins_game(self, line: str) -> bool:
        """True if a line cannot belong to the game at hand any more."""
        tag = TAG.match(line)
        if not self._has_moves:
            return self._was_blank and tag is not None and tag[1] in self._tags
        if self._depth.in_comment:  # one that is not closed must not swallow the rest of the file
            return self._was_blank and FIRST_TAG.match(line) is not None
        return tag is not None or (self._is_over and bool(line.strip()))

    def follow(self, line: str) -> None:
        """Take a line of the game at hand."""
        if not self._has_moves and line.startswith(REMARKS):
            return
        self._was_blank = not line.strip()
        if self._was_blank:
            return
        if self._has_moves or _begins_moves(line):
            self._has_moves = True
            moves, _ = self._depth.follow(line)
            is_open = self._depth.in_comment or self._depth.variations
            self._is_over = not is_open and RESULT_AT_END.search(moves) is not None
        elif tag := TAG.match(line):
            self._tags.add(tag[1])
