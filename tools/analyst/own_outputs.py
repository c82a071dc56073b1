"""Outputs of an analysis that are there already: other files are not replaced."""

import re
from pathlib import Path

from bluekrait.tools.common.files.own_output import check_own

# What every annotated game has in its first comment, also where that is broken into lines; and every page.
GAMES = re.compile(rb"Accuracy:\s+(?:White|Black)\s+\d+\.\d\s+%|\"\]\s+\{[^}]*\[%eval\s")
PAGE = re.compile(rb'<script type="application/json" id="games">')


def check_outputs(output: Path, page: Path | None) -> None:
    """ValueError if one of the files to write is there, but nothing that this command has written."""
    check_own(output, GAMES)
    if page:
        check_own(page, PAGE)
