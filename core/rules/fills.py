"""Sliding attacks without tables: Kogge-Stone fills of sets of sliders, for words and for vectors of words.

These functions are compiled for the types that they are called with: `uint64` for one board, or a vector
(`core.counting.vectors`) in which every lane belongs to another board.
"""

from typing import Any

from bluekrait.core.compiler.jit import generic
from bluekrait.core.rules.bits import NOT_FILE_H, S1


@generic
def open_line(empty: Any, step: Any, mask_up: Any, mask_down: Any) -> Any:
    """Propagators of a Kogge-Stone fill by one step, by two and by four, up and down a line.

    The masks keep a step from leaving the board at one edge and coming back at the other.
    """
    up, down = empty & mask_up, empty & mask_down
    up_two, down_two = up & (up << step), down & (down >> step)
    up_four, down_four = up_two & (up_two << (step + step)), down_two & (down_two >> (step + step))
    return up, up_two, up_four, down, down_two, down_four


@generic
def slide(sliders: Any, line: Any, step: Any, mask_up: Any, mask_down: Any) -> Any:
    """Kogge-Stone fill: all squares that sliders attack along a line, upwards and downwards."""
    return slide_up(sliders, line, step, mask_up), slide_down(sliders, line, step, mask_down)


@generic
def slide_up(sliders: Any, line: Any, step: Any, mask: Any) -> Any:
    """The upward half of `slide`."""
    sliders = sliders | (line[0] & (sliders << step))
    sliders = sliders | (line[1] & (sliders << (step + step)))
    sliders = sliders | (line[2] & (sliders << (step + step + step + step)))
    return (sliders << step) & mask


@generic
def slide_down(sliders: Any, line: Any, step: Any, mask: Any) -> Any:
    """The downward half of `slide`."""
    sliders = sliders | (line[3] & (sliders >> step))
    sliders = sliders | (line[4] & (sliders >> (step + step)))
    sliders = sliders | (line[5] & (sliders >> (step + step + step + step)))
    return (sliders >> step) & mask


@generic
def slide_on_rank(sliders: Any, line: Any, empty: Any) -> Any:
    """The same along ranks. Eastwards an addition finds the attacks: its carry crosses empty squares."""
    free, movable = empty & NOT_FILE_H, sliders & NOT_FILE_H
    east = (free + movable + movable) ^ free
    return east, slide_down(sliders, line, S1, NOT_FILE_H)
