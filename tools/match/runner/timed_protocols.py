"""python-chess's protocols with exact timing: the time of a move is taken where its bytes pass.

A search begins when `go` is written to the pipe, and ends when the bytes arrive that complete the answer,
before they are parsed. The info lines of a search are parsed after its answer.
"""

import asyncio
import re
from collections import deque
from time import perf_counter
from typing import ClassVar

import chess
import chess.engine

FLOOD = 1 << 24  # bytes of output about one move that count as flooding
IDLE_OUTPUT = 1 << 16  # bytes of output without a request, after which reading pauses
STDERR_TAIL = 2000  # bytes of standard error that are kept
MOST_INFO_LINES = 1000  # of a search that are kept

REJECTION = re.compile(r"\s*(?:Error|Illegal move)\s*(?:\([^()]*\))?\s*:?\s*(.*)")
MOVE = re.compile(r"(?:usermove\s+)?(?:[a-h][1-8][a-h][1-8][qrbnQRBN]?|O-O(?:-O)?)\s*$")


class TimedProtocol(chess.engine.Protocol):
    """A protocol with exact timing; `TimedUci` and `TimedXboard` say what an answer looks like."""

    answer: ClassVar[str]  # the command that carries a move
    info_line: ClassVar[re.Pattern[str]]  # lines about a search

    def __init__(self) -> None:
        super().__init__()
        self.asked = self.answered = 0.0  # times by perf_counter
        self.answer_text = ""
        self.is_searching = self.is_flooding = False
        self.stderr_tail = b""
        self._is_awaiting = True  # a request was sent and the move has not arrived
        self._arrival, self._received = 0.0, 0
        self._info_lines: deque[str] = deque(maxlen=MOST_INFO_LINES)

    @property
    def is_reusable(self) -> bool:
        """True if the process can play another game."""
        return True

    @property
    def counts_nodes(self) -> bool:
        """True if the nodes of a search can be limited."""
        return True

    def send_line(self, line: str) -> None:
        """Send a line; `go` starts the stopwatch."""
        is_go = line == "go" or line.startswith("go ")
        if is_go:
            self.is_searching, self.answer_text = True, ""
            self._info_lines.clear()
        self._is_awaiting, self._received = True, 0
        self._set_reading(True)
        if is_go:  # before the write: the engine may run as soon as the line is there
            self.asked = perf_counter()
        super().send_line(line)

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Take in bytes, and notice an engine that floods its output."""
        assert isinstance(data, bytes)
        self._arrival = perf_counter()
        self._received += len(data)
        if self._received > FLOOD:
            self.is_flooding = True
        elif fd == 2:
            self.stderr_tail = (self.stderr_tail + data)[-STDERR_TAIL:]
        else:
            super().pipe_data_received(fd, data)
        if self._received > IDLE_OUTPUT and not self._is_awaiting:
            self._set_reading(False)  # the full pipe blocks the engine until its next move

    def _line_received(self, line: str) -> None:
        if self.is_searching and self.info_line.match(line):
            self._info_lines.append(line)  # parsed when the stopwatch has stopped
            return
        word, _, rest = line.strip().partition(" ")
        if word == self.answer and self.is_searching:
            self.answered, self.answer_text = self._arrival, rest.strip()
            self.is_searching = self._is_awaiting = False
            self._received = 0
            while self._info_lines:
                super()._line_received(self._info_lines.popleft())
        super()._line_received(line)

    def stop_listening(self) -> None:
        """Discard all further output, so that the end of the process is noticed."""
        self._is_awaiting, self._received = True, FLOOD
        self._set_reading(True)

    def _set_reading(self, wanted: bool) -> None:
        for fd in (1, 2):
            pipe = self.transport and self.transport.get_pipe_transport(fd)
            if isinstance(pipe, asyncio.ReadTransport) and not pipe.is_closing():
                (pipe.resume_reading if wanted else pipe.pause_reading)()


class TimedUci(TimedProtocol, chess.engine.UciProtocol):
    """UCI with exact timing."""

    answer = "bestmove"
    info_line = re.compile(r"info\s")


class TimedXboard(TimedProtocol, chess.engine.XBoardProtocol):
    """XBoard's protocol (CECP) with exact timing; for old engines `setboard` becomes `edit`."""

    answer = "move"
    info_line = re.compile(r"\s*\d+\S?(?:\s+-?\d+){3}")  # depth, score, time, nodes
    has_setboard = True
    complaint = ""  # about a move that was sent

    @property
    def is_reusable(self) -> bool:
        """False if the engine wants a new process for every game (`feature reuse=0`)."""
        return self.features.get("reuse", 1) != 0

    @property
    def counts_nodes(self) -> bool:
        """True if the engine says so: others take a number of nodes for a number of seconds."""
        return bool(self.features.get("nps", 0))

    def send_line(self, line: str) -> None:
        """Send a line, or its translation for an old engine."""
        if self.has_setboard or not line.startswith("setboard "):
            super().send_line(line)
            return
        for command in edit_commands(chess.Board(line.removeprefix("setboard "))):
            super().send_line(command)

    def _line_received(self, line: str) -> None:
        if line.startswith("feature ") and "setboard=0" in line:
            self.has_setboard = False
            line = line.replace("setboard=0", "setboard=1")
        rejected = REJECTION.match(line)
        if rejected and not is_move(rejected[1]):
            return  # an unknown command: harmless
        self.complaint = line if rejected else self.complaint
        super()._line_received(line)


def is_move(text: str) -> bool:
    """True if a text looks like a move in XBoard's notation."""
    return MOVE.match(text) is not None


def edit_commands(board: chess.Board) -> list[str]:
    """Commands that set up a position piece by piece. In `edit` White is to move, unless a move was made."""
    commands = ["edit", "#"] if board.turn else ["a2a3", "edit", "#"]
    for colour in (chess.WHITE, chess.BLACK):
        for square in chess.scan_forward(board.occupied_co[colour]):
            piece = board.piece_at(square)
            assert piece is not None
            commands.append(piece.symbol().upper() + chess.square_name(square))
        commands.append("c" if colour else ".")
    return commands


PROTOCOLS: dict[str, type[TimedProtocol]] = {"uci": TimedUci, "xboard": TimedXboard}
