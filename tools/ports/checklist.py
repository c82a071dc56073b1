"""Checks that run one after the other, shown as a table: what was checked, did it pass, the detail."""

import subprocess
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from bluekrait.uci.exits import tell

Check: TypeAlias = Callable[[], str]  # returns a detail or raises; its docstring names it
Log: TypeAlias = Callable[[str], object]

LONGEST_DETAIL = 100  # characters


class CheckResult(NamedTuple):
    """How one check ended."""

    name: str
    passed: bool
    detail: str
    seconds: float


class CheckError(Exception):
    """A check failed; the message says how."""


def expect(condition: object, message: str) -> None:
    """Fail the check unless the condition holds."""
    if not condition:
        raise CheckError(message)


def run_checks(checks: Sequence[Check], log: Log = tell) -> list[CheckResult]:
    """Run functions that return a detail or raise; their outcomes. Their docstrings name them."""
    return [_outcome(number, len(checks), check, log) for number, check in enumerate(checks, 1)]


def name_of(check: Callable[..., str]) -> str:
    """What a check is called: the first line of its docstring, without the full stop."""
    return (check.__doc__ or check.__name__).splitlines()[0].rstrip(".")


def _outcome(number: int, total: int, check: Check, log: Log) -> CheckResult:
    name, begin = name_of(check), time.perf_counter()
    log(f"[{number}/{total}] {name} ...")
    try:
        detail, passed = check(), True
    except (CheckError, OSError, ValueError, subprocess.SubprocessError) as error:
        detail, passed = f"{error}" or type(error).__name__, False
    seconds = time.perf_counter() - begin
    log(f"[{number}/{total}] {name}: {'passed' if passed else 'FAILED'} after {seconds:.0f} s: {detail}")
    return CheckResult(name, passed, detail, seconds)


def table(outcomes: Sequence[CheckResult]) -> str:
    """The outcomes as text, in columns."""
    rows = [("check", "passed", "seconds", "detail")]
    for outcome in outcomes:
        detail = " ".join(outcome.detail.split())[:LONGEST_DETAIL]
        rows.append((outcome.name, "yes" if outcome.passed else "NO", f"{outcome.seconds:.0f}", detail))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [
        f"{name:{widths[0]}}  {passed:{widths[1]}}  {seconds:>{widths[2]}}  {detail}".rstrip()
        for name, passed, seconds, detail in rows
    ]
    lines.insert(1, "-" * max(map(len, lines)))
    passed = sum(outcome.passed for outcome in outcomes)
    return "\n".join([*lines, "", f"{passed} of {len(outcomes)} checks passed"])
