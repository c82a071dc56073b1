"""How the commands of the tools end when something fails: one line on standard error, and an exit code."""

import errno
import os
import signal
import threading
from collections.abc import Callable
from functools import wraps
from types import FrameType
from typing import ParamSpec

from bluekrait.uci.exits import FAILED, INTERRUPTED, WRONG_ARGUMENTS, fail, tell

Arguments = ParamSpec("Arguments")

# Errors of the system that no other argument would have prevented. Windows has no quotas.
FAILURES_OF_THE_SYSTEM = {
    errno.ENOSPC,
    errno.EFBIG,
    errno.EIO,
    errno.EMFILE,
    errno.ENOMEM,
    getattr(errno, "EDQUOT", errno.ENOSPC),
}

HANGUP: int | None = getattr(signal, "SIGHUP", None)  # Windows has none


class CommandError(RuntimeError):
    """The command cannot go on. The message is one line that says why."""

    exit_code = FAILED


def with_errors_reported(
    program: str, failed: int = FAILED, *, continues: bool = False
) -> Callable[[Callable[Arguments, int]], Callable[Arguments, int]]:
    """Decorator for a command that returns its exit code: report what it raises in one line.

    `failed` is the code for what is wrong with the system, such as a full disk. If an interrupted command
    `continues` when it is given again, a line says so.
    """

    def decorate(command: Callable[Arguments, int]) -> Callable[Arguments, int]:
        @wraps(command)
        def reporting(*args: Arguments.args, **kwargs: Arguments.kwargs) -> int:
            end_when_terminated()
            try:
                code = command(*args, **kwargs)
            except KeyboardInterrupt:
                code = INTERRUPTED
            except CommandError as error:
                return fail(error, error.exit_code, program)
            except MemoryError:
                return fail("there is not enough memory for this", failed, program)
            except BrokenPipeError:  # the reader of our output has ended: `uci.cli` knows what to do
                raise
            except (OSError, ValueError) as error:
                return fail_with(error, program, failed)
            if code == INTERRUPTED and continues:
                tell(f"{program}: interrupted. The same command continues")
            return code

        return reporting

    return decorate


def fail_with(error: Exception, program: str, failed: int = FAILED) -> int:
    """Print what an error says as one line; its exit code.

    A file that is missing or not what was expected counts as wrong arguments, a full disk does not.
    """
    is_failure = isinstance(error, OSError) and error.errno in FAILURES_OF_THE_SYSTEM
    return fail(error, failed if is_failure else WRONG_ARGUMENTS, program)


def end_when_terminated() -> None:
    """Let SIGTERM and a closed terminal end this process as Ctrl-C does: work is kept, its workers end."""
    if threading.current_thread() is not threading.main_thread():
        return
    signal.signal(signal.SIGTERM, _interrupt)
    if HANGUP is not None and signal.getsignal(HANGUP) != signal.SIG_IGN:  # nohup has it ignored
        signal.signal(HANGUP, _terminator(tuple(filter(os.isatty, (1, 2)))))


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Do what Ctrl-C does. An event loop has its own handler, for an exception may be lost in a callback."""
    handler = signal.getsignal(signal.SIGINT)
    if callable(handler):
        handler(signal.SIGINT, frame)
    else:  # Ctrl-C is ignored
        raise KeyboardInterrupt


def _terminator(terminals: tuple[int, ...]) -> Callable[[int, FrameType | None], None]:
    """A handler of SIGHUP that passes it on as SIGTERM; these descriptors lead to the terminal."""

    def terminate(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)  # the shell and the kernel may both send one
        for descriptor in terminals:  # to print on a closed terminal is an error
            with open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), descriptor)
        signal.raise_signal(signal.SIGTERM)

    return terminate
