"""Tables of contents: a long guide has one, and it names every section in order."""

import re

from helpers.paths import ROOT

LONG = 500  # lines
HEADING = re.compile(r"^##(#?) (.+)$", re.MULTILINE)
ENTRY = re.compile(r"^(    )?\* \[(.+)\]\(#(.+?)\)", re.MULTILINE)


def anchor(heading):
    """What a link to a heading is called, on GitHub and on the site."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_a_table_of_contents_names_every_section():
    wrong = []
    for guide in (ROOT / "docs").rglob("*.md"):
        text = guide.read_text(encoding="utf-8")
        sections = [(bool(deeper), title, anchor(title)) for deeper, title in HEADING.findall(text)]
        entries = [(bool(deeper), title, target) for deeper, title, target in ENTRY.findall(text)]
        if (entries or len(text.splitlines()) > LONG) and entries != sections:
            wrong.append(f"{guide.relative_to(ROOT)} has {sections}, but its table has {entries}")
    assert not wrong, "\n".join(wrong)
