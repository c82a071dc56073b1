"""`bluekrait tune`: tune evaluation and search, train networks, compare versions."""

import sys
from collections.abc import Iterable, Sequence
from importlib import import_module

from bluekrait.tools.common.command_line import MixedParser, Parser

MODES = {
    "evaluation": "bluekrait.tools.tuning.evaluation.tune_evaluation",
    "network": "bluekrait.tools.network.train_command",
    "search": "bluekrait.tools.tuning.search.tune_search",
    "compare": "bluekrait.tools.tuning.compare.compare_versions",
}

EXAMPLES = """\
examples:
  bluekrait tune evaluation positions.bkg                # fit the evaluation to what bluekrait datagen wrote
  bluekrait tune search tuning.jsonl --iterations 2000   # let the search play against itself
  bluekrait tune network FOLDER positions.bkg            # train a network on the same
  bluekrait tune compare FOLDER/network.bknn             # is it better than the network of the package?
  bluekrait tune evaluation --help
  bluekrait tune search --help
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the first argument names; the exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    named = [mode for mode in arguments[:1] if mode in MODES]
    options = parser(named or MODES).parse_args(arguments)
    code: int = options.run(options)
    return code


def parser(names: Iterable[str] = MODES) -> Parser:
    """The command line parser of some modes. Others are not imported: two of them need the compiler."""
    parser = Parser(
        prog="bluekrait tune",
        description="Tune the evaluation, the search, or train a network; compare two versions.",
        epilog=EXAMPLES,
    )
    modes = parser.add_subparsers(metavar="MODE", required=True, parser_class=MixedParser)
    for name in names:
        import_module(MODES[name]).add_to(modes)
    return parser


if __name__ == "__main__":
    sys.exit(main())
