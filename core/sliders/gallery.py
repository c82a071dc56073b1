"""The list of all techniques; their modules are imported only when they are asked for."""

from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from bluekrait.core.compiler import cache, processor

LIVE = "live"  # the engine's own lookup, whatever that is on this machine


class Technique(NamedTuple):
    """What must be known of a technique before its module is imported."""

    family: str  # the folder of its module
    has_tables: bool = True
    tables_of: str = ""  # the technique whose tables it reads, if not its own
    is_rotated: bool = False  # takes the occupancy in several orders, instead of the occupancy
    is_setwise: bool = False  # has functions for many sliders at once
    needs_search: bool = False  # for magic numbers, which would take plain Python hours


# By name; the module is called the same, with underscores. In the order of the tour in docs/sliders.md.
TECHNIQUES = {
    "classical": Technique("lines"),
    "subtraction": Technique("lines"),
    "hyperbola": Technique("lines"),
    "hyperbola-simd": Technique("lines", tables_of="hyperbola"),
    "dumb7": Technique("fills", has_tables=False, is_setwise=True),
    "kogge-stone": Technique("fills", has_tables=False, is_setwise=True),
    "kogge-stone-simd": Technique("fills", has_tables=False, is_setwise=True),
    "first-rank": Technique("lines"),
    "rotated": Technique("lines", is_rotated=True),
    "rotated-indices": Technique("lines", is_rotated=True),
    "kindergarten": Technique("lines"),
    "congruent-modulo": Technique("lines"),
    "plain-magic": Technique("hashing", needs_search=True),
    "fancy-magic": Technique("hashing", needs_search=True),
    "black-magic": Technique("hashing", needs_search=True),
    "pext": Technique("hashing"),
}

# Ways to find the lowest or the highest bit of a word, or to count its bits, and the functions of each.
SCANS = {
    "hardware": ("lowest_square", "highest_square", "popcount"),
    "de-bruijn": ("lowest_square", "highest_square"),
    "modulo-67": ("lowest_square",),
    "tables-16": ("lowest_square", "highest_square", "popcount"),
    "kernighan": ("popcount",),
}


def open_technique(name: str) -> ModuleType:
    """The module of a technique."""
    return import_module(module_of(name))


def module_of(name: str) -> str:
    """The name of the module of a technique, or of a way to scan bits."""
    family = "scans" if name in SCANS else TECHNIQUES[name].family
    return f"{__package__}.{family}.{name.replace('-', '_')}"


def open_scan(name: str) -> ModuleType:
    """The module of a way to scan or to count bits."""
    return import_module(module_of(name))


def usable() -> list[str]:
    """The techniques that this machine can run."""
    if processor.is_interpreted():
        return [name for name, facts in TECHNIQUES.items() if not facts.needs_search]
    return [name for name in TECHNIQUES if name != "pext" or processor.has_pext()]


def replacements() -> list[str]:
    """The techniques that BLUEKRAIT_SLIDERS may name: those that need only square and occupancy."""
    return [name for name in usable() if name not in cache.OWN_SLIDERS and not TECHNIQUES[name].is_rotated]


def checked(name: str) -> str:
    """The name; a ValueError if it is no value for BLUEKRAIT_SLIDERS."""
    if name not in replacements():
        known = ", ".join(filter(None, (*cache.OWN_SLIDERS, *replacements())))
        raise ValueError(f"BLUEKRAIT_SLIDERS must be one of {known}, not {name!r}")
    return name
