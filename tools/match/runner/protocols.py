"""python-chess's protocols, with a stopwatch: the time of a move is taken where its bytes pass.

A search begins when `go` is handed to the system, and ends with the arrival of the bytes that complete the
answer, before anything is made of them. What an engine says while it thinks is read when it has answered.
"""

import re
from collections import deque
from time import perf_counter

import chess.engine

FLOOD = 1 << 24  # bytes that an engine may say about one move
CHATTER = 1 << 16  # bytes that it may say when nobody asked
LAST_WORDS = 2000  # bytes of standard error that are kept
LAST_THOUGHTS = 1000  # lines about a search that are kept

REJECTION = re.compile(r"\s*(?:Error|Illegal move)\s*(?:\([^()]*\))?\s*:?\s*(.*)")
MOVE = re.compile(r"(?:usermove\s+)?(?:[a-h][1-8][a-h][1-8][qrbnQRBN]?|O-O(?:-O)?)\s*$")


class _Timed:
    """What both protocols share."""

    answer = ""  # the word that a move comes with
    thought = None  # the pattern of lines that tell of a search

    def __init__(self):
        super().__init__()
        self.asked = self.answered = 0.0  # when
        self.answer_text = ""
        self.is_thinking = self.is_flooding = False
        self.last_words = b""
        self._is_awaited = True  # something was asked, and the move is not there
        self._arrival, self._heard = 0.0, 0
        self._thoughts = deque(maxlen=LAST_THOUGHTS)

    def send_line(self, line):
        """Send a line; the stopwatch starts with `go`."""
        starts = line == "go" or line.startswith("go ")
        if starts:
            self.is_thinking, self.answer_text = True, ""
            self._thoughts.clear()
        self._is_awaited, self._heard = True, 0
        self._listen(True)
        if starts:  # the engine may get the processor as soon as the line is there
            self.asked = perf_counter()
        super().send_line(line)

    def pipe_data_received(self, fd, data):
        """Take in bytes, unless there is no end of them."""
        self._arrival = perf_counter()
        self._heard += len(data)
        if self._heard > FLOOD:
            self.is_flooding = True
        elif fd == 2:
            self.last_words = (self.last_words + data)[-LAST_WORDS:]
        else:
            super().pipe_data_received(fd, data)
        if self._heard > CHATTER and not self._is_awaited:
            self._listen(False)  # it writes on when the pipe is emptied for its next move

    def _line_received(self, line):
        if self.is_thinking and self.thought.match(line):
            self._thoughts.append(line)  # there is time for it when the watch stands still
            return
        word, _, rest = line.strip().partition(" ")
        if word == self.answer and self.is_thinking:
            self.answered, self.answer_text = self._arrival, rest.strip()
            self.is_thinking = self._is_awaited = False
            self._heard = 0
            while self._thoughts:
                super()._line_received(self._thoughts.popleft())
        super()._line_received(line)

    def stop_listening(self):
        """Throw away what still comes, so that the end of the process is noticed behind it."""
        self._is_awaited, self._heard = True, FLOOD
        self._listen(True)

    def _listen(self, wanted):
        for fd in (1, 2):
            pipe = self.transport and self.transport.get_pipe_transport(fd)
            if pipe and not pipe.is_closing():
                (pipe.resume_reading if wanted else pipe.pause_reading)()


class TimedUci(_Timed, chess.engine.UciProtocol):
    """UCI with a stopwatch."""

    answer = "bestmove"
    thought = re.compile(r"info\s")


class TimedXboard(_Timed, chess.engine.XBoardProtocol):
    """The protocol of XBoard with a stopwatch; old engines get positions piece by piece."""

    answer = "move"
    thought = re.compile(r"\s*\d+\S?(?:\s+-?\d+){3}")  # depth, score, time, nodes
    has_setboard = True
    complaint = ""  # about a move that it was told

    def send_line(self, line):
        """Send a line, or what it means to an old engine."""
        if self.has_setboard or not line.startswith("setboard "):
            super().send_line(line)
            return
        for command in edit_commands(chess.Board(line.removeprefix("setboard "))):
            super().send_line(command)

    def _line_received(self, line):
        if line.startswith("feature ") and "setboard=0" in line:
            self.has_setboard = False
            line = line.replace("setboard=0", "setboard=1")
        rejected = REJECTION.match(line)
        if rejected and not is_move(rejected[1]):
            return  # a command that it does not know, which is its own affair
        self.complaint = line if rejected else self.complaint
        super()._line_received(line)


def is_move(text):
    """True if a text looks like a move in the notation of the protocol."""
    return MOVE.match(text) is not None


def edit_commands(board):
    """Commands that set up a position piece by piece. White is to move in `edit`, unless a move was made."""
    commands = ["edit", "#"] if board.turn else ["a2a3", "edit", "#"]
    for colour in (chess.WHITE, chess.BLACK):
        for square in chess.scan_forward(board.occupied_co[colour]):
            commands.append(board.piece_at(square).symbol().upper() + chess.square_name(square))
        commands.append("c" if colour else ".")
    return commands


PROTOCOLS = {"uci": TimedUci, "xboard": TimedXboard}
