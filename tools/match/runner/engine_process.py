"""An engine as a process: started, configured, asked for moves, and ended whatever state it is in."""

import asyncio
import contextlib
import logging
import math
from collections.abc import Coroutine, Mapping
from time import perf_counter
from typing import NamedTuple

import chess
import chess.engine

from bluekrait.tools.common.errors import CommandError
from bluekrait.tools.match.results.finished_games import ABANDONED, NORMAL, RULES_INFRACTION, TIME_FORFEIT
from bluekrait.tools.match.runner.processes import kill_group, register_group, start_options
from bluekrait.tools.match.runner.timed_protocols import PROTOCOLS, TimedProtocol
from bluekrait.tools.match.setup.contest import ScheduledGame
from bluekrait.tools.match.setup.engine_spec import EngineSpec
from bluekrait.tools.match.setup.time_control import SideClock, TimeControl

START_SECONDS = 30.0  # to say `uciok`
READY_SECONDS = 180.0  # to say `readyok`: an engine may compile itself first
LATE_SECONDS = 1.0  # a late move is waited for, to report the overrun
QUIT_SECONDS = 2.0  # to exit after `quit`
NOTICE_SECONDS = 0.001  # for the event loop, to learn that a process ended between two games
LONGEST_REASON = 120  # characters

INFO = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE
HINTS = {"uci": "; if it speaks XBoard's protocol, add proto=xboard"}  # for engines that do not say `uciok`
XBOARD_NAMES = {"Hash": "memory", "Threads": "cores"}  # of UCI's options

logging.getLogger("chess.engine").setLevel(logging.CRITICAL)  # errors of engines appear as game results


class StartFailure(CommandError):
    """An engine does not start. The message says which one, and why."""


class EngineFailure(Exception):
    """An engine lost its game otherwise than on the board. The reason is a text that follows its colour."""

    def __init__(self, termination: str, reason: str) -> None:
        super().__init__(reason)
        self.termination, self.reason = termination, reason


class EngineMove(NamedTuple):
    """A move, and what the engine reported with it."""

    move: chess.Move
    seconds: float
    score: chess.engine.PovScore | None = None
    depth: int = 0
    nodes: int | None = None
    selective_depth: int | None = None


class EngineProcess:
    """The process of an engine. After an EngineFailure it must be ended."""

    def __init__(self, spec: EngineSpec) -> None:
        self.spec = spec
        self.unknown: list[str] = []  # names of options to set that the engine does not have
        self.managed: list[str] = []  # and of those that python-chess sets, as each game requires
        self._transport: asyncio.SubprocessTransport | None = None
        self._protocol: TimedProtocol | None = None

    async def start(self, until_ready: bool = False) -> None:
        """Start the engine and set its options, and wait until it is ready if asked to.

        StartFailure if it does not start, or does not become ready.
        """
        spec, loop = self.spec, asyncio.get_running_loop()
        try:
            self._transport, protocol = await loop.subprocess_exec(
                PROTOCOLS[spec.protocol], *spec.command, cwd=spec.directory or None, **start_options()
            )
            self._protocol = protocol
            register_group(self._process_id())
            await _answer_within(START_SECONDS, protocol.initialize(), HINTS.get(spec.protocol, ""))
            await protocol.configure(self._known_options())
            if until_ready:
                await _answer_within(READY_SECONDS, protocol.ping())
        except (OSError, chess.engine.EngineError, ValueError) as error:
            reason = self._start_error(error)
            await self.end()
            raise StartFailure(f"{spec.name} does not start: {reason}") from None
        except BaseException:
            await self.end()
            raise

    def _running(self) -> TimedProtocol:
        """The protocol of an engine that was started."""
        assert self._protocol is not None
        return self._protocol

    def _process_id(self) -> int:
        assert self._transport is not None
        process_id = self._transport.get_pid()
        assert process_id is not None
        return process_id

    def _known_options(self) -> dict[str, chess.engine.ConfigValue]:
        """The options to set, without those that the engine does not have; names are the engine's."""
        known: dict[str, chess.engine.ConfigValue] = {}
        options = self._running().options
        for name, value in self.spec.options:
            if name not in options and self.spec.protocol == "xboard":
                name = XBOARD_NAMES.get(name, name)
            option = options.get(name)
            if option is None:
                self.unknown.append(name)
            elif option.is_managed():
                self.managed.append(name)
            else:
                known[name] = _parsed(option, value)
        return known

    @property
    def option_names(self) -> list[str]:
        """The names of the options that the engine has."""
        return list(self._running().options)

    @property
    def is_reusable(self) -> bool:
        """True if the same process can play more than one game."""
        return not self.spec.restart and self._running().is_reusable

    @property
    def counts_nodes(self) -> bool:
        """True if the engine can search a given number of nodes."""
        return self._running().counts_nodes

    async def has_ended(self) -> bool:
        """True after a game if the process has ended by itself."""
        returncode = self._running().returncode
        await asyncio.wait({returncode}, timeout=NOTICE_SECONDS)
        return returncode.done()

    async def move(self, board: chess.Board, limit: chess.engine.Limit, game_id: object) -> EngineMove:
        """Ask for a move; EngineFailure if no legal move comes in time."""
        seconds = limit.time or (limit.white_clock if board.turn else limit.black_clock)
        protocol = self._running()
        try:
            played = await self._answer(board, limit, game_id, seconds)
        except chess.engine.EngineTerminatedError:
            event = "floods its output" if protocol.is_flooding else "disconnects"
            raise EngineFailure(ABANDONED, f" {event}") from None
        except (chess.engine.EngineError, ValueError) as error:
            raise self._move_failure(error) from None
        if played.resigned:
            raise EngineFailure(NORMAL, " resigns")
        if not played.move or played.move not in board.legal_moves:
            raise self._move_failure()
        taken = max(0.0, protocol.answered - protocol.asked)
        info = played.info
        return EngineMove(
            played.move,
            taken,
            info.get("score"),
            info.get("depth", 0),
            info.get("nodes"),
            info.get("seldepth"),
        )

    async def _answer(
        self, board: chess.Board, limit: chess.engine.Limit, game_id: object, seconds: float | None
    ) -> chess.engine.PlayResult:
        """The engine's answer. The time for preparing a new game is not on its clock.

        Without a clock a search may take hours: it is waited for as long as the process lives.
        """
        began, protocol = perf_counter(), self._running()
        longest = math.inf if seconds is None else seconds + self.spec.time.margin + LATE_SECONDS
        play = asyncio.ensure_future(protocol.play(board, limit, game=game_id, info=INFO))
        try:
            while not play.done():
                is_asked = protocol.asked > began
                deadline = protocol.asked + longest if is_asked else began + READY_SECONDS
                if perf_counter() > deadline:
                    if is_asked:
                        raise EngineFailure(TIME_FORFEIT, " loses on time (no answer)")
                    raise EngineFailure(ABANDONED, "'s connection stalls")
                if protocol.is_flooding:
                    kill_group(self._process_id())
                await asyncio.wait({play}, timeout=min(0.1, max(0.001, deadline - perf_counter())))
            return play.result()
        finally:
            if not play.done():
                play.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await play

    def _move_failure(self, error: Exception | str = "") -> EngineFailure:
        """The failure of an engine that answered without a legal move."""
        protocol = self._running()
        complaint = getattr(protocol, "complaint", "")
        words = protocol.answer_text.split()
        if complaint:
            return EngineFailure(RULES_INFRACTION, f" rejects a move ({complaint[:40]})")
        if words:
            return EngineFailure(RULES_INFRACTION, f" makes an illegal move: {words[0][:10]}")
        return EngineFailure(ABANDONED, f" gives up ({error or 'no move'})"[:LONGEST_REASON])

    def _start_error(self, error: BaseException) -> str:
        """Why the engine did not start, in one line: with the last line of its standard error."""
        stderr = self._protocol.stderr_tail.decode(errors="replace").split("\n") if self._protocol else []
        lines = [line.strip() for line in stderr if line.strip()]
        text = f"{error} ({lines[-1]})" if lines else str(error)
        return " ".join(text.split())[:LONGEST_REASON]

    async def end(self, send_quit: bool = False) -> None:
        """End the process and all that it started."""
        if self._transport is None:
            return
        protocol, process_id = self._running(), self._process_id()
        if send_quit and not protocol.returncode.done():
            protocol.send_line("quit")
            await asyncio.wait({protocol.returncode}, timeout=QUIT_SECONDS)
        kill_group(process_id, protocol.returncode.done())
        protocol.stop_listening()
        await asyncio.wait({protocol.returncode}, timeout=QUIT_SECONDS)
        self._transport.close()
        self._transport = None


async def _answer_within(seconds: float, answer: Coroutine[object, object, None], hint: str = "") -> None:
    """Wait for an answer; EngineError, with the hint, if it does not come in time."""
    try:
        await asyncio.wait_for(answer, seconds)
    except asyncio.TimeoutError:
        raise chess.engine.EngineError(f"no answer within {seconds:.0f} s{hint}") from None


def _parsed(option: chess.engine.Option, value: str) -> chess.engine.ConfigValue:
    """An option's value as python-chess expects it; ValueError if the engine would not accept it."""
    if option.type == "check":
        if value.lower() not in ("true", "false", "1", "0", "on", "off"):
            raise ValueError(f"option {option.name} is true or false, not {value}")
        return value.lower() in ("true", "1", "on")
    try:
        return option.parse(value)
    except (ValueError, chess.engine.EngineError):
        raise ValueError(f"option {option.name} cannot be {value}") from None


def limit_without_clock(control: TimeControl) -> chess.engine.Limit:
    """What a time control says of every move: time, nodes, depth."""
    return chess.engine.Limit(
        time=control.move_time or None, nodes=control.nodes or None, depth=control.depth or None
    )


def limit_of(
    scheduled: ScheduledGame, clocks: Mapping[chess.Color, SideClock], turn: chess.Color
) -> chess.engine.Limit:
    """The limit of a move for python-chess: clocks, nodes, depth."""
    mine = clocks[turn]
    limit = limit_without_clock(mine.control)
    if mine.control.seconds:
        both = clocks[chess.WHITE], clocks[chess.BLACK]
        # UCI wants both clocks: a side without one is shown the other's.
        white, black = (clock if clock.control.seconds else mine for clock in both)
        limit.white_clock, limit.black_clock = white.remaining, black.remaining
        limit.white_inc, limit.black_inc = white.control.increment, black.control.increment
        limit.remaining_moves = mine.moves_to_go or None
        limit.clock_id = scheduled.key
    return limit
