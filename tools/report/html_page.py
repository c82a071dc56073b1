"""Parts of an HTML page that needs no other file, light or dark as the reader's system is."""

from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root { color-scheme: light dark; --paper: #fff; --card: #f6f8fa; --ink: #1d2733; --quiet: #5b6773;
  --line: #d5dbe1; --accent: #1668c1; --band: #cfe3f8; --good: #1a7f4b; --bad: #b3392f; }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #0f151b; --card: #171f27; --ink: #dfe6ec;
  --quiet: #93a1ae; --line: #2c3843; --accent: #6db3f8; --band: #1c3d5e; --good: #4cc38a; --bad: #f0796b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 60rem; background: var(--paper);
  color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.7rem; letter-spacing: -.01em; } h1 i { font-weight: 400; color: var(--quiet); }
h2 { margin: 2.2rem 0 .6rem; font-size: 1.1rem; } a { color: var(--accent); }
p.quiet, .quiet { margin: .2rem 0; color: var(--quiet); }
footer { margin-top: 2.5rem; color: var(--quiet); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: .7rem;
  margin: 1.3rem 0; }
.tile { padding: .7rem .9rem; border-radius: .6rem; background: var(--card); border: 1px solid var(--line); }
.tile b { display: block; font-size: 1.15rem; white-space: nowrap; }
.tile small { color: var(--quiet); } .good { color: var(--good); } .bad { color: var(--bad); }
.bar { display: flex; height: 1.6rem; border-radius: .4rem; overflow: hidden; font-size: .8rem; color: #fff; }
.bar span { display: flex; align-items: center; justify-content: center; overflow: hidden; }
.win { background: #1a7f4b; } .draw { background: #6b7784; } .loss { background: #b3392f; }
.bars { display: grid; grid-template-columns: repeat(5, 1fr); gap: .4rem; align-items: end; height: 8.5rem; }
.bars div { text-align: center; font-size: .8rem; font-variant-numeric: tabular-nums; }
.bars i { display: block; border-radius: .25rem .25rem 0 0; background: var(--accent); min-height: 1px; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .92rem;
  font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { font-weight: 600; color: var(--quiet); } th:first-child, td:first-child { text-align: left; }
svg { width: 100%; height: auto; }
pre, details p { overflow-x: auto; padding: .8rem 1rem; border-radius: .5rem; background: var(--card);
  border: 1px solid var(--line); font: 13px/1.5 ui-monospace, monospace; }
details p { overflow-wrap: anywhere; } summary { cursor: pointer; padding: .15rem 0; }
:target { outline: 2px solid var(--accent); }
"""

# Some browsers do not open the <details> that a link points into.
SCRIPT = """addEventListener("hashchange", () => {
  const box = document.getElementById(location.hash.slice(1))?.closest("details");
  if (box) box.open = true;
});"""


def page(title: str, parts: Iterable[str]) -> str:
    """The whole document."""
    body = "\n".join(parts)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n"
        f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def heading(text: str) -> str:
    """The heading of a section."""
    return f"<h2>{escape(text)}</h2>"


def tiles(figures: Iterable[tuple[str, str, str, str]]) -> str:
    """The main figures in large print: name, value, note and CSS class (`good`, `bad` or empty)."""
    tile = '<div class="tile"><small>{}</small><b class="{}">{}</b><small>{}</small></div>'
    texts = [
        tile.format(escape(name), style, escape(value), escape(note)) for name, value, note, style in figures
    ]
    return f'<div class="tiles">{"".join(texts)}</div>'


def result_bar(wins: int, draws: int, losses: int) -> str:
    """Wins, draws and losses as shares of one bar."""
    total = wins + draws + losses
    shares = (("win", wins), ("draw", draws), ("loss", losses))
    spans = [
        f'<span class="{kind}" style="width:{100 * count / total:.2f}%" title="{kind}">{count}</span>'
        for kind, count in shares
        if count
    ]
    return f'<div class="bar">{"".join(spans)}</div>'


def columns(counts: Sequence[int], labels: Iterable[str]) -> str:
    """A bar chart of counts."""
    highest = max(*counts, 1)
    texts = [
        f'<div>{count}<i style="height:{90 * count / highest:.0f}px"></i>{escape(label)}</div>'
        for count, label in zip(counts, labels)
    ]
    return f'<div class="bars">{"".join(texts)}</div>'


def table(header: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """A table; cells are text, or HTML where they are `Markup`."""
    head = "".join(f"<th>{_cell(text)}</th>" for text in header)
    body = "".join("<tr>" + "".join(f"<td>{_cell(text)}</td>" for text in row) + "</tr>\n" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>'


class Markup(str):
    """HTML that is not to be escaped."""

    __slots__ = ()


def link(anchor: str, text: str) -> Markup:
    """A link to another place on the page."""
    return Markup(f'<a href="#{anchor}">{escape(text)}</a>')


def folded(anchor: str, summary: str, text: str, opening: str) -> str:
    """Text that is shown after a click on its summary, or on a link to its anchor."""
    before = f'<span class="quiet">{escape(opening)}</span><br>' if opening else ""
    return (
        f'<details><summary>{escape(summary)}</summary><p id="{anchor}">{before}{escape(text)}</p></details>'
    )


def _cell(text: object) -> str:
    return text if isinstance(text, Markup) else escape(str(text))
