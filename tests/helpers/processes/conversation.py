"""Conversations with the engine as GUIs lead them: with a process, through pipes; other programs, too."""

import os
import queue
import re
import subprocess
import sys
import threading

from helpers.waiting import PATIENCE

# The real engine behind a start that takes as long, or goes as wrong, as a test wants it to.
SLOW_START = """
import time
from bluekrait.search import engine
from bluekrait.uci import cli, message_loop
from bluekrait.uci.protocol import messages

load_real_engine = engine.load_engine

def load_engine(on_progress=None):
    for step in range({steps}):
        on_progress(step, {steps}, "rook moves")
        time.sleep(0.1)
    {failure}
    return load_real_engine(on_progress)

engine.load_engine = load_engine
messages.PING_PATIENCE = {ping_patience}
message_loop.SCRIPT_SECONDS = {script_seconds}
cli.main([])
"""


class Conversation:
    """A running engine; what it says is collected line by line."""

    def __init__(self, *arguments, **streams):
        command = [sys.executable, *(arguments or ("-m", "bluekrait.uci"))]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE) | streams
        self.process = subprocess.Popen(command, **pipes)
        self.lines = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stdout:
            self.lines.put(line.decode().rstrip("\n"))
        self.lines.put(None)

    def say(self, *lines):
        """Send lines, text or bytes."""
        data = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def hear(self, pattern):
        """The lines up to the first that matches the pattern."""
        heard = []
        while not heard or not re.search(pattern, heard[-1]):
            line = self.lines.get(timeout=PATIENCE)
            assert line is not None, f"it left without saying {pattern}: {heard}"
            heard.append(line)
        return heard

    def ask(self, *lines):
        """Send lines; the answer, up to the end of all work they cause."""
        self.say(*lines, "isready")
        return self.hear("^readyok$")[:-1]

    def leave(self, *lines):
        """Send last lines and the end of input; what is still said. It must leave in peace."""
        self.say(*lines)
        self.process.stdin.close()
        rest = list(iter(lambda: self.lines.get(timeout=PATIENCE), None))
        assert self.ending() == (0, b"")
        return rest

    def ending(self):
        """Exit code and standard error."""
        return self.process.wait(PATIENCE), self.process.stderr.read()


def slow_start(talk, steps=0, failure="", ping_patience=8, script_seconds=1):
    """A conversation with an engine that takes `steps` tenths of a second to load."""
    script = SLOW_START.format(
        steps=steps, failure=failure, ping_patience=ping_patience, script_seconds=script_seconds
    )
    return talk("-c", script)


def fen_of(conversation):
    """The present position."""
    return next(line[5:] for line in conversation.ask("d") if line.startswith("Fen: "))


def printed_by(program, **settings):
    """Output of a program that must succeed and not complain."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout
