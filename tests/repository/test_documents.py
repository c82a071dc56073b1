"""Documents, help and messages: their commands can be pasted into a shell, and what they name is there."""

import re

from helpers.paths import ROOT
from helpers.repository.import_graph import source_files

USAGE = ROOT / "uci" / "programs" / "usage.py"  # a table of commands, no examples

# A command at the beginning of a line, then prose that the shell would take for its arguments.
UNMARKED_EXPLANATION = re.compile(r"^\s*(\$ )?(bluekrait|dask|make|pip|pipx|py|python3?) .*\S {2,}[^\s#]")

# cmd.exe hands single quotes on to pip.
SINGLE_QUOTES = re.compile(r"pip install '")

# `core/rules/make.py`; `core.rules.make` or `core.rules.make.make_move`, also with `bluekrait.` before them.
FILE = re.compile(r"`((?:core|docs|openbench|search|tests|tools|uci)/[\w./-]+)`")
MODULE = re.compile(r"`(?:bluekrait\.)?((?:core|search|tools|uci)(?:\.\w+)+)`")
HISTORY = "CHANGELOG.md"  # may name what is no longer there
NO_MODULES = {"search.lines"}  # of a `Search` of the library


def lines_with(pattern):
    """The file, the number and the match of each line of sources and documents in which a pattern occurs."""
    for path in (*source_files(), *ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for match in pattern.finditer(line):
                yield path, number, match


def places(pattern):
    """Where a pattern occurs in sources and documents."""
    return [
        f"{path.relative_to(ROOT)}, line {number}: {match.string.strip()}"
        for path, number, match in lines_with(pattern)
        if path != USAGE
    ]


def missing(pattern, is_there):
    """Where sources and documents name something that is not there."""
    return [
        f"{path.relative_to(ROOT)}, line {number}: {match[1]}"
        for path, number, match in lines_with(pattern)
        if path.name != HISTORY and not is_there(match[1])
    ]


def is_module_or_name_in_one(dotted):
    """True for the name of a module or a folder, and for a name that occurs in that of a module."""
    path, _, name = dotted.replace(".", "/").rpartition("/")
    if (ROOT / path / name).is_dir() or (ROOT / path / f"{name}.py").is_file():
        return True
    sources = [file for file in (ROOT / f"{path}.py", ROOT / path / "__init__.py") if file.is_file()]
    return any(re.search(rf"\b{name}\b", file.read_text(encoding="utf-8")) for file in sources)


def test_explanations_beside_commands_are_comments():
    found = places(UNMARKED_EXPLANATION)
    assert not found, "write # before the explanation:\n" + "\n".join(found)


def test_packages_are_in_double_quotes():
    found = places(SINGLE_QUOTES)
    assert not found, 'cmd.exe knows double quotes only, write pip install "NAME[EXTRA]":\n' + "\n".join(
        found
    )


def test_files_that_are_named_are_there():
    found = missing(FILE, lambda name: (ROOT / name).exists())
    assert not found, "there is no such file:\n" + "\n".join(found)


def test_modules_that_are_named_are_there():
    assert not is_module_or_name_in_one("core.rules.nowhere")
    found = missing(MODULE, lambda name: name in NO_MODULES or is_module_or_name_in_one(name))
    assert not found, "there is no such module, or no such name in it:\n" + "\n".join(found)


def test_the_hook_runs_the_rules_of_make_quick():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    hook = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    (rules,) = re.findall(r"^RULES := \$\(addprefix (\S+?),(.*)\)$", makefile, re.MULTILINE)
    wanted = {f"{rules[0]}{name}" for name in rules[1].split()}
    left_out = {"tests/repository/test_conversation.py"}  # as CONTRIBUTING.md says
    assert wanted - set(hook.split()) == left_out
