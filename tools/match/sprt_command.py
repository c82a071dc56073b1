"""`bluekrait sprt`: a match of two engines that ends as soon as a sequential test accepts a hypothesis."""

import argparse
import sys
from collections.abc import Sequence

from bluekrait.tools.common.command_line import Parser, at_least_one
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.match.arguments import ENGINES, add_common_options, key_values, normalised
from bluekrait.tools.match.match_command import run_match
from bluekrait.tools.match.planning import plan_of
from bluekrait.tools.match.setup.contest import GAUNTLET
from bluekrait.tools.statistics.sequential import MODELS, Bounds
from bluekrait.uci.exits import FAILED, INTERRUPTED, SUCCESS

PROGRAM = "bluekrait sprt"
ROUNDS = 20_000  # the test ends undecided after these
UNDECIDED = 3
OUTCOMES: dict[str | None, tuple[str, int]] = {
    "H1": ("Passed: H1 was accepted", SUCCESS),
    "H0": ("Failed: H0 was accepted", FAILED),
}
DEFAULTS = {"elo0": "0", "elo1": "5", "alpha": "0.05", "beta": "0.05", "model": MODELS[0]}

EXAMPLES = (
    ENGINES
    + """
examples:
  is the new version stronger? H1: by 5 normalised Elo
    bluekrait sprt --engine ./new --engine ./old --tc 8+0.08 --openings book.epd order=random
  a simplification: is it not weaker? H0: it loses 5
    bluekrait sprt --engine ./simpler --engine ./old --elo0 -5 --elo1 0 --report simpler.html
Interrupted? The same command continues the test.

exit code: 0 passed (H1 accepted), 1 failed (H0 accepted), 2 wrong arguments, 3 undecided (all rounds are
played, an engine or a runner failed, or the disk is full), 130 Ctrl-C
"""
)


@with_errors_reported(PROGRAM, failed=UNDECIDED)
def main(arguments: Sequence[str] | None = None) -> int:
    """Play until the test is over; the exit code."""
    parser = Parser(
        prog=PROGRAM,
        usage="%(prog)s --engine PROGRAM --engine PROGRAM [options]",
        description="Test whether the first engine is stronger than the second, with as few games as "
        "possible: a sequential probability ratio test (SPRT) over pairs of games, as fishtest does it.",
        epilog=EXAMPLES,
    )
    add_common_options(parser, "sprt.pgn", "Elo and LLR against games")
    rounds = "end undecided after so many pairs of games (%(default)s)"
    parser.add_argument("--rounds", type=at_least_one, default=ROUNDS, metavar="N", help=rounds)
    for name, text in (
        ("elo0", "difference of hypothesis H0"),
        ("elo1", "difference of hypothesis H1"),
        ("alpha", "largest rate of rejecting H0 wrongly"),
        ("beta", "largest rate of rejecting H1 wrongly"),
    ):
        parser.add_argument(f"--{name}", type=float, metavar="X", help=f"{text} ({DEFAULTS[name]})")
    models = f"unit of elo0 and elo1: {' or '.join(MODELS)} Elo ({DEFAULTS['model']})"
    parser.add_argument("--model", choices=MODELS, help=models)
    parser.add_argument(
        "--sprt",
        action="extend",
        nargs="+",
        metavar="WORD",
        help="the same as words, as for fastchess: elo0=0 elo1=5 alpha=...",
    )
    options = parser.parse_args(normalised(sys.argv[1:] if arguments is None else arguments))
    plan = plan_of(options, options.rounds, GAUNTLET, bounds_of(options))
    if len(plan.contest.engines) != 2:
        raise ValueError("a test is between two engines")
    code, accepted = run_match(plan, options, PROGRAM)
    if code == INTERRUPTED:
        return code
    text, code = OUTCOMES.get(accepted, ("Undecided", UNDECIDED))
    print(text, flush=True)
    return code


def bounds_of(options: argparse.Namespace) -> Bounds:
    """The hypotheses and error rates that the options describe."""
    values = key_values(options.sprt, DEFAULTS, "--sprt")
    for name in DEFAULTS:
        given = getattr(options, name)
        values[name] = values[name] if given is None else str(given)
    try:
        elo0, elo1, alpha, beta = (float(values[name]) for name in ("elo0", "elo1", "alpha", "beta"))
    except ValueError as error:
        raise ValueError(f"--sprt: {error}") from None
    return Bounds(elo0, elo1, alpha, beta, values["model"])
