"""Other processors for tests: user-mode emulation, and a Python with Numba for the emulated processor.

As with Wine, packages are downloaded by their ordinary programs and unpacked below one directory.
"""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from bluekrait.core.compiler import prebuilt
from bluekrait.tools.build_executable import runtime_requirements
from bluekrait.tools.ports.checklist import Log
from bluekrait.tools.ports.wine import (
    PATIENCE,
    call,
    empty_folder,
    is_prepared,
    marked_as_prepared,
    pip_download,
)

EMULATOR = "qemu-user-static"  # a package of Debian
PYTHON = "3.11"  # the one of Debian 12
ARM_LIBRARIES = "libc6 libgcc-s1 libstdc++6 zlib1g libexpat1 libssl3 libffi8"
ARM_LIBRARIES += " libbz2-1.0 liblzma5 libuuid1 libcrypt1"
ARM_PYTHON = (f"python{PYTHON}-minimal", f"libpython{PYTHON}-minimal", f"libpython{PYTHON}-stdlib")
ARM_PACKAGES = (*ARM_LIBRARIES.split(), *ARM_PYTHON)
ARM_WHEELS = tuple(f"manylinux_2_{version}_aarch64" for version in (28, 27, 26, 24, 17))
OLD_PROCESSOR = "Nehalem"  # of 2008: SSE4.2 and POPCNT, neither AVX2 nor BMI2


class Emulated:
    """An emulated Linux machine with another processor, stored in a directory of this one."""

    name = ""
    program = ""  # of the emulator
    target = prebuilt.LINUX  # which wheel is for it

    def __init__(self, directory: Path) -> None:
        self.directory = Path(directory).absolute() / self.name
        self._emulator = self.directory / "emulator"

    def prepare(self, log: Log) -> None:
        """Download and unpack what is missing."""
        packages = runtime_requirements()
        if is_prepared(self.directory, packages):
            log(f"using {self.directory}")
            return
        with marked_as_prepared(self.directory, packages):
            log("downloading the emulator ...")
            self.unpack(self._emulator, call_apt(empty_folder(self.directory / "debs"), (), EMULATOR))
            self.prepare_python(packages, log)

    def prepare_python(self, packages: Sequence[str], log: Log) -> None:
        """Get an interpreter that has the packages."""

    def command(self, words: Iterable[str]) -> list[str]:
        """The command of this machine that runs a command there."""
        return [str(self._emulator / "usr" / "bin" / self.program), *self.settings(), *map(str, words)]

    def settings(self) -> tuple[str, ...]:
        """The arguments of the emulator, and the interpreter."""
        return ()

    def paths(self) -> list[Path | str]:
        """Where the interpreter finds packages."""
        return [self.directory / "engine"]

    def install(self, wheel: Path) -> None:
        """Unpack the engine's wheel."""
        shutil.rmtree(self.directory / "engine", ignore_errors=True)
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(self.directory / "engine")

    def run(self, *words: str) -> str:
        """Run the engine's command with some words; its output. OSError if it fails."""
        return self.run_python("-m", "bluekrait", *words)

    def run_python(self, *words: str) -> str:
        """Run the interpreter with some words; its output. OSError if it fails."""
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.directory),
            "LANG": "C.UTF-8",
            "BLUEKRAIT_CACHE_DIR": str(self.cache),
            "PYTHONPATH": os.pathsep.join(map(str, self.paths())),
        }
        done = subprocess.run(
            self.command(words),
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        if done.returncode:
            raise OSError(
                f"{' '.join(words)[:40]}: exit code {done.returncode}, {done.stderr.strip()[-300:]}"
            )
        return done.stdout

    @property
    def cache(self) -> Path:
        """Where compiled code is kept there."""
        return self.directory / "cache"

    def forget(self) -> None:
        """Remove the compiled code, so that everything is compiled again."""
        shutil.rmtree(self.cache, ignore_errors=True)

    def unpack(self, target: Path, packages: Iterable[Path]) -> None:
        """Unpack Debian's packages."""
        for package in packages:
            call("dpkg", "-x", package, target)


class Arm(Emulated):
    """Linux on a 64-bit ARM processor, with Debian's Python."""

    name = "aarch64"
    program = "qemu-aarch64-static"
    target = prebuilt.LINUX_ARM

    def prepare_python(self, packages: Sequence[str], log: Log) -> None:
        """Get Debian's interpreter for ARM, and the wheels of the packages."""
        log("downloading Python for ARM ...")
        state = empty_folder(self.directory / "apt")
        for folder in ("lists/partial", "archives/partial"):
            (state / folder).mkdir(parents=True)
        options = {
            "APT::Architecture": "arm64",
            "APT::Architectures::": "arm64",
            "Dir::State": state,
            "Dir::State::status": "/dev/null",
            "Dir::Cache": state,
            "Acquire::Languages": "none",
        }
        words = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
        call("apt-get", *words, "update")
        self.unpack(self._root, call_apt(empty_folder(self.directory / "arm-debs"), words, *ARM_PACKAGES))
        log("downloading Numba for ARM ...")
        wheels = empty_folder(self.directory / "wheels")
        kinds = [word for kind in ARM_WHEELS for word in ("--platform", kind)]
        tag = f"cp{PYTHON.replace('.', '')}"
        kinds += ["--python-version", PYTHON, "--implementation", "cp", "--abi", tag, "--abi", "none"]
        pip_download(wheels, "--only-binary=:all:", *kinds, *packages)
        unpacked = empty_folder(self.directory / "packages")
        for wheel in wheels.glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(unpacked)

    def settings(self) -> tuple[str, ...]:
        """The root of its file system, and its interpreter."""
        return "-L", str(self._root), str(self._root / "usr" / "bin" / f"python{PYTHON}")

    def paths(self) -> list[Path | str]:
        """The engine, and the packages that were unpacked."""
        return [*super().paths(), self.directory / "packages"]

    @property
    def _root(self) -> Path:
        return self.directory / "root"


class OldIntel(Emulated):
    """This machine's own Python on a processor without AVX2 and BMI2."""

    name = "nehalem"
    program = "qemu-x86_64-static"

    def settings(self) -> tuple[str, ...]:
        """The processor, and the interpreter."""
        return "-cpu", OLD_PROCESSOR, os.path.realpath(sys.executable)

    def paths(self) -> list[Path | str]:
        """The engine, then the packages of this interpreter."""
        return [*super().paths(), *(path for path in sys.path if path.endswith("site-packages"))]


def call_apt(folder: Path, options: Sequence[str], *packages: str) -> list[Path]:
    """Download Debian's packages into a folder; their paths."""
    call("apt-get", *options, "download", *packages, cwd=folder)
    return sorted(folder.glob("*.deb"))
