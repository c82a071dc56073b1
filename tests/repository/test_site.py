"""The site of `make docs`: built strictly, so that no link and no name in it is wrong."""

import re
import subprocess
import sys

import pytest

import bluekrait
from bluekrait import core
from helpers.paths import ROOT

pytest.importorskip("mkdocstrings", reason="the extra [docs] is not installed")
pytest.importorskip("material", reason="the extra [docs] is not installed")

SOURCES = "$PWD/{core,search,uci,tools} $PWD/uci/top_level/*.py"
LAY_OUT = f"mkdir -p build/types/bluekrait && ln -sfn {SOURCES} build/types/bluekrait/"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built in a folder of its own."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run(["bash", "-c", LAY_OUT], cwd=ROOT, check=True)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder]
    built = subprocess.run(
        [*command, "--config-file", "docs/site/mkdocs.yml"], cwd=ROOT, capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr
    return folder


def test_every_guide_is_a_page(site):
    guides = [path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")]
    assert len(guides) > 10
    assert not [guide for guide in guides if not (site / guide).exists()]
    assert "Your games" in (site / "index.html").read_text(encoding="utf-8")


def test_every_public_name_is_in_the_reference(site):
    reference = (site / "reference.html").read_text(encoding="utf-8")
    missing = [name for name in bluekrait.__all__ if name != "__version__" and f".{name}" not in reference]
    assert not missing
    assert "multi_pv" in reference


def test_every_public_name_of_the_rules_is_in_the_reference(site):
    reference = (site / "reference.html").read_text(encoding="utf-8")
    assert not [name for name in core.__all__ if not is_in(reference, name)]


def is_in(reference, name):
    """True if a name of `bluekrait.core` has an entry. The constants are told in that of `status`."""
    if isinstance(getattr(core, name), int):
        return re.search(rf"\b{name}\b", reference)
    return re.search(rf'id="bluekrait\.core\.[\w.]+\.{name}"', reference)


def test_no_item_of_a_list_became_text(site):
    lost = [
        f"{page.relative_to(site)}: {line}"
        for page in site.rglob("*.html")
        for paragraph in re.findall("<p>(.*?)</p>", page.read_text(encoding="utf-8"), re.DOTALL)
        for line in paragraph.splitlines()
        if re.match(r"([*-]|\d+\.) ", line)
    ]
    assert not lost, "indent paragraphs of a list by four spaces, then leave a line empty:\n" + "\n".join(
        lost
    )
