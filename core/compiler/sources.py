"""What the compiled code of a module depends on: its own source, and those of the modules that it imports.

The sources are read, not imported, since the answer is wanted before Numba is loaded. Every name that begins
with `bluekrait.` and does not stand in quotes counts as an import, at the top of a module and in a function
(in a comment too, which does no harm). A module that is loaded by `import_module("bluekrait. ...")` does not
count. So the rules can load a technique of `core.sliders`, and do not depend on those that nobody asks for.

A data file (`.bin`) counts for the modules that lie beside it and have its name in quotes. A network
(`.bknn`) does not count: it is read at run time, and another one needs no other code.

A start imports this module only if `source_digests` does not know what it wants.
"""

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import util
from typing import Any, NamedTuple

from bluekrait.core.compiler.hashing import blake2b
from bluekrait.core.compiler.stamps import Stamps, stamp_of

PACKAGES = ("bluekrait.core", "bluekrait.search", "bluekrait.tools")  # whose compiled code is kept

_IMPORT = re.compile(
    rb"bluekrait\.(?<![\w.\"'`]bluekrait\.)([\w.]+)"  # the name of a module or a package,
    rb"(?:[ \t\\\n]+import[ \t\\\n]*(\([^)]*\)|(?:\\\n|[^\n])*))?"  # and what is imported from it
)
_NAME = re.compile(rb"[A-Za-z_]\w*")
_DATA_FILE = re.compile(rb"[\w-]+\.bin(?=[\"'])")


class Text(NamedTuple):
    """The text of a module or package, as it is now."""

    content: bytes
    is_package: bool
    folder: str  # where its data files lie
    loader: Any  # reads files, in a folder or in an archive
    stamps: Stamps  # of all files that were looked for

    def digest(self) -> bytes:
        """Of the text, and of the data files that it names."""
        digest = blake2b(self.content, digest_size=16)
        if b".bin" in self.content:
            for name in sorted(set(_DATA_FILE.findall(self.content))):
                digest.update(b"\0" + name + b"\0")
                path = os.path.join(self.folder, name.decode())
                digest.update(_content(self.loader, path, self.stamps) or b"")
        return digest.digest()


class Source(NamedTuple):
    """What is remembered of a module or package."""

    digest: bytes
    is_package: bool
    imports: list[tuple[str, tuple[str, ...]]]  # modules or packages, and the names taken from each


# By module, as first read.
_remembered: dict[str, Source | None] = {}  # None if there is no such module
_stamps: dict[str, Stamps] = {}  # of the files that it was looked for in
_locations: dict[str, tuple[Any, str]] = {}  # by package: its loader and its folder


@cache
def digest_of(*modules: str) -> str:
    """A name for the sources of some modules and of all that they import, as they were when first read."""
    digest = blake2b(digest_size=8)
    for name, content in sorted(closure_of(*modules).items()):
        digest.update(name.encode() + b"\0" + content)
    return digest.hexdigest()


@cache
def closure_of(*modules: str) -> dict[str, bytes]:
    """The digests of the sources of some modules and of all that they import, by module."""
    sources = {name: _source(name) for name in _names_of(*modules)}
    return {name: source.digest for name, source in sources.items() if source is not None}


def stamps_of(*modules: str) -> Stamps:
    """The stamps of all files that were read or missed to find the digest of these modules."""
    return {path: stamp for name in _names_of(*modules) for path, stamp in _stamps[name].items()}


def folders() -> dict[str, str]:
    """Where the packages lie of which something was read."""
    return {package: folder for package, (_, folder) in tuple(_locations.items())}


def are_files() -> bool:
    """True if everything that was read lies in files, and nothing in archives."""
    return all(
        any(_stamps[name].values()) for name, source in tuple(_remembered.items()) if source is not None
    )


@cache
def _names_of(*modules: str) -> list[str]:
    """The names of some modules and of all that they import; some may not exist."""
    names = list(modules)
    known = set(names)
    for name in names:  # the list grows on the way
        source = _source(name)
        if source is not None:
            found = [other for other in _imported(name, source) if other not in known]
            known.update(found)
            names += found
    return names


def are_unchanged(*modules: str) -> bool:
    """True if these sources are still what they were when first read."""
    for name, digest in closure_of(*modules).items():
        text = _read(name, {})
        if text is None or text.digest() != digest:
            return False
    return True


def are_those_loaded(*modules: str) -> bool:
    """True if Python has loaded these sources, and no bytecode of others that have the same size and time."""
    return all(_is_bytecode_of_source(name) for name in closure_of(*modules) if name in sys.modules)


def remember_all() -> None:
    """Read everything that may be compiled now, before a source changes under the running program."""
    from pkgutil import iter_modules

    packages = list(PACKAGES)
    for package in packages:
        if _source(package) is None:
            continue  # not installed
        for module in iter_modules([_location(package)[1]], f"{package}."):
            _source(module.name)
            if module.ispkg:
                packages.append(module.name)


def is_known(module: str) -> bool:
    """True if a change of that module's source is noticed: else its compiled code must not be kept."""
    return f"{module}.".startswith(tuple(f"{package}." for package in PACKAGES))


def _imported(module: str, source: Source) -> Iterator[str]:
    """The modules that a module imports, and the packages that it lies in; some may not exist."""
    yield from _packages_around(module)
    for name, taken in source.imports:
        yield name
        imported = _source(name)
        if imported is not None and imported.is_package:
            yield from (f"{name}.{attribute}" for attribute in taken)


@cache
def _is_bytecode_of_source(module: str) -> bool:
    with contextlib.suppress(Exception):  # the source may be edited at this moment
        text, spec = _read(module, {}), util.find_spec(module)
        loaded: object = spec.loader.get_code(module)  # type: ignore[union-attr]
        return text is not None and loaded == compile(text.content, module, "exec", dont_inherit=True)
    return False


def _source(module: str) -> Source | None:
    if module not in _remembered:
        stamps: Stamps = {}
        text = _read(module, stamps)
        _stamps[module] = stamps  # complete, for other threads may look at it
        _remembered[module] = text and Source(text.digest(), text.is_package, _imports(text.content))
    return _remembered[module]


def _imports(content: bytes) -> list[tuple[str, tuple[str, ...]]]:
    return [
        (f"bluekrait.{module.decode().rstrip('.')}", tuple(map(bytes.decode, _NAME.findall(taken))))
        for module, taken in _IMPORT.findall(content)
    ]


def _packages_around(module: str) -> Iterator[str]:
    parts = module.split(".")
    yield from (".".join(parts[:length]) for length in range(2, len(parts)))


def _read(module: str, stamps: Stamps) -> Text | None:
    """The text of a module or package; None if there is none. Notes the stamps of what it looks for."""
    loader, path = _location(module)
    if loader is None:
        return None
    folder, name = os.path.split(path)
    content = _content(loader, f"{path}.py", stamps) if module.count(".") > 1 else None
    if content is not None:
        return Text(content, False, folder, loader, stamps)
    content = _content(loader, os.path.join(path, "__init__.py"), stamps)
    return None if content is None else Text(content, True, path, loader, stamps)


def _location(module: str) -> tuple[Any, str]:
    """The loader of a module, and its path without a suffix."""
    first, package, *rest = module.split(".")
    package = f"{first}.{package}"
    if package not in _locations:
        spec = util.find_spec(package)
        places = spec and spec.submodule_search_locations
        _locations[package] = (spec.loader, places[0]) if spec and places else (None, "")
    loader, folder = _locations[package]
    return loader, os.path.join(folder, *rest)


def _content(loader: Any, path: str, stamps: Stamps) -> bytes | None:
    stamps[path] = stamp_of(path)  # before it is read: a change in between leads to another stamp
    try:
        content: bytes = loader.get_data(path)
        return content
    except OSError:
        return None
