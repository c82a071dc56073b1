"""What the compiled code of a module depends on: its own source, and those of the modules that it imports.

The sources are read, not imported, since the answer is wanted before Numba is loaded. Every name that begins
with `bluekrait.` and does not stand in quotes counts as an import, at the top of a module and in a function
(in a comment too, which does no harm). A module that is loaded by `import_module("bluekrait. ...")` does not
count. So the rules can load a technique of `core.sliders`, and do not depend on those that nobody asks for.

A data file (`.bin`) counts for the modules that lie beside it and have its name in quotes. A network
(`.bknn`) does not count: it is read at run time, and another one needs no other code.
"""

import os
import re
from collections.abc import Iterator
from functools import cache
from importlib import util
from typing import Any, NamedTuple

try:
    from _blake2 import blake2b  # at once: `hashlib` would load OpenSSL too, which takes milliseconds
except ImportError:
    from hashlib import blake2b

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

    def digest(self) -> bytes:
        """Of the text, and of the data files that it names."""
        digest = blake2b(self.content, digest_size=16)
        if b".bin" in self.content:
            for name in sorted(set(_DATA_FILE.findall(self.content))):
                digest.update(b"\0" + name + b"\0")
                digest.update(_content(self.loader, os.path.join(self.folder, name.decode())) or b"")
        return digest.digest()


class Source(NamedTuple):
    """What is remembered of a module or package."""

    digest: bytes
    is_package: bool
    imports: list[tuple[str, tuple[str, ...]]]  # modules or packages, and the names taken from each


_remembered: dict[str, Source | None] = {}  # by module, as first read: None if there is no such module
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
    names = list(modules)
    known = set(names)
    digests = {}
    for name in names:  # the list grows on the way
        source = _source(name)
        if source is not None:
            digests[name] = source.digest
            found = [other for other in _imported(name, source) if other not in known]
            known.update(found)
            names += found
    return digests


def are_unchanged(*modules: str) -> bool:
    """True if these sources are still what they were when first read."""
    for name, digest in closure_of(*modules).items():
        text = _read(name)
        if text is None or text.digest() != digest:
            return False
    return True


def remember_all() -> None:
    """Read everything that may be compiled now, before a source changes under the running program."""
    from pkgutil import iter_modules

    packages = list(PACKAGES)
    for package in packages:
        _source(package)
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


def _source(module: str) -> Source | None:
    if module not in _remembered:
        text = _read(module)
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


def _read(module: str) -> Text | None:
    """The text of a module or package; None if there is none."""
    loader, path = _location(module)
    if loader is None:
        return None
    folder, name = os.path.split(path)
    content = _content(loader, f"{path}.py") if module.count(".") > 1 else None
    if content is not None:
        return Text(content, False, folder, loader)
    content = _content(loader, os.path.join(path, "__init__.py"))
    return None if content is None else Text(content, True, path, loader)


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


def _content(loader: Any, path: str) -> bytes | None:
    try:
        content: bytes = loader.get_data(path)
        return content
    except OSError:
        return None
