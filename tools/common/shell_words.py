"""A command line as words, and words as a command line, as the system's own shell has them.

On Windows a backslash stands in paths: it quotes nothing there, and only double quotes do.
"""

import os
import shlex
import subprocess


def split(text):
    """The words of a command line; ValueError if a quotation does not end."""
    if os.name != "nt":
        return shlex.split(text)
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.quotes, lexer.escape, lexer.commenters = '"', "", ""
    return list(lexer)


def join(words):
    """The command line that has these words."""
    return shlex.join(words) if os.name != "nt" else subprocess.list2cmdline(words)
