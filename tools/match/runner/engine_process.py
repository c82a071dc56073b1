"""An engine at the board: started, told its options, asked for moves, and ended whatever state it is in."""

import asyncio
import contextlib
import logging
from time import perf_counter
from typing import NamedTuple

import chess
import chess.engine

from bluekrait.tools.match.results.finished_games import ABANDONED, NORMAL, RULES_INFRACTION, TIME_FORFEIT
from bluekrait.tools.match.runner.processes import kill_group, register_group, start_options
from bluekrait.tools.match.runner.protocols import PROTOCOLS

START_SECONDS = 30.0  # to say `uciok`
READY_SECONDS = 180.0  # to prepare a new game: an engine may compile itself first
LATE_SECONDS = 1.0  # that a move may come too late and be worth waiting for, to say by how much
UNTIMED_SECONDS = 600.0  # for a move without a clock
QUIT_SECONDS = 2.0  # to leave when asked to
LONGEST_REASON = 120  # characters

SPOKEN = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE
OTHER_NAMES = {"Hash": "memory", "Threads": "cores"}  # of UCI's options in XBoard's protocol

logging.getLogger("chess.engine").setLevel(logging.CRITICAL)  # what an engine does wrong, its games tell


class EngineFailure(Exception):
    """An engine lost its game in another way than on the board."""

    def __init__(self, termination, reason):
        super().__init__(reason)
        self.termination, self.reason = termination, reason


class EngineMove(NamedTuple):
    """A move, and what was said with it."""

    move: chess.Move
    seconds: float
    score: chess.engine.PovScore = None
    depth: int = 0


class EngineProcess:
    """One process. After a failure it is of no use any more."""

    def __init__(self, spec):
        self.spec = spec
        self.ignored = []  # names of options that the engine does not have
        self._transport = self._protocol = None

    @property
    def name(self):
        """What the engine calls itself."""
        return self._protocol.id.get("name", self.spec.name) if self._protocol else self.spec.name

    async def start(self):
        """Start the engine; EngineFailure if it does not start."""
        spec, loop = self.spec, asyncio.get_running_loop()
        try:
            self._transport, self._protocol = await loop.subprocess_exec(
                PROTOCOLS[spec.protocol], *spec.command, cwd=spec.directory or None, **start_options()
            )
            register_group(self._transport.get_pid())
            await asyncio.wait_for(self._protocol.initialize(), START_SECONDS)
            await self._protocol.configure(self._known_options())
        except (asyncio.TimeoutError, OSError, chess.engine.EngineError, ValueError) as error:
            reason = self._reason(error)
            await self.end()
            raise EngineFailure(ABANDONED, f" does not start: {reason}") from None
        except BaseException:
            await self.end()
            raise

    def _known_options(self):
        """The options that the engine has, in its own words."""
        known = {}
        for name, value in self.spec.options:
            if name not in self._protocol.options and self.spec.protocol == "xboard":
                name = OTHER_NAMES.get(name, name)
            option = self._protocol.options.get(name)
            if option is None or option.is_managed():
                self.ignored.append(name)
            else:
                known[name] = _parsed(option, value)
        return known

    async def move(self, board, limit, game):
        """Ask for a move; EngineFailure if none comes that counts."""
        clock = limit.time or (limit.white_clock if board.turn else limit.black_clock)
        try:
            played = await self._answer(board, limit, game, clock)
        except chess.engine.EngineTerminatedError:
            flood = "floods its output" if self._protocol.is_flooding else "disconnects"
            raise EngineFailure(ABANDONED, f" {flood}") from None
        except (chess.engine.EngineError, ValueError) as error:
            raise self._foul(error) from None
        if played.resigned:
            raise EngineFailure(NORMAL, " resigns")
        if not played.move or played.move not in board.legal_moves:
            raise self._foul()
        seconds = max(0.0, self._protocol.answered - self._protocol.asked)
        return EngineMove(played.move, seconds, played.info.get("score"), played.info.get("depth", 0))

    async def _answer(self, board, limit, game, clock):
        """What the engine plays; the time for preparing a new game is its own."""
        began, protocol = perf_counter(), self._protocol
        patience = UNTIMED_SECONDS if clock is None else clock + self.spec.time.margin + LATE_SECONDS
        play = asyncio.ensure_future(protocol.play(board, limit, game=game, info=SPOKEN))
        try:
            while not play.done():
                is_asked = protocol.asked > began
                deadline = protocol.asked + patience if is_asked else began + READY_SECONDS
                if perf_counter() > deadline:
                    if is_asked and clock is not None:
                        raise EngineFailure(TIME_FORFEIT, " loses on time (no answer)")
                    raise EngineFailure(ABANDONED, "'s connection stalls")
                if protocol.is_flooding:
                    kill_group(self._transport.get_pid())
                await asyncio.wait({play}, timeout=min(0.1, max(0.001, deadline - perf_counter())))
            return play.result()
        finally:
            if not play.done():
                play.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await play

    def _foul(self, error=""):
        """What to call it when the answer is none that counts."""
        complaint = getattr(self._protocol, "complaint", "")
        text = self._protocol.answer_text.split()
        if complaint:
            return EngineFailure(RULES_INFRACTION, f" rejects a move ({complaint[:40]})")
        if text:
            return EngineFailure(RULES_INFRACTION, f" makes an illegal move: {text[0][:10]}")
        return EngineFailure(ABANDONED, f" gives up ({error or 'no move'})"[:LONGEST_REASON])

    def _reason(self, error):
        """One line that says what went wrong."""
        if isinstance(error, asyncio.TimeoutError):
            return f"no answer within {START_SECONDS:.0f} s"
        last_words = self._protocol.last_words.decode(errors="replace").split("\n") if self._protocol else []
        spoken = [line.strip() for line in last_words if line.strip()]
        text = f"{error} ({spoken[-1]})" if spoken else str(error)
        return " ".join(text.split())[:LONGEST_REASON]

    async def end(self, kindly=False):
        """End the process and all that it started."""
        if self._transport is None:
            return
        leader, returncode = self._transport.get_pid(), self._protocol.returncode
        if kindly and not returncode.done():
            self._protocol.send_line("quit")
            await asyncio.wait({returncode}, timeout=QUIT_SECONDS)
        kill_group(leader)
        self._protocol.stop_listening()
        await asyncio.wait({returncode}, timeout=QUIT_SECONDS)
        self._transport.close()
        self._transport = None


def _parsed(option, value):
    """An option's value as python-chess wants it; ValueError if the engine would not take it."""
    if option.type == "check":
        if value.lower() not in ("true", "false", "1", "0", "on", "off"):
            raise ValueError(f"option {option.name} is true or false, not {value}")
        return value.lower() in ("true", "1", "on")
    try:
        return option.parse(value)
    except (ValueError, chess.engine.EngineError):
        raise ValueError(f"option {option.name} cannot be {value}") from None


def limit_of(scheduled, clocks, turn):
    """What python-chess tells the side to move about its time."""
    mine = clocks[turn]
    control = mine.control
    limit = chess.engine.Limit(
        time=control.move_time or None, nodes=control.nodes or None, depth=control.depth or None
    )
    if control.seconds:
        white, black = clocks[chess.WHITE], clocks[chess.BLACK]
        # An opponent without a clock is shown the other's.
        limit.white_clock = (white if white.control.seconds else mine).remaining
        limit.black_clock = (black if black.control.seconds else mine).remaining
        limit.white_inc = (white if white.control.seconds else mine).control.increment
        limit.black_inc = (black if black.control.seconds else mine).control.increment
        limit.remaining_moves = mine.moves_to_go or None
        limit.clock_id = scheduled.key
    return limit
