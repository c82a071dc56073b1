"""`bluekrait tune average`: the mean of two networks, of which one was trained on from the other.

What a network learns from a finite number of games is partly chance. The mean of the weights before and
after has less of that, and keeps more of what was known before. It makes sense only for networks whose hidden
numbers mean the same: those of one run and of the run that began with it (`--start`).
"""

import argparse
import os
from typing import Any

import numpy as np

from bluekrait.search.evaluation.network.network_file import Head
from bluekrait.tools.common.command_line import share
from bluekrait.tools.common.errors import with_errors_reported
from bluekrait.tools.common.whole_file import write_whole
from bluekrait.tools.network.weights import Weights, over, packed, read_weights
from bluekrait.uci.exits import SUCCESS

PROGRAM = "bluekrait tune average"

EXAMPLES = """\
examples:
  halfway between a network and what it became
    bluekrait tune average run/network.bknn before.bknn -o mean.bknn
  mostly the new one
    bluekrait tune average run/network.bknn before.bknn --share 0.8 -o mean.bknn
  is it better than either?
    bluekrait tune compare mean.bknn run/network.bknn --games 2000
"""


def add_to(modes: "argparse._SubParsersAction[Any]") -> None:
    """Describe this mode of `bluekrait tune`."""
    parser = modes.add_parser(
        "average",
        help="write the mean of two networks, one of which was trained on from the other",
        description="Write a network whose weights are the mean of those of two others. One of them should "
        "have been trained on from the other (tune network --start).",
        epilog=EXAMPLES,
    )
    parser.add_argument("one", metavar="ONE", help="the file of a network")
    parser.add_argument("other", metavar="OTHER", help="the file of the other one")
    parser.add_argument(
        "--share", type=share, default=0.5, metavar="X", help="how much ONE counts (%(default)s)"
    )
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the file to write")
    parser.set_defaults(run=run)


@with_errors_reported(PROGRAM)
def run(options: argparse.Namespace) -> int:
    """Read both networks and write their mean; the exit code."""
    names = options.one, options.other
    (one, head), (other, other_head) = map(read_weights, names)
    for field in "width", "buckets", "regions", "kind", "factor":
        values = getattr(head, field), getattr(other_head, field)
        if values[0] != values[1]:
            raise ValueError(f"the networks differ in their {field}: {values[0]} and {values[1]}")
    data = {
        "mean of": [
            {"file": os.path.basename(name), "share": round(part, 6), **each.data}
            for name, part, each in zip(names, (options.share, 1 - options.share), (head, other_head))
        ]
    }
    write_whole(options.output, packed(mean(one, other, options.share), described(head, data)))
    print(f"{options.output}: {options.share:g} of {options.one}, {1 - options.share:g} of {options.other}")
    return SUCCESS


def mean(one: Weights, other: Weights, share_of_one: float) -> Weights:
    """The weighted mean of the weights of two networks of one shape."""
    row = share_of_one * one.row + (1 - share_of_one) * other.row
    return over(row.astype(np.float32), one.shape)


def described(head: Head, data: dict[str, Any]) -> Head:
    """The head of the mean: the architecture of one of both, and what it was made of."""
    return head._replace(name="", data=data)
