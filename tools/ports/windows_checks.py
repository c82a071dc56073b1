"""Twelve checks of what a user does with the engine on Windows. Each returns a detail or raises."""

import re
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Collection
from pathlib import Path

from bluekrait.core.compiler.prebuilt import WINDOWS
from bluekrait.core.notation.fen import STARTING_FEN, parse_fen
from bluekrait.core.tables.zobrist import polyglot_key
from bluekrait.tools.ports.checklist import Check, CheckError, Log, expect
from bluekrait.tools.ports.dialogue import Dialogue
from bluekrait.tools.ports.wine import Windows
from bluekrait.tools.prebuild import tag_of
from bluekrait.uci import __version__

ROOT = Path(__file__).resolve().parents[2]
TABLES = ROOT / "tests" / "data" / "syzygy"
CRLF = "\r\n"
BOOK_MOVE = "a2a3"  # nothing that the engine would play of itself
PAWN_ENDING = "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1"  # the tables know what comes after a pawn move
BENCH_DEPTH = "8"
PERFT_6 = "119060324"
GAMES = 4
DATAGEN_GAMES = 100  # ten units of work
FIRST_GAMES = 2000  # bytes of a file of games, when the first of them are in it
PATIENCE = 300  # seconds for something to happen
NODES_LINE = re.compile(r"^(\d+) nodes \d+ nps", re.MULTILINE)
LOST_GAME = re.compile(r"forfeit|abandoned|infraction|disconnect", re.IGNORECASE)

# In their order: the second one compiles the engine, unless the wheel has compiled code.
CHECK_NAMES: tuple[str, ...] = ("version", "warmup", "cache", "module", "conversation", "options")
CHECK_NAMES += ("bench", "perft", "match", "datagen", "resume", "orphans")


class WindowsChecks:
    """The checks, on one Windows system."""

    def __init__(self, windows: Windows, wheel: Path, log: Log) -> None:
        self.windows, self._wheel, self._log = windows, wheel, log
        self.desk = windows.drive / "users" / "Public" / "Chess games"  # with a space
        shutil.rmtree(self.desk, ignore_errors=True)
        self.desk.mkdir(parents=True)

    def chosen(self, names: Collection[str] = ()) -> list[Check]:
        """The checks of some names, all if there are none, in their order."""
        return [getattr(self, name) for name in CHECK_NAMES if not names or name in names]

    def version(self) -> str:
        """bluekrait --version"""
        text = self._output("bluekrait", "--version").strip()
        expect(text == f"BlueKrait {__version__}", f"it says {text!r}, not {__version__}")
        return text

    def warmup(self) -> str:
        """bluekrait warmup, and where bluekrait is found"""
        text = self._output("bluekrait", "warmup").strip().splitlines()[-1]
        # Wine's own `where` does nothing; Python looks through PATH and PATHEXT as `where` does.
        found = self._output("python", "-c", "import shutil; print(shutil.which('bluekrait'))").strip()
        expect(found.lower().endswith(r"\scripts\bluekrait.exe"), f"bluekrait is found at {found}")
        return f"{text}; {found}"

    def cache(self) -> str:
        """compiled code lies in %LOCALAPPDATA%, unless it came with the wheel"""
        local = self._output("python", "-c", "import os; print(os.environ['LOCALAPPDATA'])").strip()
        folder = self.windows.local_path(local) / "bluekrait"
        self._output("bluekrait", "warmup")  # if this is the only check, nothing was compiled before
        shown = self._output("bluekrait", "compiler")
        if f"-{tag_of(WINDOWS)}" in self._wheel.name:
            origin = next(line for line in shown.splitlines() if line.startswith("compiled code"))
            expect("from the package" in origin, origin)
            expect(not folder.exists(), "the first start wrote files")
            return " ".join(origin.split())
        place = next((line for line in shown.splitlines() if local.lower() in line.lower()), None)
        if place is None:
            raise CheckError(f"`bluekrait compiler` names nothing in {local}")
        expect(list(folder.iterdir()), "nothing lies there")
        return " ".join(place.split())

    def module(self) -> str:
        """py -m bluekrait"""
        text = self._output("python", "-m", "bluekrait", "--version").strip()
        expect(text == f"BlueKrait {__version__}", f"it says {text!r}")
        program = "import bluekrait; print(bluekrait.__version__)"
        expect(self._output("python", "-c", program).strip() == __version__, "bluekrait.__version__ differs")
        return text

    def conversation(self) -> str:
        """UCI conversation with CRLF"""
        with self._dialogue() as engine:
            engine.send("uci")
            engine.wait_for("uciok$")
            engine.send("isready")
            engine.wait_for("readyok$")
            engine.send("ucinewgame", "position startpos moves e2e4 c7c5", "go movetime 500")
            move = engine.wait_for("bestmove ").split()[1]
            expect(re.fullmatch("[a-h][1-8][a-h][1-8]", move), f"its move is {move!r}")
            engine.send("go infinite", "isready")
            engine.wait_for("readyok$")
            engine.send("stop")
            engine.wait_for("bestmove ")
            code = engine.quit()
        expect(code == 0, f"exit code {code} after quit")
        return f"played {move}, exit code 0"

    def options(self) -> str:
        """BookFile, SyzygyPath, Debug Log File with spaces and backslashes"""
        expect(TABLES.is_dir(), f"this needs a checkout: there is no {TABLES}")
        book, tables, log = (self.desk / name for name in ("my book.bin", "my tables", "my log.txt"))
        write_book(book)
        shutil.copytree(TABLES, tables)
        path = self.windows.path
        with self._dialogue() as engine:
            engine.send(f"setoption name Debug Log File value {path(log)}")
            engine.send("setoption name OwnBook value true", f"setoption name BookFile value {path(book)}")
            engine.send("position startpos", "go depth 4")
            move = engine.wait_for("bestmove ").split()[1]
            expect(move == BOOK_MOVE, f"{move} is not the move of the book")
            missing = f"{path(self.desk)}\\nothing here"
            engine.send(f"setoption name SyzygyPath value {missing};{path(tables)}")
            found = engine.wait_for("info string \\d+ tables")
            expect(not found.startswith("info string 0"), found)
            engine.send(f"position fen {PAWN_ENDING}", "go depth 6")
            engine.wait_for("bestmove ")
            engine.quit()
        heard = " ".join(engine.received)
        expect(re.search(" tbhits [1-9]", heard), f"the tables were not asked: {engine.received[-2]}")
        expect("uciok" in log.read_text() or "bestmove" in log.read_text(), "the log is empty")
        return f"book move {move}, {found.removeprefix('info string ')}, log of {log.stat().st_size} bytes"

    def bench(self) -> str:
        """bench 8 has the nodes that it has here"""
        theirs = nodes_of(self._output("bluekrait", "bench", BENCH_DEPTH))
        here = [sys.executable, "-m", "bluekrait.uci", "bench", BENCH_DEPTH]
        ours = nodes_of(subprocess.run(here, capture_output=True, text=True, check=True).stdout)
        expect(theirs == ours, f"{theirs} nodes, here {ours}")
        return f"{theirs} nodes"

    def perft(self) -> str:
        """perft 6"""
        text = self._output("bluekrait", "perft", "6")
        expect(PERFT_6 in text, text)
        return text.strip()

    def match(self) -> str:
        r"""a match of four games with backslashes in --engine"""
        pgn = self.desk / "my match.pgn"
        self._output("bluekrait", *self._match_words(pgn, "2000"))
        games = pgn.read_text(encoding="utf-8")
        played, bad = len(re.findall(r"^\[Result ", games, re.MULTILINE)), LOST_GAME.search(games)
        expect(played == GAMES, f"{played} games in the file")
        expect(not bad, f"a game ended by {bad and bad[0]}")
        return f"{played} games in {self.windows.path(pgn)}"

    def datagen(self) -> str:
        """datagen with two processes"""
        file = self.desk / "positions.bks"
        text = self._output("bluekrait", *self._datagen_words(file))
        return f"{text.strip().splitlines()[-1]}; {self._checked(file)}"

    def resume(self) -> str:
        """datagen killed, and continued by the same command"""
        file, whole = self.desk / "killed positions.bks", self.desk / "positions.bks"
        if not whole.exists():  # this is the only check
            self.datagen()
        words = self._datagen_words(file)
        process = self.windows.start(["bluekrait", *words], stdout=subprocess.DEVNULL)
        try:
            wait_for(lambda: file.exists() and file.stat().st_size > FIRST_GAMES, "the first game")
        finally:
            self._kill(process)
        before = file.stat().st_size
        self._wait_for_end("datagen")
        self._output("bluekrait", *words)
        end, uninterrupted = file.stat().st_size, whole.stat().st_size
        expect(before < uninterrupted, "it had come to its end before it was killed")
        expect(end == uninterrupted, f"{end} bytes, uninterrupted {uninterrupted}")
        return f"killed at {before} bytes, then {self._checked(file)}"

    def orphans(self) -> str:
        """a killed match leaves no process, and can be continued"""
        pgn = self.desk / "killed match.pgn"
        words = self._match_words(pgn, "40000")
        process = self.windows.start(["bluekrait", *words], stdout=subprocess.DEVNULL)
        try:
            wait_for(lambda: pgn.exists() and pgn.stat().st_size > 0, "the first game")
            running = len(self._running())
        finally:
            self._kill(process)
        self._wait_for_end("")
        self._output("bluekrait", *words)
        played = pgn.read_text(encoding="utf-8").count("[Result ")
        expect(played == GAMES, f"{played} games after it was continued")
        return f"{running} processes ended within the time of one game; {played} games in the end"

    # --- helpers ---

    def _dialogue(self) -> Dialogue:
        return Dialogue(self.windows.start(["bluekrait"], cwd=self.desk), CRLF)

    def _output(self, *words: str) -> str:
        done = self.windows.run(words, cwd=self.desk)
        last = " ".join((done.stderr or done.stdout).split())[-300:]
        expect(done.returncode == 0, f"{' '.join(words[:3])}: exit code {done.returncode}, {last}")
        return done.stdout

    def _match_words(self, pgn: Path, nodes: str) -> list[str]:
        program = self.windows.path(self.windows.scripts / "bluekrait.exe")
        words = ["match", "--runner", "builtin", "--concurrency", "1", "--games", str(GAMES)]
        for name in ("one", "two"):
            words += ["--engine", f"{program} name={name} option.Hash=4"]
        return [*words, "--each", f"nodes={nodes}", "--pgn", self.windows.path(pgn)]

    def _datagen_words(self, file: Path) -> list[str]:
        words = ("--games", str(DATAGEN_GAMES), "--nodes", "500", "--processes", "2")
        return ["datagen", *words, self.windows.path(file)]

    def _checked(self, file: Path) -> str:
        return self._output("bluekrait", "data", "check", self.windows.path(file)).strip().rpartition(": ")[2]

    def _running(self) -> list[int]:
        return self.windows.processes("bluekrait")

    def _kill(self, process: "subprocess.Popen[bytes]") -> None:
        """Kill the process, as a user does in the task manager: it cannot clean up."""
        process.send_signal(signal.SIGKILL)
        process.wait()
        if process.stdin:
            process.stdin.close()

    def _wait_for_end(self, what: str) -> None:
        try:
            wait_for(lambda: not self._running(), "the end of all processes", 30)
        except CheckError:
            left = self._running()
            for number in left:
                self._log(f"left over: {Path(f'/proc/{number}/cmdline').read_bytes()!r}")
            self.windows.end()
            raise CheckError(f"{len(left)} processes are left of {what or 'the match'}") from None


def write_book(path: Path) -> None:
    """An opening book of one move, in Polyglot's format."""
    position = parse_fen(STARTING_FEN)
    target, origin = 8 * 2 + 0, 8 * 1 + 0  # a3, a2
    path.write_bytes(struct.pack(">QHHI", polyglot_key(position), origin << 6 | target, 1, 0))


def nodes_of(text: str) -> str:
    """The signature that a bench prints."""
    found = NODES_LINE.search(text)
    if found is None:
        raise CheckError(f"no line of nodes: {text[-200:]}")
    return found[1]


def wait_for(condition: Callable[[], object], what: str, seconds: int = PATIENCE) -> None:
    """Look again and again until a condition holds."""
    deadline = time.perf_counter() + seconds
    while not condition():
        expect(time.perf_counter() < deadline, f"no {what} within {seconds} s")
        time.sleep(0.2)
