"""Pages of the site that are no files in docs: those at the top of the repository, and the reference."""

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
TOP_PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
LINK = re.compile(r"(\]\()([^)#:]+)(#[^)]*)?(\))")

LIBRARY = ("engine.Engine", "background.Search", "results.Result", "results.Line", "results.Chances")
LIBRARY += ("results.Evaluation", "results.Term", "position.Position", "position.Move", "position.Outcome")
LIBRARY += ("options.Options", "engine_lock.EngineBusy")

# The public names of bluekrait.core, by module. Where no name is given, all of the module are public.
RULES: dict[str, tuple[str, ...]] = {
    "api": (),
    "board": ("Position", "Board"),
    "rules.make": ("make_move",),
    "rules.outcome": ("status",),  # whose entry names the constants
    "rules.see": ("see_at_least",),
    "rules.attacks": ("king_attacks", "knight_attacks", "bishop_attacks", "rook_attacks", "queen_attacks"),
    "notation.fen": ("STARTING_FEN", "FenError"),
    "notation.san_and_uci": ("MoveError",),
}

REFERENCE = """# Reference

`from bluekrait import Engine, Position` and the other names on this page; [the guide](library.md) shows how
they go together. At the end are the names of `bluekrait.core`, the rules for Python and Numba, by module;
`from bluekrait.core import` finds them all.
"""


def on_files(files: Files, config: Any) -> Files:
    """Add the pages."""
    for source, page in TOP_PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=_with_links_of_site(text)))
    files.append(File.generated(config, "reference.md", content=reference()))
    return files


def on_page_markdown(markdown: str, page: Any, **others: Any) -> str:
    """Let links out of docs lead to the pages that were added."""
    if page.file.src_uri in TOP_PAGES.values():
        return markdown
    return LINK.sub(_linked_from_docs, markdown)


def reference() -> str:
    """The reference: one entry for each public name."""
    names = [f"bluekrait.search.library.{name}" for name in LIBRARY]
    names += ["bluekrait.search.reports.Score"]
    library = "".join(f"\n::: {name}\n" for name in names)
    return REFERENCE + library + "".join(_rules_of(module, members) for module, members in RULES.items())


def _rules_of(module: str, members: tuple[str, ...]) -> str:
    entry = f"\n::: bluekrait.core.{module}\n"
    return f"{entry}    options:\n        members: [{', '.join(members)}]\n" if members else entry


def _linked_from_docs(link: re.Match[str]) -> str:
    name = link[2].rpartition("../")[2]
    if "../" in link[2] and name in TOP_PAGES:
        return f"{link[1]}{link[2].removesuffix('../' + name)}{TOP_PAGES[name]}{link[3] or ''}{link[4]}"
    return link[0]


def _with_links_of_site(text: str) -> str:
    """The text of a page at the top of the repository, with links as they are on the site."""

    def moved(link: re.Match[str]) -> str:
        target = link[2].removeprefix("docs/")
        return f"{link[1]}{TOP_PAGES.get(target, target)}{link[3] or ''}{link[4]}"

    return LINK.sub(moved, text)
