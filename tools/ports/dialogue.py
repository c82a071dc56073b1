"""A conversation with an engine in another world: what it says is read in the background, with patience."""

import queue
import re
import threading

from bluekrait.tools.ports.checklist import CheckError

PATIENCE = 3600  # seconds for one answer: an emulator is slow, and the engine may compile itself first


class Dialogue:
    """A process that takes lines and says lines."""

    def __init__(self, process, line_end="\n"):
        self.process, self.heard = process, []
        self._line_end, self._lines = line_end, queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def say(self, *lines):
        """Send lines."""
        text = "".join(f"{line}{self._line_end}" for line in lines)
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def hear(self, pattern):
        """Wait for a line that begins like that; the line."""
        while True:
            try:
                line = self._lines.get(timeout=PATIENCE)
            except queue.Empty:
                raise CheckError(f"no {pattern} within {PATIENCE} s") from None
            if line is None:
                raise CheckError(f"no {pattern}; its last words: {' | '.join(self.heard[-3:])}")
            self.heard.append(line)
            if re.match(pattern, line):
                return line

    def quit(self):
        """Ask it to leave; its exit code."""
        self.say("quit")
        return self.process.wait(PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdin.close()

    def _read(self):
        for line in self.process.stdout:
            self._lines.put(line.decode("utf-8", "replace").rstrip("\r\n"))
        self._lines.put(None)
