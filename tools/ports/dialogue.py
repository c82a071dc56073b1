"""A conversation with an emulated engine: its output is read in the background, with long time limits."""

import queue
import re
import subprocess
import threading

from bluekrait.tools.ports.checklist import CheckError

PATIENCE = 3600  # seconds for one answer: an emulator is slow, and the engine may compile itself first


class Dialogue:
    """A process that reads and writes lines."""

    def __init__(self, process: "subprocess.Popen[bytes]", line_end: str = "\n") -> None:
        if process.stdin is None or process.stdout is None:
            raise ValueError("a conversation needs pipes to and from the process")
        self.process, self._input, self._output = process, process.stdin, process.stdout
        self.received: list[str] = []
        self._line_end = line_end
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()  # None at the end
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, *lines: str) -> None:
        """Send lines."""
        text = "".join(f"{line}{self._line_end}" for line in lines)
        self._input.write(text.encode())
        self._input.flush()

    def wait_for(self, pattern: str) -> str:
        """Wait for a line that begins like that; the line."""
        while True:
            try:
                line = self._lines.get(timeout=PATIENCE)
            except queue.Empty:
                raise CheckError(f"no {pattern} within {PATIENCE} s") from None
            if line is None:
                raise CheckError(f"no {pattern}; the last lines: {' | '.join(self.received[-3:])}")
            self.received.append(line)
            if re.match(pattern, line):
                return line

    def quit(self) -> int:
        """Send `quit`; the exit code."""
        self.send("quit")
        return self.process.wait(PATIENCE)

    def __enter__(self) -> "Dialogue":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._input.close()

    def _read(self) -> None:
        for line in self._output:
            self._lines.put(line.decode("utf-8", "replace").rstrip("\r\n"))
        self._lines.put(None)
