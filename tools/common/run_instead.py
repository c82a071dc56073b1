"""Replace this process by another program."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence


def run_instead(path: str, words: Sequence[str]) -> int:
    """Run another program in place of this one; its exit code if this process has to wait for it.

    On Windows `os.execv` starts a process and ends this one at once: a program that waits believes that the
    work is done, and the shell reads the same console as the new process.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    if os.name != "nt":
        os.execv(path, list(words))
    # Ctrl-C reaches both processes: the other program decides when to end.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return subprocess.call(words, executable=path)
    finally:
        signal.signal(signal.SIGINT, before)
