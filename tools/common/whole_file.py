"""Files that are written completely or not at all, also if the program is killed meanwhile."""

from pathlib import Path

DRAFT = ".draft"  # what is added to the name until the file is complete


def write_whole(path: str | Path, text: str) -> None:
    """Put a text in the place of what the file held. OSError if that cannot be done."""
    path = Path(path)
    draft = path.with_name(path.name + DRAFT)
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
