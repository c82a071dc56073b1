"""Split a command line into words and join them again, by the rules of the system's shell.

On Windows a backslash separates folders and only double quotes quote.
"""

import os
import shlex
import subprocess
from collections.abc import Iterable


def split(text: str) -> list[str]:
    """The words of a command line; ValueError if a quotation mark is not closed."""
    if os.name != "nt":
        return shlex.split(text)
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.quotes, lexer.escape, lexer.commenters = '"', "", ""
    return list(lexer)


def join(words: Iterable[str]) -> str:
    """The command line with these words."""
    return shlex.join(words) if os.name != "nt" else subprocess.list2cmdline(words)
