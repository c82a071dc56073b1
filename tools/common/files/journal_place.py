"""Where a journal is kept: beside the file that the work is about, or elsewhere if that cannot be."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from bluekrait.tools.common.files.digest import digest
from bluekrait.tools.common.files.json_journal import journal_beside
from bluekrait.tools.common.files.whole_file import check_writable
from bluekrait.tools.common.user_folder import user_folder

DIGITS = 8  # of the digest in its name, which tells files of one name apart


def journal_place(path: Path) -> Path:
    """The first place that can be written. ValueError if there is none."""
    for place in _places(path):
        with suppress(ValueError):
            check_writable([str(place)])
            return place
    raise ValueError(f"no journal can be written: neither beside {path}, nor in {user_folder()}, nor here")


def _places(path: Path) -> Iterator[Path]:
    """Beside the file, in the user's folder, and in the folder in which the command was called."""
    yield journal_beside(path)
    number = digest(os.fsencode(path.resolve()))[:DIGITS]
    name = journal_beside(Path(f"{path.name}.{number}")).name
    folder = user_folder() / "journals"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        yield folder / name
    yield Path(name)
