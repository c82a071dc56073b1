"""The tables of slider figures, on the screen and in a document."""

import re

from bluekrait.core.sliders.gallery import LIVE
from bluekrait.tools.sliders.slider_figures import (
    COUNT,
    CPP,
    GAMES,
    HERE,
    LOWEST,
    MOVES,
    RANDOM,
    SETS,
    Figure,
)
from bluekrait.tools.sliders.slider_report import PARTS, report, with_tour

FIGURES = [
    Figure(RANDOM, LIVE, HERE, 200.4, 1.0),
    Figure(GAMES, LIVE, HERE, 300.0, 1.0),
    Figure(RANDOM, "kindergarten", HERE, 100.0, 0.5),
    Figure(GAMES, "kindergarten", HERE, 150.0, 0.45),
    Figure(RANDOM, "kogge-stone", HERE, 50.0, 0.25),
    Figure(GAMES, "kogge-stone", HERE, 60.0, 0.2),
    Figure(RANDOM, "kindergarten", CPP, 80.0, None),
    Figure(GAMES, "kindergarten", CPP, 100.0, None),
    Figure(SETS, LIVE, HERE, 10.0, 1.0),
    Figure(SETS, "kogge-stone", HERE, 25.0, 2.5),
    Figure(MOVES, "rotated", HERE, 70.0, None),
    Figure(LOWEST, "hardware", HERE, 900.0, 1.0),
    Figure(COUNT, "hardware", HERE, 800.0, 1.0),
    Figure(COUNT, "kernighan", HERE, 120.0, 0.15),
]
REPORT = """\
queen attacks  random, M/s  of live  in games, M/s  of live  tables    C++, M/s     ours / C++
live (pext)            200     1.00            300     1.00
kogge-stone             50     0.25             60     0.20    none
kindergarten           100     0.50            150     0.45   10 KB  80 and 100  1.25 and 1.50

all sliders of a side  M sets/s  of live
live, one by one             10     1.00
kogge-stone                  25     2.50

a move, updating the rotated occupancy  M moves/s
rotated                                        70

bits       lowest, M/s  highest, M/s  count, M/s  tables
hardware           900                       800    none
kernighan                                    120    none"""


def test_each_kind_of_figures_has_a_table():
    assert report(FIGURES, "pext") == REPORT
    ours = report([figure for figure in FIGURES if figure.made_in == HERE], "pext")
    assert ours.splitlines()[3] == "kindergarten           100     0.50            150     0.45   10 KB"
    assert "C++" not in ours
    only_bits = [figure for figure in FIGURES if figure.name == "kernighan"]
    assert report(only_bits, "pext").splitlines()[1:] == [REPORT.splitlines()[-1]]


def test_a_document_gets_the_tables_and_what_was_measured_of_each():
    places = "".join(f"<!-- {part} -->what was there<!-- end of {part} -->" for part in PARTS)
    text = with_tour(f"before{places}after", FIGURES, "pext", "one core.")
    assert text.startswith(
        "before<!-- figures -->\n\nMeasured on one core.\n\n| queen attacks | random, M/s |"
    )
    assert text.endswith("\n\n<!-- end of scans -->after")
    assert "what was there" not in text
    assert "| kogge-stone | 50 | 0.25 | 60 | 0.20 | none |  |  |\n" in text
    assert "| bits | lowest, M/s | highest, M/s | count, M/s | tables |\n|---|---:|---:|---:|---:|\n" in text
    assert re.findall("Measured: (.*)", text) == [
        "random 50 M/s, in games 60 M/s, sets 25 M/s.",
        "moves 70 M/s.",
        "random 100 M/s, in games 150 M/s, in C++, random 80 M/s.",
        "lowest square 900 M/s, popcount 800 M/s.",
        "popcount 120 M/s.",
    ]
