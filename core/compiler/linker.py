"""Linking of compiled entries without LLVM, whose library takes longer to load than all the rest of a start.

An entry stands alone, and is compiled for the large code model: on x86-64 all that its object file asks for
are addresses of 64 bits, written into code and constants. So a linker is a page of Python. An object file
that needs more, or is one of another processor or another format, is refused with `LinkError`. Then
`core.native` asks llvmlite, which can link everything.
"""

import ctypes
import struct
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from bluekrait.core.compiler.executable_memory import ExecutableMemory

# From the ELF specification. Fields that are not needed are skipped.
_FILE_HEADER = struct.Struct("<4sBB10x2xH20xQ10xHH2x")
_SECTION_HEADER = struct.Struct("<IIQ8xQQIIQ8x")
_SYMBOL = struct.Struct("<IB1xHQ8x")
_RELOCATION = struct.Struct("<QIIq")
_ELF, _64_BITS, _LITTLE_ENDIAN, _X86_64 = b"\x7fELF", 2, 1, 62
_SYMBOL_TABLE, _RELOCATIONS, _NO_BITS = 2, 4, 8  # kinds of sections
_WRITABLE, _LOADED = 1, 2  # flags of sections
_64_BIT_ADDRESS = 1  # the one kind of relocation
_UNDEFINED = 0  # the section of a symbol that is defined elsewhere

_WORD = struct.Struct("<Q")
_MASK = 0xFFFFFFFFFFFFFFFF


class LinkError(ValueError):
    """An object file needs more than this linker can do."""


class _Section(NamedTuple):
    name: int
    kind: int
    flags: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int


Block = TypeVar("Block", bound="ctypes.Array[Any]")

_blocks: dict[str, Any] = {}  # what object files may refer to, by symbol
_llvm_is_told = False


def bind(symbol: str, block: Block) -> Block:
    """Let code that is linked find a symbol at a block, or at the one bound to it before; that block.

    Code that is linked keeps the address: so all threads must be given the same block, and it stays.
    """
    bound: Block = _blocks.setdefault(symbol, block)
    if _llvm_is_told:
        tell_llvm()
    return bound


def tell_llvm() -> None:
    """Let LLVM know all symbols, those that are bound later too: to be called before it links anything."""
    global _llvm_is_told
    from llvmlite import binding

    _llvm_is_told = True
    for symbol, block in tuple(_blocks.items()):  # other threads may bind some meanwhile
        binding.add_symbol(symbol, ctypes.addressof(block))


def link(objects: Sequence[tuple[str, bytes]]) -> tuple[list[int], ExecutableMemory]:
    """The addresses of functions, each named and defined in an object file of its own; and their memory."""
    files = [_ObjectFile(content) for _, content in objects]
    size = 0
    for file in files:
        size = file.place(size)
    memory = ExecutableMemory(size)
    image = bytearray(size)
    for file in files:
        file.copy_to(image, memory.address)
    memory.write(bytes(image))
    memory.seal()
    return [memory.address + file.offset_of(name) for file, (name, _) in zip(files, objects)], memory


class _ObjectFile:
    """An object file, and where its sections go in the memory that all files share."""

    def __init__(self, content: bytes) -> None:
        magic, width, order, machine, start, entry_size, count = _FILE_HEADER.unpack_from(content)
        if (magic, width, order, machine) != (_ELF, _64_BITS, _LITTLE_ENDIAN, _X86_64):
            raise LinkError("no ELF object file of x86-64")
        if entry_size != _SECTION_HEADER.size:
            raise LinkError("headers of an unknown size")
        self._content = content
        headers = memoryview(content)[start : start + count * entry_size]
        self._sections = [_Section(*fields) for fields in _SECTION_HEADER.iter_unpack(headers)]
        (table,) = (section for section in self._sections if section.kind == _SYMBOL_TABLE)
        self._symbols = list(_SYMBOL.iter_unpack(self._bytes_of(table)))
        self._names = self._sections[table.link].offset
        self._places: dict[int, int] = {}  # offsets in the memory, by the section's number

    def place(self, start: int) -> int:
        """Find room for the sections from an offset on; the offset behind them."""
        for number, section in enumerate(self._sections):
            if not section.flags & _LOADED or not section.size:
                continue
            if section.flags & _WRITABLE or section.kind == _NO_BITS:
                raise LinkError("a section with variables")
            start = -(-start // section.alignment) * section.alignment
            self._places[number] = start
            start += section.size
        return start

    def copy_to(self, image: bytearray, base: int) -> None:
        """Copy the sections into the image of memory at an address, and write the addresses they ask for."""
        for number, place in self._places.items():
            section = self._sections[number]
            image[place : place + section.size] = self._bytes_of(section)
        for target, offset, symbol, addend in self._relocations():
            value = self._address_of(symbol, base) + addend & _MASK
            _WORD.pack_into(image, self._places[target] + offset, value)

    def offset_of(self, name: str) -> int:
        """The offset in the memory of what a name stands for."""
        for start, _, section, value in self._symbols:
            if section in self._places and self._name_at(start) == name:
                return self._places[section] + int(value)
        raise LinkError(f"no {name} in the object file")

    def _relocations(self) -> Iterator[tuple[int, int, int, int]]:
        """Section, offset in it, number of a symbol, and what is to be added to its address."""
        for section in self._sections:
            if section.kind == _RELOCATIONS and section.info in self._places:
                for offset, kind, symbol, addend in _RELOCATION.iter_unpack(self._bytes_of(section)):
                    if kind != _64_BIT_ADDRESS:
                        raise LinkError(f"a relocation of kind {kind}")
                    yield section.info, offset, symbol, addend

    def _address_of(self, number: int, base: int) -> int:
        start, _, section, value = self._symbols[number]
        if section in self._places:
            return base + self._places[section] + int(value)
        name = self._name_at(start)
        if section != _UNDEFINED:
            raise LinkError(f"{name} is a variable")
        return ctypes.addressof(_blocks[name]) if name in _blocks else _address_in_c(name)

    def _name_at(self, start: int) -> str:
        begin = self._names + start
        return self._content[begin : self._content.index(b"\0", begin)].decode()

    def _bytes_of(self, section: _Section) -> memoryview:
        return memoryview(self._content)[section.offset : section.offset + section.size]


def _address_in_c(name: str) -> int:
    """The functions that LLVM puts into code of itself. `memmove` does all that `memcpy` has to do."""
    known = {"memcpy": ctypes.memmove, "memmove": ctypes.memmove, "memset": ctypes.memset}
    if name not in known:
        raise LinkError(f"the address of {name} is not known")
    return ctypes.cast(known[name], ctypes.c_void_p).value or 0
