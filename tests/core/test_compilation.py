"""Who compiles what: the plan, and a second process that works at it. What is compiled here is nothing."""

import os
import subprocess
import sys
from threading import Event, Thread

import pytest

from bluekrait.core import compilation, second_compiler
from bluekrait.core.compilation import Plan, Unit
from bluekrait.core.compiler import sources
from bluekrait.core.compiler.processor import is_interpreted
from bluekrait.core.second_compiler import sharing
from helpers.waiting import PATIENCE, wait_until

if is_interpreted():
    pytest.skip("nothing is compiled", allow_module_level=True)

MODULE = "bluekrait.core.rules_entries"

# Modules, and those whose parts they need.
IMPORTS = {"bits": [], "attacks": ["bits"], "weights": [], "moves": ["bits", "attacks"], "rules": ["bits"]}
KERNELS = range(8)  # of each unit; what they are does not matter to a plan


@pytest.fixture(autouse=True)
def closures(monkeypatch):
    monkeypatch.setattr(sources, "closure_of", lambda home: {home: b"", **dict.fromkeys(IMPORTS[home], b"")})


def plan_of(*names):
    """A plan with these modules; `entry in module` is an entry."""
    parts = [name.split(" in ") for name in names]
    return Plan([Unit(names[0], names[-1], KERNELS) for names in parts])


def test_alone_everything_is_done_in_the_order_of_definition():
    plan = plan_of("bits", "attacks", "moves", "perft in moves")
    assert [(unit.name, plan.kernels_done) for unit in plan] == [
        ("bits", 0),
        ("attacks", 8),
        ("moves", 16),
        ("perft", 24),
    ]
    assert (plan.kernels_done, plan.kernels) == (32, 32)
    assert not list(plan)


def test_only_what_is_ready_is_begun():
    plan = plan_of("bits", "attacks", "weights", "moves", "perft in moves", "status in rules", "rules")
    first, second = iter(plan), iter(plan)
    assert [next(first).name, next(second).name] == ["bits", "weights"]  # attacks need bits
    assert next(first).name == "attacks"
    assert next(second).name == "rules"  # moves need attacks
    assert next(second).name == "status"  # whose module is complete now
    assert next(first).name == "moves"
    assert next(first).name == "perft"
    assert plan.kernels_done == 5 * len(KERNELS)


def test_modules_that_need_each_other_are_done_all_the_same(monkeypatch):
    monkeypatch.setitem(IMPORTS, "bits", ["attacks"])
    assert [unit.name for unit in plan_of("bits", "attacks")] == ["bits", "attacks"]


class Waiting(Thread):
    """Somebody who asks a plan for all that it has."""

    def __init__(self, plan):
        super().__init__(daemon=True)
        self.found, self._plan = [], plan
        self.start()

    def run(self):
        self.found += [unit.name for unit in self._plan]

    def units(self):
        """What was found, in the end."""
        self.join(PATIENCE)
        assert not self.is_alive()
        return self.found


def test_who_finds_nothing_ready_waits_for_the_other():
    plan = plan_of("bits", "attacks")
    mine = iter(plan)
    assert next(mine).name == "bits"
    other = Waiting(plan)
    other.join(0.05)
    assert other.found == [] and other.is_alive()
    assert next(mine).name == "attacks"
    assert not list(mine)
    assert other.units() == []


def test_what_is_given_back_is_done_by_the_other():
    plan = plan_of("bits", "attacks")
    for unit in plan:
        other = Waiting(plan)
        plan.give_back(unit)
        assert other.units() == ["bits", "attacks"]
        break
    assert plan.kernels_done == plan.kernels


def test_nobody_waits_for_a_plan_that_was_given_up():
    plan = plan_of("bits", "attacks")
    unit = next(iter(plan))
    other = Waiting(plan)
    plan.give_up()
    assert other.units() == []
    plan.give_back(unit)
    assert not list(plan)


def test_a_unit_of_which_nothing_is_heard_is_begun_again(monkeypatch):
    monkeypatch.setattr(compilation, "PATIENCE", 0.01)
    plan = plan_of("bits", "attacks")
    stopped = iter(plan)
    assert next(stopped).name == "bits"
    assert [unit.name for unit in plan] == ["bits", "attacks"]
    assert not list(stopped)
    assert plan.kernels_done == plan.kernels


# --- the second process ------------------------------------------------------------------------------

DIES = "pass"
DOES_ALL = """
print({identity!r}, flush=True)
while True:
    print(input(), flush=True)
"""
FOR_ANOTHER_CACHE = DOES_ALL.replace("{identity!r}", "'0' + {identity!r}")
FOR_ANOTHER_SYSTEM = DOES_ALL.replace("{identity!r}", "{identity!r} + '-gnueabi'")
DIES_AT_THE_FIRST_UNIT = "print({identity!r}, flush=True); input()"
ANSWERS_SOMETHING_ELSE = DOES_ALL.replace("input()", "'another ' + input()")
ANSWERS_WITH_RUBBISH = DIES_AT_THE_FIRST_UNIT + "; import os; os.write(1, bytes([255, 10]))"
HANGS = "print({identity!r}, flush=True); input(); input()"


@pytest.fixture
def runs(monkeypatch):
    """Lets the second process run another program; a plan for it to work at."""

    def run(program):
        program = program.replace("{identity!r}", repr(second_compiler.identity()))
        monkeypatch.setattr(second_compiler, "PROGRAM", program)
        monkeypatch.setattr(second_compiler, "_is_possible", lambda: True)
        monkeypatch.setattr(second_compiler, "is_kept", lambda unit: True)
        return plan_of("bits", "attacks", "moves", "perft in moves")

    return run


USELESS = {
    "dies": DIES,
    "for another cache": FOR_ANOTHER_CACHE,
    "for another system": FOR_ANOTHER_SYSTEM,
    "dies at the first unit": DIES_AT_THE_FIRST_UNIT,
    "answers something else": ANSWERS_SOMETHING_ELSE,
    "answers with rubbish": ANSWERS_WITH_RUBBISH,
}


@pytest.mark.parametrize("program", USELESS.values(), ids=USELESS)
def test_the_first_process_does_what_the_second_has_not_done(runs, program):
    plan = runs(program)
    with second_compiler._started(MODULE) as process:
        second_compiler._share(plan, process)
        process.kill()
    assert plan.kernels_done == 0
    assert len(list(plan)) == 4


def test_a_second_process_that_has_ended_is_given_nothing(runs):
    plan = runs("print({identity!r})")
    with second_compiler._started(MODULE) as process:
        process.wait(PATIENCE)
        second_compiler._share(plan, process)
    assert len(list(plan)) == 4


def test_the_second_process_may_do_everything(runs):
    plan = runs(DOES_ALL)
    with sharing(plan, MODULE), plan._changed:
        assert plan._changed.wait_for(lambda: plan.kernels_done == plan.kernels, PATIENCE)


def test_what_the_second_process_could_not_keep_is_done_by_the_first(runs, monkeypatch):
    plan = runs(DOES_ALL)
    monkeypatch.setattr(second_compiler, "is_kept", lambda unit: unit.name == "bits")
    with second_compiler._started(MODULE) as process:
        second_compiler._share(plan, process)
        process.kill()
    assert [unit.name for unit in plan] == ["attacks", "moves", "perft"]


def test_both_end_with_the_block_if_something_goes_wrong(runs, monkeypatch):
    started = []
    start = second_compiler._started
    monkeypatch.setattr(
        second_compiler, "_started", lambda module: started.append(start(module)) or started[0]
    )
    plan = runs(HANGS)
    with pytest.raises(KeyboardInterrupt), sharing(plan, MODULE):
        wait_until(lambda: plan._begun)
        raise KeyboardInterrupt
    assert started[0].poll() is not None


def test_nobody_waits_for_what_will_not_be_done(runs, monkeypatch):
    monkeypatch.setattr(compilation, "PATIENCE", 10 * PATIENCE)
    plan, asked = runs(DOES_ALL), Event()
    assert next(iter(plan)).name == "bits"  # which all others need
    monkeypatch.setattr(plan, "_is_ready", lambda unit: asked.set())
    with pytest.raises(KeyboardInterrupt), sharing(plan, MODULE):
        assert asked.wait(PATIENCE)
        raise KeyboardInterrupt


def test_none_is_started_where_nothing_can_be_kept(runs, monkeypatch):
    def place_to_keep():
        raise FileNotFoundError

    plan, started = runs(DOES_ALL), Event()
    monkeypatch.setattr(second_compiler.cache, "place_to_keep", place_to_keep)
    monkeypatch.setattr(second_compiler, "_started", lambda module: started.set())
    with sharing(plan, MODULE):
        assert len(list(plan)) == 4
    assert not started.is_set()


ISOLATION = """
import sys
sys.path[:] = {path!r}
from bluekrait.core import second_compiler
second_compiler.PROGRAM = "import sys; print(sys.flags.isolated)"
with second_compiler._started("") as process:
    print(second_compiler._answer(process))
"""


@pytest.mark.parametrize(("flags", "expected"), [([], b"0"), (["-I"], b"1")])
def test_it_is_as_isolated_as_the_first(flags, expected):
    command = [sys.executable, *flags, "-c", ISOLATION.format(path=sys.path)]
    assert subprocess.run(command, capture_output=True, check=True).stdout.strip() == expected


def test_a_process_that_cannot_be_started_is_done_without(runs, monkeypatch):
    monkeypatch.setattr(second_compiler.sys, "executable", "/no/such/program")
    plan = runs(DOES_ALL)
    with sharing(plan, MODULE):
        assert len(list(plan)) == 4


def test_where_no_thread_can_be_started_the_first_process_does_everything(runs, monkeypatch):
    def start(thread):
        raise RuntimeError("can't start new thread")

    plan = runs(DOES_ALL)
    monkeypatch.setattr(second_compiler.Thread, "start", start)
    with sharing(plan, MODULE):
        assert len(list(plan)) == 4


@pytest.mark.parametrize(
    ("kernels", "possible", "expected"), [(8, True, False), (32, False, False), (32, True, True)]
)
def test_few_kernels_are_compiled_by_one(monkeypatch, kernels, possible, expected):
    asked = Event()

    def start(module):
        asked.set()
        raise OSError

    monkeypatch.setattr(second_compiler, "_is_possible", lambda: possible)
    monkeypatch.setattr(second_compiler, "_started", start)
    with sharing(Plan([Unit("bits", "bits", range(kernels))]), MODULE):
        assert asked.is_set() is expected


@pytest.mark.parametrize(
    ("processors", "memory", "program", "expected"),
    [
        (2, 8 << 30, "/usr/bin/python3.11", True),
        (2, 8 << 30, "Python.exe", True),
        (2, None, "/usr/bin/python3", True),
        (1, 8 << 30, "/usr/bin/python3", False),
        (2, 1 << 30, "/usr/bin/python3", False),
        (2, 8 << 30, "/usr/bin/uwsgi", False),
        (2, 8 << 30, None, False),
    ],
)
def test_it_needs_a_processor_memory_and_an_interpreter(monkeypatch, processors, memory, program, expected):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: range(processors), raising=False)
    monkeypatch.setattr(second_compiler, "usable_memory", lambda: memory)
    monkeypatch.setattr(second_compiler.sys, "executable", program)
    assert second_compiler._is_possible() is expected


def test_it_ends_when_there_is_nothing_more_to_read():
    process = second_compiler._started(MODULE)
    with process:
        assert second_compiler._answer(process) == second_compiler.identity()
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


def test_it_ends_with_the_first_process_even_while_it_compiles(monkeypatch):
    hang = "second_compiler.compile_unit = lambda unit: threading.Event().wait()\nserve("
    imports = "import sys, threading\nfrom bluekrait.core import second_compiler"
    program = second_compiler.PROGRAM.replace("import sys", imports).replace("serve(", hang)
    monkeypatch.setattr(second_compiler, "PROGRAM", program)
    with second_compiler._started(MODULE) as process:
        assert second_compiler._answer(process) == second_compiler.identity()
        process.stdin.write(b"perft\n")
        process.stdin.close()
        try:
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()


def test_what_is_compiled_already_is_answered_at_once():
    with second_compiler._started(MODULE) as process:
        assert second_compiler._answer(process) == second_compiler.identity()
        process.stdin.write(b"bluekrait.core.already_compiled\n")
        assert second_compiler._answer(process) == "bluekrait.core.already_compiled"
