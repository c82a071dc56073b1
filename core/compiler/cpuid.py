"""What an x86-64 processor says of itself, without LLVM: the instruction CPUID, called as a function.

LLVM knows hundreds of features; here are those on which the choice of compiled code depends, with LLVM's
names. Vector registers count only if the system saves them (XGETBV).
"""

import contextlib
import ctypes
import os
import struct
import sys
from typing import NamedTuple, TypeAlias

from bluekrait.core.compiler.executable_memory import ExecutableMemory

# Leaf, subleaf and where to put four words -> EAX, EBX, ECX, EDX. Only the registers of the arguments differ.
_CPUID = """
53              push rbx
{take}
0f a2           cpuid
41 89 00        mov [r8], eax
41 89 58 04     mov [r8 + 4], ebx
41 89 48 08     mov [r8 + 8], ecx
41 89 50 0c     mov [r8 + 12], edx
5b              pop rbx
c3              ret
"""
_TAKE_UNIX = """
49 89 d0        mov r8, rdx
89 f8           mov eax, edi
89 f1           mov ecx, esi
"""
_TAKE_WINDOWS = """
89 c8           mov eax, ecx
89 d1           mov ecx, edx
"""
_XGETBV = """
31 c9           xor ecx, ecx
0f 01 d0        xgetbv
c3              ret
"""

_LISTING_COLUMNS = 16  # of a listing, which hold machine code
_FAMILY_IS_EXTENDED = 0xF

_BASIC, _STRUCTURED, _EXTENDED = 1, 7, 0x80000001  # leaves
_EBX, _ECX = 1, 2  # places in what a leaf tells
_XSAVE_ENABLED = 27  # a bit of ECX in _BASIC
_AVX_STATE, _AVX512_STATE = 0x06, 0xE6  # bits that the system sets when it saves these registers

# Leaf, register, bit, and the state that the system must save.
_FEATURES = {
    "sse3": (_BASIC, _ECX, 0, 0),
    "ssse3": (_BASIC, _ECX, 9, 0),
    "fma": (_BASIC, _ECX, 12, _AVX_STATE),
    "cx16": (_BASIC, _ECX, 13, 0),
    "sse4.1": (_BASIC, _ECX, 19, 0),
    "sse4.2": (_BASIC, _ECX, 20, 0),
    "movbe": (_BASIC, _ECX, 22, 0),
    "popcnt": (_BASIC, _ECX, 23, 0),
    "xsave": (_BASIC, _ECX, 26, _AVX_STATE),
    "avx": (_BASIC, _ECX, 28, _AVX_STATE),
    "f16c": (_BASIC, _ECX, 29, _AVX_STATE),
    "bmi": (_STRUCTURED, _EBX, 3, 0),
    "avx2": (_STRUCTURED, _EBX, 5, _AVX_STATE),
    "bmi2": (_STRUCTURED, _EBX, 8, 0),
    "avx512f": (_STRUCTURED, _EBX, 16, _AVX512_STATE),
    "avx512dq": (_STRUCTURED, _EBX, 17, _AVX512_STATE),
    "avx512cd": (_STRUCTURED, _EBX, 28, _AVX512_STATE),
    "avx512bw": (_STRUCTURED, _EBX, 30, _AVX512_STATE),
    "avx512vl": (_STRUCTURED, _EBX, 31, _AVX512_STATE),
    "sahf": (_EXTENDED, _ECX, 0, 0),
    "lzcnt": (_EXTENDED, _ECX, 5, 0),
}

Leaf: TypeAlias = tuple[int, ...]  # EAX, EBX, ECX, EDX
_NOTHING: Leaf = (0, 0, 0, 0)

_AMD = b"AuthenticAMD"
_SLOW_PEXT_FAMILIES = (0x15, 0x17)  # of AMD: PEXT is microcode there, slower than a multiplication


class Answers(NamedTuple):
    """What the processor of this machine answered."""

    vendor: bytes
    family: int
    features: frozenset[str]
    raw: bytes  # the leaves, without what differs from core to core

    @property
    def has_slow_pext(self) -> bool:
        """True if PEXT is slower than a multiplication."""
        return self.vendor == _AMD and self.family in _SLOW_PEXT_FAMILIES


def machine() -> str:
    """The kind of processor: "x86_64", "aarch64" ..."""
    if sys.platform != "win32":
        return os.uname().machine
    name = os.environ.get("PROCESSOR_ARCHITECTURE", "").lower()
    return "x86_64" if name == "amd64" else name


def ask() -> Answers | None:
    """The answers of this processor; None where it cannot be asked: on other processors and systems."""
    if sys.platform not in ("linux", "win32") or machine() != "x86_64" or sys.maxsize < 1 << 32:
        return None
    with contextlib.suppress(OSError):
        return _answers()
    return None


def _answers() -> Answers:
    take = _TAKE_WINDOWS if sys.platform == "win32" else _TAKE_UNIX
    code, code_of_xgetbv = _code_of(_CPUID.format(take=take.strip())), _code_of(_XGETBV)
    memory = ExecutableMemory(len(code) + len(code_of_xgetbv))
    memory.write(code + code_of_xgetbv)
    memory.seal()
    cpuid = memory.function(None, (ctypes.c_uint32, ctypes.c_uint32, ctypes.c_void_p))
    xgetbv = memory.function(ctypes.c_uint32, (), len(code))

    def leaf(number: int) -> Leaf:
        words = (ctypes.c_uint32 * 4)()
        cpuid(number, 0, words)
        return tuple(words)

    highest, *vendor = leaf(0)
    leaves = {
        _BASIC: leaf(_BASIC),
        _STRUCTURED: leaf(_STRUCTURED) if highest >= _STRUCTURED else _NOTHING,
        _EXTENDED: leaf(_EXTENDED) if leaf(_EXTENDED - 1)[0] >= _EXTENDED else _NOTHING,
    }
    saved = xgetbv() if leaves[_BASIC][_ECX] >> _XSAVE_ENABLED & 1 else 0
    name = struct.pack("<3I", vendor[0], vendor[2], vendor[1])
    return Answers(name, _family(leaves[_BASIC][0]), _features(leaves, saved), _raw(name, leaves, saved))


def _features(leaves: dict[int, Leaf], saved: int) -> frozenset[str]:
    return frozenset(
        name
        for name, (leaf, register, bit, state) in _FEATURES.items()
        if leaves[leaf][register] >> bit & 1 and saved & state == state
    )


def _family(signature: int) -> int:
    basic, extended = signature >> 8 & 0xF, signature >> 20 & 0xFF
    return basic + extended if basic == _FAMILY_IS_EXTENDED else basic


def _raw(vendor: bytes, leaves: dict[int, Leaf], saved: int) -> bytes:
    signature, _, *features = leaves[_BASIC]  # the second word tells which core this is
    words = (signature, *features, *leaves[_STRUCTURED], *leaves[_EXTENDED], saved)
    return vendor + struct.pack(f"<{len(words)}I", *words)


def _code_of(listing: str) -> bytes:
    """The machine code in a listing: hexadecimal bytes in its first columns."""
    return bytes.fromhex("".join(line[:_LISTING_COLUMNS] for line in listing.splitlines()))
