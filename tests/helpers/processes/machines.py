"""Tests that only some machines can run; the signals, the terminal and the full disk of a machine."""

import _thread
import errno
import io
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest

from bluekrait.core.compiler import cpuid

on_x86 = pytest.mark.skipif(
    not sys.platform.startswith("linux") or cpuid.machine() != "x86_64", reason="for Linux on x86-64"
)

PATIENCE = 120  # seconds before a hanging test is given up
INTERRUPTS = 12  # meanwhile
PROGRESS = r"\r *\d+%  [1-9]\d* nodes  \d+\.\d Mnps  \d+ s"  # of perft, as soon as something is counted

CLOSED_TERMINAL = getattr(signal, "SIGHUP", signal.SIGTERM)  # Windows just ends the process


def interrupt(leader, number):
    """Send a signal to the leader of a session, or to all its processes as if their terminal were closed."""
    if number in (signal.SIGINT, signal.SIGTERM):
        leader.send_signal(number)
    else:
        os.killpg(leader.pid, number)


def is_interrupted_while(wait, give_up):
    """True if Ctrl-C ends a wait as on Windows, where it does not wake up a thread that waits.

    Otherwise `give_up` must end the wait.
    """
    over, is_given_up = threading.Event(), []

    def interrupt():
        time.sleep(0.2)  # the wait has begun, except on a very busy machine
        for _ in range(INTERRUPTS):  # one that comes while garbage is collected may be lost
            _thread.interrupt_main()
            if over.wait(PATIENCE / INTERRUPTS):
                return
        is_given_up.append(True)
        give_up()

    thread = threading.Thread(target=interrupt)
    with pytest.raises(KeyboardInterrupt):
        thread.start()
        wait()
        thread.join()
    over.set()
    thread.join()
    return not is_given_up


INTERRUPTED_START = """
import signal, sys
from multiprocessing import util
from bluekrait.uci import cli

def start(*arguments):
    global left
    process = start_process(*arguments)
    left -= 1
    if not left:
        signal.raise_signal(signal.SIGTERM)
    return process

if __name__ == "__main__":
    start_process, left = util.spawnv_passfds, int(sys.argv[1])
    util.spawnv_passfds = start
    cli.main(sys.argv[2:])
"""


def terminated_at_start(folder, number, *command):
    """What becomes of a command that gets SIGTERM while it starts its first process, its second, and so on.

    The first one is Python's resource tracker.
    """
    script = folder / "interrupted_start.py"
    script.write_text(INTERRUPTED_START)
    return subprocess.run([sys.executable, script, str(number), *command], capture_output=True, text=True)


def interrupted_perft(*arguments):
    """Exit code and output of a perft that gets Ctrl-C while it counts, and what it shows after that."""
    pty = pytest.importorskip("pty")  # not on Windows
    screen, terminal = pty.openpty()
    command = [sys.executable, "-m", "bluekrait.uci", "perft", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, text=True)
    try:
        seen = ""
        while not re.search(PROGRESS, seen):
            seen += os.read(screen, 1000).decode()
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate(timeout=PATIENCE)
        return process.returncode, text, os.read(screen, 10000).decode()
    finally:
        process.kill()
        os.close(screen)
        os.close(terminal)


class FullStream(io.StringIO):
    """A stream to which nothing can be written any more."""

    def write(self, text):
        raise OSError(errno.ENOSPC, "No space left on device")


@contextmanager
def full_disk(size):
    """In this block no file of this process can grow beyond so many bytes."""
    resource = pytest.importorskip("resource")  # not on Windows
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
