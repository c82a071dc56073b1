"""Documents, help and messages: the commands in them can be pasted into a shell."""

import re

from helpers.paths import ROOT
from helpers.repository.import_graph import source_files

USAGE = ROOT / "uci" / "programs" / "usage.py"  # a table of commands, no examples

# A command at the beginning of a line, then prose that the shell would take for its arguments.
UNMARKED_EXPLANATION = re.compile(r"^\s*(\$ )?(bluekrait|dask|make|pip|pipx|py|python3?) .*\S {2,}[^\s#]")

# cmd.exe hands single quotes on to pip.
SINGLE_QUOTES = re.compile(r"pip install '")


def places(pattern):
    """Where a pattern occurs in sources and documents."""
    paths = [*source_files(), *ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return [
        f"{path.relative_to(ROOT)}, line {number}: {line.strip()}"
        for path in paths
        if path != USAGE
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]


def test_explanations_beside_commands_are_comments():
    found = places(UNMARKED_EXPLANATION)
    assert not found, "write # before the explanation:\n" + "\n".join(found)


def test_packages_are_in_double_quotes():
    found = places(SINGLE_QUOTES)
    assert not found, 'cmd.exe knows double quotes only, write pip install "NAME[EXTRA]":\n' + "\n".join(
        found
    )


def test_the_hook_runs_the_rules_of_make_quick():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    hook = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    (rules,) = re.findall(r"^RULES := \$\(addprefix (\S+?),(.*)\)$", makefile, re.MULTILINE)
    wanted = {f"{rules[0]}{name}" for name in rules[1].split()}
    left_out = {"tests/repository/test_conversation.py"}  # as CONTRIBUTING.md says
    assert wanted - set(hook.split()) == left_out
