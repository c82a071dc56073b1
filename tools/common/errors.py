"""How the commands of the tools end when something fails: one line on standard error, and an exit code."""

import signal
import threading
from collections.abc import Callable
from functools import wraps
from types import FrameType
from typing import ParamSpec

from bluekrait.uci.exits import FAILED, INTERRUPTED, WRONG_ARGUMENTS, fail

Arguments = ParamSpec("Arguments")

HANGUP: int | None = getattr(signal, "SIGHUP", None)  # Windows has none


class CommandError(RuntimeError):
    """The command cannot go on. The message is one line that says why."""

    exit_code = FAILED


def with_errors_reported(
    program: str,
) -> Callable[[Callable[Arguments, int]], Callable[Arguments, int]]:
    """Decorator for a command that returns its exit code: report what it raises in one line.

    An OSError or a ValueError counts as wrong arguments: a file that is missing or not what was expected.
    """

    def decorate(command: Callable[Arguments, int]) -> Callable[Arguments, int]:
        @wraps(command)
        def reporting(*args: Arguments.args, **kwargs: Arguments.kwargs) -> int:
            end_when_terminated()
            try:
                return command(*args, **kwargs)
            except KeyboardInterrupt:
                return INTERRUPTED
            except CommandError as error:
                return fail(error, error.exit_code, program)
            except BrokenPipeError:  # the reader of our output has ended: `uci.cli` knows what to do
                raise
            except (OSError, ValueError) as error:
                return fail(error, WRONG_ARGUMENTS, program)

        return reporting

    return decorate


def end_when_terminated() -> None:
    """Let SIGTERM and a closed terminal end this process as Ctrl-C does: work is kept, its workers end."""
    if threading.current_thread() is threading.main_thread():
        for number in ending_signals():
            signal.signal(number, _interrupt)


def ending_signals() -> list[int]:
    """What asks this process to end: SIGTERM, and SIGHUP if nobody has it ignored, as nohup does."""
    if HANGUP is None or signal.getsignal(HANGUP) == signal.SIG_IGN:
        return [signal.SIGTERM]
    return [signal.SIGTERM, HANGUP]


def ignore_further_hangups(number: int) -> None:
    """After a first SIGHUP: the shell and the kernel may both send one, and work is to be kept meanwhile."""
    if number == HANGUP:
        signal.signal(number, signal.SIG_IGN)


def _interrupt(number: int, frame: FrameType | None) -> None:
    ignore_further_hangups(number)
    raise KeyboardInterrupt
