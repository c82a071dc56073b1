"""The figures of the slider benchmark: tables for the screen, and sections for the documentation."""

import inspect
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from bluekrait.core.sliders import gallery
from bluekrait.core.sliders.gallery import LIVE
from bluekrait.tools.sliders.slider_figures import (
    COUNT,
    CPP,
    GAMES,
    HERE,
    HIGHEST,
    LOWEST,
    MOVES,
    RANDOM,
    SETS,
    Figure,
    Key,
)

SCAN_SECTIONS = (LOWEST, HIGHEST, COUNT)
PARTS = ("figures", "techniques", "scans")  # of a document, between markers
BEGIN, END = "<!-- {} -->", "<!-- end of {} -->"

Rows: TypeAlias = list[list[str]]  # of a table, the heading first
FiguresByKey: TypeAlias = dict[Key, Figure]


class ReportError(ValueError):
    """A document has no place for a part, or there is nothing to draw; the message is one line."""


def report(figures: Sequence[Figure], live: str) -> str:
    """All tables, as text."""
    return "\n\n".join("\n".join(_aligned(rows)) for rows in _tables(figures, live))


def with_tour(text: str, figures: Sequence[Figure], live: str, where: str) -> str:
    """A document in Markdown with the parts between its markers as they should be."""
    by_key = _by_key(figures)
    measured = [f"Measured on {where}", *map("\n".join, map(_markdown, _tables(figures, live)))]
    techniques = [_section(name, gallery.open_technique(name), by_key) for name in gallery.TECHNIQUES]
    scans = [_section(name, gallery.open_scan(name), by_key) for name in gallery.SCANS]
    for name, paragraphs in zip(PARTS, (measured, techniques, scans), strict=True):
        text = _replaced(text, name, "\n\n".join(paragraphs))
    return text


def _tables(figures: Sequence[Figure], live: str) -> list[Rows]:
    """The tables that have more than a heading."""
    tables = _technique_rows(figures, live), _set_rows(figures), _move_rows(figures), _scan_rows(figures)
    return [rows for rows in tables if len(rows) > 1]


def _by_key(figures: Iterable[Figure]) -> FiguresByKey:
    return {(figure.section, figure.name, figure.made_in): figure for figure in figures}


def _technique_rows(figures: Sequence[Figure], live: str) -> Rows:
    """One slider at a time."""
    by_key = _by_key(figures)
    has_cpp = any(figure.made_in == CPP for figure in figures)
    rows = [["queen attacks", "random, M/s", "of live", "in games, M/s", "of live", "tables"]]
    rows[0] += ["C++, M/s", "ours / C++"] if has_cpp else []
    for name in (LIVE, *gallery.TECHNIQUES):
        chance, games = by_key.get((RANDOM, name, HERE)), by_key.get((GAMES, name, HERE))
        if chance and games:
            row = [
                f"{LIVE} ({live})" if name == LIVE else name,
                _rate(chance),
                _ratio(chance),
                _rate(games),
                _ratio(games),
            ]
            row.append("" if name == LIVE else _size(gallery.open_technique(name).ABOUT.table_bytes))
            cpp = [by_key[key] for key in ((RANDOM, name, CPP), (GAMES, name, CPP)) if key in by_key]
            if len(cpp) == 2:
                row.append(" and ".join(map(_rate, cpp)))
                row.append(
                    " and ".join(f"{a.millions / b.millions:.2f}" for a, b in zip((chance, games), cpp))
                )
            elif has_cpp:
                row += ["", ""]
            rows.append(row)
    return rows


def _set_rows(figures: Iterable[Figure]) -> Rows:
    """All sliders of a side at once."""
    rows = [["all sliders of a side", "M sets/s", "of live"]]
    return rows + [
        [_set_name(figure), _rate(figure), _ratio(figure)] for figure in figures if figure.section == SETS
    ]


def _set_name(figure: Figure) -> str:
    return f"{LIVE}, one by one" if figure.name == LIVE else figure.name


def _move_rows(figures: Iterable[Figure]) -> Rows:
    """What it costs to update a rotated occupancy."""
    rows = [["a move, updating the rotated occupancy", "M moves/s"]]
    return rows + [[figure.name, _rate(figure)] for figure in figures if figure.section == MOVES]


def _scan_rows(figures: Iterable[Figure]) -> Rows:
    """Finding and counting bits."""
    by_key = _by_key(figures)
    rows = [["bits", "lowest, M/s", "highest, M/s", "count, M/s", "tables"]]
    for name in gallery.SCANS:
        found = [by_key.get((section, name, HERE)) for section in SCAN_SECTIONS]
        if any(found):
            size = _size(gallery.open_scan(name).ABOUT.table_bytes)
            rows.append([name, *("" if figure is None else _rate(figure) for figure in found), size])
    return rows


def _rate(figure: Figure) -> str:
    return f"{figure.millions:.0f}"


def _ratio(figure: Figure) -> str:
    return "" if figure.of_reference is None else f"{figure.of_reference:.2f}"


def _size(count: int) -> str:
    return f"{count / 1024:,.0f} KB" if count >= 10_000 else f"{count:,} B" if count else "none"


def _aligned(rows: Rows) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, *others = (
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths))
        )
        yield "  ".join((first, *others)).rstrip()


def _markdown(rows: Rows) -> list[str]:
    head, *body = ("| " + " | ".join(row) + " |" for row in rows)
    return [head, "|---|" + "---:|" * (len(rows[0]) - 1), *body]


def _section(name: str, module: Any, by_key: FiguresByKey) -> str:
    """The technique as its module explains it, who invented it, and what was measured."""
    about = module.ABOUT
    lines = [
        f"### {name}",
        "",
        inspect.getdoc(module) or "",
        "",
        f"*{about.inventor}, {about.year}: {about.reference}. Tables: {_size(about.table_bytes)}. "
        f"Depends on {about.depends_on}.*",
    ]
    measured = [f"{what} {_rate(by_key[key])} M/s" for what, key in _measurable(name) if key in by_key]
    if measured:
        lines += ["", f"Measured: {', '.join(measured)}."]
    return "\n".join(lines)


def _measurable(name: str) -> Iterator[tuple[str, Key]]:
    for what, section in (("random", RANDOM), ("in games", GAMES), ("sets", SETS), ("moves", MOVES)):
        yield what, (section, name, HERE)
    for section in SCAN_SECTIONS:
        yield section.replace("_", " "), (section, name, HERE)
    yield "in C++, random", (RANDOM, name, CPP)


def check_places(text: str) -> None:
    """ReportError if a document lacks the markers for a part."""
    for name in PARTS:
        _around(text, name)


def _replaced(text: str, name: str, part: str) -> str:
    before, after = _around(text, name)
    return f"{before}{BEGIN.format(name)}\n\n{part}\n\n{END.format(name)}{after}"


def _around(text: str, name: str) -> tuple[str, str]:
    """What stands before and behind the place of a part."""
    begin, end = BEGIN.format(name), END.format(name)
    before, found, rest = text.partition(begin)
    _, also_found, after = rest.partition(end)
    if not (found and also_found):
        raise ReportError(f"no place for the {name}: it needs the lines {begin} and {end}")
    return before, after
