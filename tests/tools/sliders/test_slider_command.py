"""`bluekrait sliders` and docs/sliders.md, which it keeps up to date."""

import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys

import pytest

from bluekrait.core.sliders import gallery
from bluekrait.core.sliders.gallery import LIVE
from bluekrait.tools.sliders.slider_benchmark import Benchmark, Candidate
from bluekrait.tools.sliders.slider_figures import COUNT, HERE, MOVES, RANDOM, SETS, Figure
from bluekrait.tools.sliders.slider_report import with_tour
from bluekrait.tools.sliders.slider_yardstick import Yardstick, YardstickError
from bluekrait.tools.sliders.sliders_command import main
from helpers.paths import ROOT

DOCUMENT = ROOT / "docs" / "sliders.md"
COMMAND = [sys.executable, "-m", "bluekrait.uci", "sliders"]
PATIENCE = 240
QUICK = ("--only", "kindergarten,kogge-stone,rotated,kernighan", "--rounds", "1")


def run(*arguments, **settings):
    """Exit code, output and errors of the command."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        env=os.environ | settings,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Figures of a few techniques, in a file, and what was printed."""
    file = tmp_path_factory.mktemp("figures") / "figures.json"
    cpp = ("--cpp",) if shutil.which("g++") else ()
    code, output, errors = run(*QUICK, "--json", file, *cpp)
    assert code == 0, errors
    return file, output


def figures_in(file):
    return json.loads(file.read_text(encoding="utf-8"))["figures"]


# --- measuring ----------------------------------------------------------------------------------------


def test_figures_for_people_and_for_programs(measured):
    file, output = measured
    by_key = {(figure["section"], figure["name"]): figure for figure in figures_in(file)}
    for section in ("random", "games"):
        names = {name for where, name in by_key if where == section}
        assert names == {"live", "kindergarten", "kogge-stone", "rotated"}
    assert ("sets", "kogge-stone") in by_key and ("moves", "rotated") in by_key
    assert ("popcount", "kernighan") in by_key
    assert all(figure["millions"] > 0 for figure in figures_in(file))
    assert by_key["random", "live"]["of_reference"] == 1
    for word in ("kindergarten", "10 KB", "of live", "M sets/s", "M moves/s", "kernighan"):
        assert word in output


@pytest.mark.skipif(not shutil.which("g++"), reason="there is no g++")
def test_the_yardstick_answers_alike_and_is_measured(measured):
    in_cpp = {
        (figure["section"], figure["name"])
        for figure in figures_in(measured[0])
        if figure["made_in"] == "C++"
    }
    techniques = ("kindergarten", "kogge-stone")
    assert in_cpp == {(section, name) for section in ("random", "games") for name in techniques}
    assert "ours / C++" in measured[1]


@pytest.mark.skipif(not shutil.which("g++"), reason="there is no g++")
def test_a_yardstick_that_has_ended_is_told():
    yardstick = Yardstick(seed=1)
    first, *_ = yardstick.candidates(["kindergarten"])
    assert first.do(1)[0] != 0
    yardstick._process.kill()
    yardstick._process.wait()
    for _ in range(2):
        with pytest.raises(YardstickError, match="ended without an answer"):
            first.do(1)
    yardstick.close()
    assert not os.path.exists(yardstick._folder.name)


def test_figures_are_told_again_without_measuring(measured, tmp_path):
    pytest.importorskip("matplotlib")
    file, output = measured
    picture = tmp_path / "figures.svg"
    assert run("--from", file, "--plot", picture) == (0, output, "")
    assert "</svg>" in picture.read_text(encoding="utf-8")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has a device that is always full")
def test_a_full_disk_costs_one_line_with_the_name_of_the_command(measured):
    code, output, errors = run("--from", measured[0], "--json", "/dev/full")
    assert (code, output) == (1, measured[1])
    assert errors == "bluekrait sliders: /dev/full: No space left on device\n"


def test_figures_of_all_techniques_are_written_into_a_document(measured, tmp_path):
    content = json.loads(measured[0].read_bytes())
    pattern = next(figure for figure in content["figures"] if figure["name"] == "kernighan")
    for name in (*gallery.TECHNIQUES, *gallery.SCANS):
        if name != "pext":  # as where the processor has no such instruction
            content["figures"] += [{**pattern, "name": name, "section": RANDOM, "millions": 123.0}]
    file, document = tmp_path / "figures.json", tmp_path / "sliders.md"
    file.write_text(json.dumps(content))
    shutil.copyfile(DOCUMENT, document)
    assert run("--from", file, "--markdown", document)[0::2] == (0, "")
    assert re.search(r"^Measured: random 123 M/s", document.read_text(encoding="utf-8"), re.M)


def test_figures_of_some_techniques_are_not_written_into_a_document(measured, tmp_path):
    document = tmp_path / "sliders.md"
    shutil.copyfile(DOCUMENT, document)
    code, output, errors = run("--from", measured[0], "--markdown", document)
    assert (code, output) == (2, "")
    assert "there are none of classical, subtraction, " in errors
    assert document.read_bytes() == DOCUMENT.read_bytes()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_tells_what_it_knows(number):
    process = subprocess.Popen(
        [*COMMAND, "--only", "pext,kernighan", "--rounds", "100000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    for line in process.stderr:
        if line.startswith(b"round "):
            break
    process.send_signal(number)
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, errors
    assert b"kernighan" in output and b"Traceback" not in errors


def candidate(name, seconds, checksum=7, section=RANDOM, work=1000):
    """A candidate that takes as many seconds each time."""
    return Candidate(section, name, HERE, work, lambda times: (checksum, times * seconds))


def test_rates_are_of_all_that_was_done_and_ratios_of_the_reference():
    candidates = [candidate(LIVE, 0.01), candidate("twice", 0.005), candidate("word", 1, 9, COUNT, 5_000_000)]
    benchmark = Benchmark([*candidates, candidate("hardware", 0.5, 9, COUNT, 5_000_000)])
    benchmark.prepare(lambda who: None)
    benchmark.run_round()
    found = {figure.name: (figure.millions, figure.of_reference) for figure in benchmark.figures()}
    assert found["twice"] == pytest.approx((0.2, 2)) and found[LIVE] == pytest.approx((0.1, 1))
    assert found["word"] == pytest.approx((5, 0.5))


def test_short_work_is_repeated_until_it_can_be_timed():
    asked = []
    benchmark = Benchmark([Candidate(RANDOM, LIVE, HERE, 1, lambda n: (asked.append(n), 0.003 * n))])
    benchmark.prepare(lambda who: None)
    benchmark.run_round()
    assert asked == [1, 2, 4, 8, 8]  # until 0.02 seconds have passed


def test_techniques_that_differ_are_told():
    benchmark = Benchmark([candidate(LIVE, 0.01), candidate("wrong", 0.01, checksum=8)])
    with pytest.raises(ValueError, match="wrong .* is wrong in section random"):
        benchmark.prepare(lambda who: None)


def test_what_moves_find_is_not_compared_and_sets_are_with_those_of_the_engine():
    moves = [candidate(name, 0.01, checksum, MOVES) for checksum, name in enumerate(("one", "other"))]
    benchmark = Benchmark([*moves, candidate(LIVE, 0.01, section=SETS), candidate("all", 0.04, section=SETS)])
    benchmark.prepare(lambda who: None)
    benchmark.run_round()
    ratios = {figure.name: figure.of_reference for figure in benchmark.figures()}
    assert ratios == {"one": None, "other": None, LIVE: 1, "all": pytest.approx(0.25)}


# --- words --------------------------------------------------------------------------------------------


def test_help_tells_what_it_does():
    code, output, errors = run("--help")
    assert (code, errors) == (0, "")
    assert output.startswith("usage: bluekrait sliders")
    assert "bluekrait sliders --only kindergarten,fancy-magic,pext --rounds 31 --cpp" in output


def test_the_list():
    code, output, errors = run("--list")
    assert (code, errors) == (0, "")
    assert [line.split()[0] for line in output.splitlines()] == [*gallery.TECHNIQUES, *gallery.SCANS]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--only", "kindergarden"], "'kindergarden' is not in the gallery, which has classical, "),
        (["--rounds", "0"], "--rounds: '0' is not a number of at least 1"),
        (["--rounds", "many"], "--rounds: 'many' is not a number of at least 1"),
        (["--loud"], "--loud"),
        (["--plot", "figures.txt"], "figures.txt: the name of a picture ends in one of .png, .svg, .pdf"),
        (["--json", "nowhere/figures.json"], "nowhere/figures.json: there is no such directory"),
        (["--json", os.path.dirname(__file__)], "cannot be written"),
        (["--markdown", "nothing.md"], "nothing.md: no such file"),
        (["--from", "nothing.json"], "nothing.json: No such file or directory"),
        (["--from", os.path.dirname(__file__)], "Is a directory"),
        (["--only", "kindergarten", "--markdown", "nothing.md"], "leave out --only"),
        (["--only", "kernighan", "--plot", "figures.svg"], "--plot draws the speed of techniques"),
        (["--from", __file__], "these are not figures of bluekrait sliders"),
    ],
)
def test_wrong_arguments_cost_one_clear_line(arguments, complaint):
    code, output, errors = run(*arguments)
    assert (code, output) == (2, "")
    (line,) = errors.splitlines()
    assert line.startswith("bluekrait sliders: ") and complaint in line


def test_other_json_and_other_documents_are_refused(measured, tmp_path):
    figures = json.dumps(figures_in(measured[0]))
    for content in (
        "[]",
        '{"figures": [{"a": 1}], "machine": {}}',
        '{"figures": [], "machine": {}}',
        f'{{"figures": {figures}, "machine": {{}}}}',
        f'{{"figures": {figures}, "machine": []}}',
    ):
        (tmp_path / "other.json").write_text(content)
        code, _, errors = run("--from", tmp_path / "other.json")
        assert code == 2 and "these are not figures of bluekrait sliders" in errors
    (tmp_path / "other.md").write_text("# Something else\n")
    code, _, errors = run("--from", measured[0], "--markdown", tmp_path / "other.md")
    assert code == 2 and "no place for the figures" in errors
    assert (tmp_path / "other.md").read_text() == "# Something else\n"


def test_only_figures_are_replaced(measured, tmp_path):
    path = tmp_path / "figures.json"
    path.write_text("{}\n")
    code, _, errors = run("--from", measured[0], "--json", path)
    assert code == 2 and "figures.json is there, and was not written by this command" in errors
    assert path.read_text() == "{}\n"
    path.write_bytes(measured[0].read_bytes())
    assert run("--from", measured[0], "--json", path)[0] == 0


@pytest.mark.parametrize(
    "wrong",
    [{"millions": "fast"}, {"millions": 0}, {"millions": math.nan}, {"name": []}, {"of_reference": "1"}],
)
def test_figures_that_were_edited_wrongly_are_refused(wrong, tmp_path, capsys):
    path = tmp_path / "figures.json"
    figure = Figure(RANDOM, LIVE, HERE, 200.4, 1.0)._asdict() | wrong
    machine = {"processor": "zen", "python": "3.11", "technique": "pext"}
    path.write_text(json.dumps({"figures": [figure], "machine": machine}))
    assert main(["--from", str(path)]) == 2
    assert (
        capsys.readouterr().err == f"bluekrait sliders: {path}: these are not figures of bluekrait sliders\n"
    )


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"NUMBA_DISABLE_JIT": "1"}, "NUMBA_DISABLE_JIT is set"),
        ({"BLUEKRAIT_SLIDERS": "parabola"}, "BLUEKRAIT_SLIDERS must be one of"),
        ({"PATH": ""}, "--cpp needs g++"),
    ],
)
def test_what_cannot_be_measured(settings, complaint):
    code, output, errors = run("--only", "kindergarten", "--cpp", **settings)
    assert (code, output) == (1, "")
    assert complaint in errors.splitlines()[-1] and "Traceback" not in errors


def test_techniques_that_the_processor_lacks_are_refused():
    code, output, errors = run("--only", "pext,kernighan", NUMBA_CPU_NAME="x86-64-v2", NUMBA_CPU_FEATURES="")
    assert (code, output) == (1, "")
    assert errors.splitlines() == [
        "bluekrait sliders: this processor cannot run pext: leave it out of --only"
    ]


# --- the document ---------------------------------------------------------------------------------------


def test_the_document_tells_of_every_exhibit_what_its_module_says():
    text = DOCUMENT.read_text(encoding="utf-8")
    told_again = with_tour(text, [], "", "")
    assert without_figures(text) == without_figures(told_again)
    for name in (*gallery.TECHNIQUES, *gallery.SCANS):
        section = text.partition(f"\n### {name}\n")[2].partition("\n### ")[0]
        assert "\n    " in section, f"{name} has no diagram"
        assert "\nMeasured: " in section, f"{name} was not measured"


def without_figures(text):
    """The tour without what was measured."""
    return re.sub(r"\n\nMeasured: .*", "", text.partition("<!-- techniques -->")[2])
