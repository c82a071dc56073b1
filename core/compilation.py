"""What has to be compiled for some entries, and in which order.

A unit is what one process compiles without a break: the parts that a module defines, or an entry. A unit
needs the parts of all modules that its own module imports. Whatever is compiled is kept in the cache, where
another process finds it: so two processes can share the units, see `core.second_compiler`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Condition
from typing import NamedTuple

from bluekrait.core import machine_code
from bluekrait.core.compiler import cache, jit, sources
from bluekrait.core.compiler.kernels import Kernel

PATIENCE = 120.0  # seconds without news, after which whoever has begun a unit is thought to be stopped


class Unit(NamedTuple):
    """The parts of a module, or an entry."""

    name: str  # of the module, or of the entry
    home: str  # the module in which it stands
    kernels: Sequence[Kernel]

    def is_entry(self) -> bool:
        """True for an entry, False for the parts of a module."""
        return self.name != self.home


def homes_of(entries: Mapping[str, Kernel]) -> dict[str, str]:
    """The modules in which entries stand."""
    return {name: kernel.py_func.__module__ for name, kernel in entries.items()}


def units_of(entries: Mapping[str, Kernel]) -> list[Unit]:
    """The parts that entries consist of and that were not compiled before, and the entries themselves."""
    homes = homes_of(entries)
    needed = sources.closure_of(*homes.values())
    parts: dict[str, list[Kernel]] = {}
    for kernel in jit.kernels:
        home = kernel.py_func.__module__
        if home in needed and not kernel.is_compiled():
            parts.setdefault(home, []).append(kernel)
    return [
        *(Unit(home, home, kernels) for home, kernels in parts.items()),
        *(Unit(name, homes[name], [kernel]) for name, kernel in entries.items()),
    ]


def compile_unit(unit: Unit, on_kernel: Callable[[int, str], None] = lambda done, name: None) -> None:
    """Compile a unit and keep it, at once: the next may be interrupted. `on_kernel` is called before each."""
    for done, kernel in enumerate(unit.kernels):
        on_kernel(done, kernel.py_func.__name__)
        kernel.prepare()
        if unit.is_entry():
            machine_code.keep(unit.name, unit.home, kernel.compiled)


def is_kept(unit: Unit) -> bool:
    """True if other processes find what was compiled of a unit."""
    if unit.is_entry():
        return bool(cache.origin(*machine_code.file_of(unit.name, unit.home)))
    return all(kernel.is_compiled() for kernel in unit.kernels)


class Plan:
    """Which unit comes next, for every thread that asks, and how much is done."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._waiting = list(units)
        self._begun: list[Unit] = []
        self._changed = Condition()
        self.kernels = sum(len(unit.kernels) for unit in units)
        self.kernels_done = 0

    def __iter__(self) -> Iterator[Unit]:
        """Units, each as soon as what it needs is there, until nothing is left to do.

        A unit that was given out is done when its thread asks for the next, unless it was given back.
        """
        while unit := self._next():
            yield unit
            self._finish(unit)

    def give_back(self, unit: Unit) -> None:
        """Leave a unit to the others."""
        with self._changed:
            if unit in self._begun:
                self._begun.remove(unit)
                self._waiting.insert(0, unit)
                self._changed.notify_all()

    def give_up(self) -> None:
        """Nobody is given another unit."""
        with self._changed:
            self._waiting.clear()
            self._begun.clear()
            self._changed.notify_all()

    def _next(self) -> Unit | None:
        with self._changed:
            while self._waiting or self._begun:
                ready = next(filter(self._is_ready, self._waiting), None)
                if not self._begun and self._waiting:  # nothing is to be waited for
                    ready = ready or self._waiting[0]
                if ready:
                    self._waiting.remove(ready)
                    self._begun.append(ready)
                    return ready
                if not self._changed.wait(PATIENCE):
                    return next(iter(self._begun), None)
            return None

    def _is_ready(self, unit: Unit) -> bool:
        needed = sources.closure_of(unit.home)
        unfinished = (*self._waiting, *self._begun)
        return not any(other.name in needed for other in unfinished if other is not unit)

    def _finish(self, unit: Unit) -> None:
        with self._changed:
            if unit in self._begun:
                self._begun.remove(unit)
                self.kernels_done += len(unit.kernels)
                self._changed.notify_all()
