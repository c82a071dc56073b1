"""What is promised of compiled code: one signature a kernel, compiled once, and whole numbers only."""

import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import product
from pkgutil import walk_packages

import numba
import numpy as np
import pytest
from numba import int64
from numba.core import event

from bluekrait import core, search
from bluekrait.core import native, rules_entries
from bluekrait.core.compiler import cache, jit, kernels
from bluekrait.core.compiler.kernels import modules_of
from bluekrait.core.compiler.processor import is_interpreted
from bluekrait.search.engine import ENTRIES_MODULE, load_engine
from bluekrait.search.evaluation.classical import evaluation_entries
from helpers.kernels import uncached_kernel

if is_interpreted():
    pytest.skip("nothing is compiled", allow_module_level=True)

TOOLS = "bluekrait.tools."

for package in core, search:
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        import_module(module.name)  # whatever a module defines, no kernel is forgotten

# The tools are no part of the engine: they may calculate with other numbers.
ENGINE_KERNELS = [kernel for kernel in jit.kernels if not kernel.py_func.__module__.startswith(TOOLS)]
NAMED_ENTRIES = rules_entries.ENTRIES | evaluation_entries.ENTRIES
ENTRIES = tuple(NAMED_ENTRIES.values())
KERNELS = {
    f"{kernel.py_func.__module__}.{kernel.py_func.__name__}".removeprefix("bluekrait."): kernel
    for kernel in (*ENGINE_KERNELS, *ENTRIES)
}
each_kernel = pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)


def code_of(dispatcher):
    """The LLVM code of a function, freshly compiled or out of the cache."""
    (compiled,) = dispatcher.overloads.values()
    return str(compiled.library._shared_module or compiled.library._final_module)


def test_no_two_kernels_share_a_name():
    assert len(KERNELS) == len(ENGINE_KERNELS) + len(ENTRIES) > 100


# --- every kernel ------------------------------------------------------------------------------------


@each_kernel
def test_it_has_the_declared_signature_and_no_other(kernel):
    found = kernel.compiled.signature
    assert (found.args, found.return_type) == (kernel.declared.args, kernel.declared.return_type)
    assert len(kernel.overloads) == 1


FLOATING = r"\b(float|double)\b"


@each_kernel
def test_it_knows_no_floating_point_numbers(kernel):
    kernel.prepare()
    assert kernel.compiled.fndesc.llvm_func_name in code_of(kernel)
    assert not re.search(FLOATING, code_of(kernel))
    assert "float" not in str(kernel.compiled.type_annotation)


@pytest.mark.parametrize("decorator", [uncached_kernel, jit.inline])
def test_several_threads_may_call_it_first(decorator):
    """It was an error: the second thread found a kernel that could no longer be compiled."""
    for _ in range(5):

        @decorator(int64(int64))
        def successor(number):
            return number + 1

        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(successor, range(4))) == [1, 2, 3, 4]


def test_a_thread_that_waited_for_the_compiler_is_given_what_another_has_made():
    @jit.inline(int64(int64))
    def successor(number):
        return number + 1

    part, made = successor.compiled, successor._compile_for_args(1)
    assert (successor.compiled, successor._compile_for_args(1)) == (part, made)


@pytest.mark.parametrize(
    "decorate", [jit.kernel(int64(int64)), jit.inline(int64(int64))], ids=["kernel", "part"]
)
def test_what_was_kept_is_not_compiled_again(decorate, monkeypatch):
    files = {}
    monkeypatch.setattr(cache, "read", lambda name, *modules: files.get(name))
    monkeypatch.setattr(cache, "origin", lambda name, *modules: cache.CACHE if name in files else "")
    monkeypatch.setattr(cache, "write", lambda name, payload, *modules: files.update({name: payload}))

    def successor(number):
        return number + 1

    def fresh():
        kernel = decorate(successor)
        kernel.keep()
        return kernel

    first = fresh()
    assert not first.is_compiled()
    assert first(1) == 2
    second = fresh()
    assert second.is_compiled()
    monkeypatch.setattr(second._compiler, "compile", None)
    assert second(1) == 2
    second.prepare()
    files.clear()
    assert second.is_compiled()


@pytest.mark.parametrize("payload", [b"no pickle", pickle.dumps(()), pickle.dumps(tuple(range(9)))])
def test_what_the_cache_cannot_bring_back_is_compiled_again(payload, monkeypatch):
    monkeypatch.setattr(cache, "read", lambda *file: payload)
    part = core.knight_attacks
    for kept in (part._cache, part._part_cache):
        assert kept.load_overload(part.declared, part.targetctx) is None


def test_a_kernel_depends_on_the_functions_in_its_closure():
    kept, unknown, number = core.knight_attacks, uncached_kernel(int64(int64))(lambda number: number), 5

    def combined():
        return kept(unknown(number))

    combined.__module__ = "bluekrait.core.rules.see"
    assert modules_of(combined) == ("bluekrait.core.rules.see", "bluekrait.core.rules.attacks")


def test_python_may_call_what_kernels_consist_of():
    @jit.inline(int64(int64))
    def successor(number):
        return number + 1

    @uncached_kernel(int64(int64))
    def second_successor(number):
        return successor(successor(number))

    assert second_successor(1) == 3
    assert [successor(number) for number in (1, np.int32(2), np.uint8(3))] == [2, 3, 4]
    assert second_successor(1) == 3
    assert len(successor.overloads) == 1


def test_kernels_may_consist_of_what_python_has_called():
    @jit.inline(int64(int64))
    def successor(number):
        return number + 1

    assert successor(1) == 2

    @uncached_kernel(int64(int64))
    def second_successor(number):
        return successor(successor(number))

    assert second_successor(1) == 3


def test_what_a_kernel_returns_that_calls_itself_is_not_inferred(monkeypatch):
    """Numba would type the whole function anew for each such call."""
    monkeypatch.setattr(kernels, "_infer_type_returned", None)

    @uncached_kernel(int64(int64))
    def sum_to(number):
        return number + sum_to(number - 1) if number else 0

    assert sum_to(4) == 10


def test_floating_point_numbers_would_be_noticed():
    @uncached_kernel(int64(int64))
    def third(number):
        return int(number / 3)

    third.prepare()
    assert re.search(FLOATING, code_of(third))
    assert "float" in str(third.compiled.type_annotation)


# How Numba names a callee whose type it does not know yet; only the process that compiled it finds it later.
UNRESOLVED = "numba.unresolved"


@each_kernel
def test_it_calls_nothing_that_the_cache_could_not_bring_back(kernel):
    kernel.prepare()
    assert UNRESOLVED not in code_of(kernel)


def test_calls_that_the_cache_could_not_bring_back_would_be_noticed():
    @numba.njit
    def is_even(number):
        return number == 0 or is_odd(number - 1)

    @numba.njit
    def is_odd(number):
        return number != 0 and is_even(number - 1)

    assert is_even(2)
    assert UNRESOLVED in code_of(is_even) or UNRESOLVED in code_of(is_odd)


# --- all together ------------------------------------------------------------------------------------


def test_whatever_integers_come_nothing_is_compiled_again():
    call_everything(int, int)
    with event.install_recorder("numba:compile") as compilations:
        for word, number in product((int, np.uint64), (int, np.int64, np.int32, np.uint32, np.uint8)):
            call_everything(word, number)
    assert not compilations.buffer
    assert all(len(kernel.overloads) == 1 for kernel in jit.kernels if kernel.overloads)


def call_everything(word, number):
    """Every function that Python may call, with positions and small numbers of certain types."""
    plain = core.parse_fen(core.STARTING_FEN)
    board = core.Board(*map(word, map(int, plain.board)))
    position = core.Position(board, word(int(plain.key)), number(0), number(0))
    assert core.perft(position, number(2)) == 400
    assert core.status(position) == core.ONGOING
    assert core.checkers(position) == 0
    assert core.attacked_squares(position) >> 40 == 0x7EFFFF
    move = number if np.dtype(number).itemsize > 2 else int  # no move fits in fewer bits
    for listed in core.legal_moves(position):
        after = core.make_move(position, move(listed))
        assert core.is_legal(position, move(listed))
        assert core.see_at_least(board, move(listed), number(0))
        assert core.perft(after, number(1)) == 20
    for attacks in (core.rook_attacks, core.bishop_attacks, core.queen_attacks):
        assert attacks(number(0), word(0x303)) in (0x102, 0x200, 0x302)
    assert core.knight_attacks(number(0)) == 0x20400
    assert core.king_attacks(number(0)) == 0x302


EXCEPTION_TABLES = "eh_frame"


@pytest.mark.parametrize("unwanted", [UNRESOLVED, EXCEPTION_TABLES])
def test_the_entries_are_kept_as_machine_code(unwanted):
    load_engine()
    assert native.is_warm(ENTRIES_MODULE)
    homes = {name: entry.py_func.__module__ for name, entry in NAMED_ENTRIES.items()}
    kept = [cache.read(f"{home}.{name}.native", home) for name, home in homes.items()]
    assert all(kept) and not any(unwanted.encode() in payload for payload in kept)
