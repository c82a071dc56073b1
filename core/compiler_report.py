"""What the compiled code was made with, and where it is kept: the answer to `compiler`."""

import contextlib
import os
import platform
from importlib.metadata import PackageNotFoundError, version

from bluekrait.core import native
from bluekrait.core.compiler import cache, prebuilt, processor
from bluekrait.core.tables import table_block

FEATURES = ("popcnt", "bmi2", "avx2", "avx512f", "avx512vpopcntdq")  # what makes a difference to the rules


def compiler_report(module: str) -> list[tuple[str, str]]:
    """Names and values: versions, processor, and the state of the cache for the entries of a module."""
    return [
        ("Python", f"{platform.python_implementation()} {platform.python_version()}"),
        *((package, _version(package)) for package in cache.COMPILER_PACKAGES),
        *_processor_rows(),
        ("slider attacks", table_block.technique()),
        ("execution", "interpreted (NUMBA_DISABLE_JIT)" if processor.is_interpreted() else "compiled"),
        ("compiled code", _code_state(module)),
        ("cache", cache.location()),
        ("cache state", _cache_state(module)),
    ]


def _processor_rows() -> list[tuple[str, str]]:
    """What LLVM says of itself and of the processor; without it, what this program knows of the processor."""
    rows, features = [], processor.features()
    with contextlib.suppress(ImportError):
        from llvmlite import binding

        rows.append(("LLVM", ".".join(map(str, binding.llvm_version_info))))
        rows.append(("processor", binding.get_host_cpu_name()))
        features = frozenset(name for name, present in binding.get_host_cpu_features().items() if present)
    known = " ".join(name for name in FEATURES if name in features)
    return [*rows, ("features", known or "none of interest")]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not found"


def _code_state(module: str) -> str:
    """Where the next start finds the compiled code, or that it does not."""
    found = native.origins(module)
    chosen = prebuilt.chosen_set()
    kind = f"for {chosen.level} with {chosen.technique}" if chosen else ""
    if "" in found:
        return "the next start compiles what is missing"
    return " and ".join(
        f"from the package, {kind}" if place == cache.PACKAGE else "in the cache" for place in sorted(found)
    )


def _cache_state(module: str) -> str:
    try:
        files = [file.stat().st_size for file in os.scandir(cache.location())]
    except OSError:
        return "empty" if native.is_warm(module) else "empty: the next start compiles everything"
    state = "warm" if native.is_warm(module) else "incomplete: the next start compiles what is missing"
    return f"{state}, {len(files)} files, {sum(files) / 1e6:.1f} MB"
