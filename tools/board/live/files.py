"""Which kind of work writes to a file."""

import json
from pathlib import Path

from bluekrait.tools.board.live import contests, tunings
from bluekrait.tools.board.live.work import Work
from bluekrait.tools.common.files.json_journal import JOURNAL, journal_beside
from bluekrait.tools.data.formats import game_file
from bluekrait.tools.tuning.evaluation import error_log


def work_at(name: str) -> Work:
    """The work that writes to a file or folder. ValueError if it is nothing that can be shown."""
    path = Path(name)
    if path.is_dir():
        if not tunings.is_training(path):
            raise ValueError(f"{path} is no folder of bluekrait tune network")
        return tunings.NetworkTraining(path)
    journal = path if path.suffix == JOURNAL else journal_beside(path)
    if journal.exists():
        return contests.ContestView(journal)
    if not path.exists():
        raise ValueError(f"there is no {path}: start the work first")
    with open(path, "rb") as file:
        beginning = file.readline(1 << 20)
    if not beginning:
        raise ValueError(f"{path} is still empty: try again when the work has begun")
    if game_file.is_game_file(beginning):
        from bluekrait.tools.board.live.self_play import SelfPlayView  # which needs more than the others

        return SelfPlayView(path)
    kind = _kind_of(beginning)
    if kind.startswith(contests.KIND):
        return contests.ContestView(path)
    if kind == error_log.KIND:
        return tunings.EvaluationTuning(path)
    if kind == tunings.SEARCH_KIND:
        return tunings.SearchTuning(path)
    raise ValueError(f"{path} is not written by match, sprt, tune or datagen")


def _kind_of(line: bytes) -> str:
    try:
        head = json.loads(line)
    except ValueError:
        return ""
    return str(head.get("journal", "")) if isinstance(head, dict) else ""
