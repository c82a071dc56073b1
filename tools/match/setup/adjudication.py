"""Adjudication rules from command-line words: `--resign movecount=3 score=400 --draw ... --tb DIRS`."""

from collections.abc import Mapping

from bluekrait.tools.match.setup.contest import Rules
from bluekrait.tools.match.setup.engine_spec import is_on
from bluekrait.tools.match.setup.tablebases import open_tables

RESIGN = {"movecount": "3", "score": "400", "twosided": "false"}  # the meaning of --resign alone
DRAW = {"movenumber": "34", "movecount": "8", "score": "10"}  # the meaning of --draw alone

Words = Mapping[str, str]  # the values of an option's key=value words


def parse_rules(
    resign: Words | None = None,
    draw: Words | None = None,
    max_moves: int = 0,
    tables: str = "",
    tablebase_pieces: int = 0,
    tables_ignore_fifty: bool = False,
) -> Rules:
    """The adjudication rules; None stands for an option that is not given. ValueError if one is invalid."""
    rules = Rules(max_moves=max_moves)
    if tables:
        open_tables(tables)  # an error now rather than in the first game
        rules = rules._replace(
            tables=tables, tablebase_pieces=tablebase_pieces, tables_ignore_fifty=tables_ignore_fifty
        )
    if resign is not None:
        rules = rules._replace(
            resign_moves=_number(resign, "resign", "movecount", 1),
            resign_score=_number(resign, "resign", "score"),
            resign_twosided=is_on("--resign twosided", resign.get("twosided", "off")),
        )
    if draw is not None:
        rules = rules._replace(
            draw_moves=_number(draw, "draw", "movecount", 1),
            draw_score=_number(draw, "draw", "score"),
            draw_from=_number(draw, "draw", "movenumber"),
        )
    return rules


def _number(words: Words, option: str, key: str, least: int = 0) -> int:
    text = words.get(key, "0")
    number = int(text) if text.isdecimal() else -1
    if number < least:
        raise ValueError(f"--{option} {key} is a number of at least {least}, not {text!r}")
    return number
