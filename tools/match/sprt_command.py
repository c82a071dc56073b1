"""`bluekrait sprt`: a match between two engines that ends as soon as it is sure which hypothesis holds."""

import sys

from bluekrait.tools.common.command_line import Parser, at_least_one
from bluekrait.tools.match.arguments import ENGINES, add_common_options, key_values, normalised
from bluekrait.tools.match.match_command import run_match
from bluekrait.tools.match.planning import plan_of
from bluekrait.tools.match.setup.contest import GAUNTLET
from bluekrait.tools.statistics.sequential import MODELS, Bounds
from bluekrait.uci.exits import FAILED, INTERRUPTED, SUCCESS, WRONG_ARGUMENTS, fail

PROGRAM = "bluekrait sprt"
ROUNDS = 20_000  # after which a test gives up
UNDECIDED = 3
DEFAULTS = {"elo0": "0", "elo1": "5", "alpha": "0.05", "beta": "0.05", "model": MODELS[0]}

EXAMPLES = (
    ENGINES
    + """
examples:
  is the new version better? about so, if it gains 5 normalised Elo
    bluekrait sprt --engine ./new --engine ./old --tc 8+0.08 --openings book.epd order=random
  a simplification: it may not lose much
    bluekrait sprt --engine ./simpler --engine ./old --elo0 -5 --elo1 0 --report simpler.html
Interrupted? The same command goes on where it was.

exit code: 0 it passes (H1: the difference is elo1 rather than elo0), 1 it fails (H0), 3 undecided: all rounds
are played, or the match broke down; 2 wrong arguments, 130 Ctrl-C
"""
)


def main(arguments=None):
    """Play until the test is over; the exit code."""
    parser = Parser(
        prog=PROGRAM,
        description="Test whether one engine is stronger than another, with no more games than it takes: a\n"
        "sequential probability ratio test over pairs of games, as fishtest and OpenBench do it.",
        epilog=EXAMPLES,
    )
    add_common_options(parser, "sprt.pgn")
    rounds = "pairs of games after which it gives up (%(default)s)"
    parser.add_argument("--rounds", type=at_least_one, default=ROUNDS, metavar="N", help=rounds)
    for name, text in (
        ("elo0", "difference of hypothesis H0"),
        ("elo1", "difference of hypothesis H1"),
        ("alpha", "how often H0 may be rejected though it holds"),
        ("beta", "how often H1 may be rejected though it holds"),
    ):
        parser.add_argument(f"--{name}", type=float, metavar="X", help=f"{text} ({DEFAULTS[name]})")
    models = f"what a difference is measured in: {' or '.join(MODELS)} Elo ({DEFAULTS['model']})"
    parser.add_argument("--model", choices=MODELS, help=models)
    parser.add_argument(
        "--sprt", nargs="+", metavar="WORD", help="the same as words: elo0=0 elo1=5 alpha=..."
    )
    options = parser.parse_args(normalised(sys.argv[1:] if arguments is None else arguments))
    try:
        plan = plan_of(options, options.rounds, GAUNTLET, bounds_of(options))
        if len(plan.contest.engines) != 2:
            raise ValueError("a test is between two engines")
    except (OSError, ValueError) as error:
        return fail(error, WRONG_ARGUMENTS, PROGRAM)
    code, verdict = run_match(plan, options, PROGRAM)
    if code in (WRONG_ARGUMENTS, INTERRUPTED):
        return code
    print(
        {"H1": "Passed: H1 was accepted", "H0": "Failed: H0 was accepted"}.get(verdict, "Undecided"),
        flush=True,
    )
    return {"H1": SUCCESS, "H0": FAILED}.get(verdict, UNDECIDED)


def bounds_of(options):
    """The two hypotheses, and how sure the test has to be."""
    values = key_values(options.sprt, DEFAULTS, "--sprt")
    for name in DEFAULTS:
        given = getattr(options, name)
        values[name] = values[name] if given is None else given
    try:
        numbers = [float(values[name]) for name in ("elo0", "elo1", "alpha", "beta")]
    except ValueError as error:
        raise ValueError(f"--sprt: {error}") from None
    return Bounds(*numbers, values["model"])
