"""The list of all techniques, and the way to their modules, which are imported only when asked for."""

from importlib import import_module
from typing import NamedTuple

from bluekrait.core.compiler import cache, processor

LIVE = "live"  # the engine's own lookup, whatever that is on this machine


class Exhibit(NamedTuple):
    """What one must know of a technique before its module is imported."""

    family: str  # the folder of its module
    has_tables: bool = True
    shelf: str = ""  # the technique whose tables it reads, if they are not its own
    has_view: bool = False  # attacks are asked of a view of the occupancy, which is kept in step
    is_setwise: bool = False  # has functions for many sliders at once
    needs_search: bool = False  # for its numbers, which would take plain Python hours


# By name; the module is called the same, with underscores. In the order of the tour in docs/sliders.md.
TECHNIQUES = {
    "classical": Exhibit("lines"),
    "subtraction": Exhibit("lines"),
    "hyperbola": Exhibit("lines"),
    "hyperbola-simd": Exhibit("lines", shelf="hyperbola"),
    "dumb7": Exhibit("fills", has_tables=False, is_setwise=True),
    "kogge-stone": Exhibit("fills", has_tables=False, is_setwise=True),
    "kogge-stone-simd": Exhibit("fills", has_tables=False, is_setwise=True),
    "first-rank": Exhibit("lines"),
    "rotated": Exhibit("lines", has_view=True),
    "rotated-indices": Exhibit("lines", has_view=True),
    "kindergarten": Exhibit("lines"),
    "congruent-modulo": Exhibit("lines"),
    "plain-magic": Exhibit("hashing", needs_search=True),
    "fancy-magic": Exhibit("hashing", needs_search=True),
    "black-magic": Exhibit("hashing", needs_search=True),
    "pext": Exhibit("hashing"),
}

# Ways to find the lowest or the highest bit of a word, or to count its bits: what each of them can do.
SCANS = {
    "hardware": ("lowest_square", "highest_square", "popcount"),
    "de-bruijn": ("lowest_square", "highest_square"),
    "modulo-67": ("lowest_square",),
    "tables-16": ("lowest_square", "highest_square", "popcount"),
    "kernighan": ("popcount",),
}


def open_technique(name):
    """The module of a technique."""
    return import_module(module_of(name))


def module_of(name):
    """The name of the module of a technique, or of a way to scan bits."""
    family = "scans" if name in SCANS else TECHNIQUES[name].family
    return f"{__package__}.{family}.{name.replace('-', '_')}"


def open_scan(name):
    """The module of a way to scan or to count bits."""
    return import_module(module_of(name))


def usable():
    """The techniques that this machine can carry out."""
    if processor.is_interpreted():
        return [name for name, exhibit in TECHNIQUES.items() if not exhibit.needs_search]
    return [name for name in TECHNIQUES if name != "pext" or processor.has_pext()]


def stand_ins():
    """The techniques that BLUEKRAIT_SLIDERS may name: those that need only square and occupancy."""
    return [name for name in usable() if name not in cache.OWN_SLIDERS and not TECHNIQUES[name].has_view]


def checked(name):
    """The name, if BLUEKRAIT_SLIDERS may say so."""
    if name not in stand_ins():
        known = ", ".join(filter(None, (*cache.OWN_SLIDERS, *stand_ins())))
        raise ValueError(f"BLUEKRAIT_SLIDERS must be one of {known}, not {name!r}")
    return name
