"""`bluekrait tune`: tune evaluation and search, train networks, compare versions."""

import sys
from collections.abc import Sequence

from bluekrait.tools.common.command_line import MixedParser, Parser
from bluekrait.tools.network import train_command as tune_network
from bluekrait.tools.tuning.compare import compare_versions
from bluekrait.tools.tuning.evaluation import tune_evaluation
from bluekrait.tools.tuning.search import tune_search

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
    options = parser().parse_args(arguments)
    code: int = options.run(options)
    return code


def parser() -> Parser:
    """The command line parser."""
    parser = Parser(
        prog="bluekrait tune",
        description="Tune the evaluation, the search, or train a network; compare two versions.",
        epilog=EXAMPLES,
    )
    modes = parser.add_subparsers(metavar="MODE", required=True, parser_class=MixedParser)
    tune_evaluation.add_to(modes)
    tune_network.add_to(modes)
    tune_search.add_to(modes)
    compare_versions.add_to(modes)
    return parser


if __name__ == "__main__":
    sys.exit(main())
