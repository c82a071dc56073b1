"""All answers that engines have given, in a journal: no question is asked twice, and a kill loses nothing."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bluekrait.tools.choices.asking import Answer, Question, ask
from bluekrait.tools.common.files.digest import digest
from bluekrait.tools.common.files.json_journal import Journal
from bluekrait.tools.match.setup.engine_fingerprint import fingerprint
from bluekrait.tools.match.setup.engine_spec import EngineSpec

KIND = "bluekrait choices"


class KeptAnswers:
    """A journal of answers, open for more."""

    def __init__(self, path: Path) -> None:
        self._journal = Journal(path, KIND)
        self._journal.begin({})
        try:
            self._answers = dict(map(_question_and_answer, self._journal.entries))
        except (LookupError, TypeError):
            self._journal.close()
            raise ValueError(f"{path} is damaged") from None

    def __enter__(self) -> "KeptAnswers":
        return self

    def __exit__(self, *error: object) -> None:
        self._journal.close()

    def ask(
        self, engine: EngineSpec, questions: Sequence[Question], processes: int, show: Callable[[int], object]
    ) -> list[Answer]:
        """An engine's answers. It is asked only what it has not answered before; `show(done)` counts them."""
        key = identity(engine)
        missing = [question for question in questions if (key, question) not in self._answers]
        known = len(questions) - len(missing)

        def keep(question: Question, answer: Answer) -> None:
            nonlocal known
            known += 1
            self._answers[key, question] = answer
            asked = {"engine": key, "fen": question.fen, "after": question.move}
            self._journal.add({**asked, **answer._asdict()})
            show(known)

        if missing:
            ask(engine, missing, min(processes, len(missing)), keep)
        return [self._answers[key, question] for question in questions]


def _question_and_answer(entry: Mapping[str, Any]) -> tuple[tuple[str, Question], Answer]:
    """What an engine was asked, and what it answered, of a line of the journal."""
    question = Question(entry["fen"], entry["after"])
    return (entry["engine"], question), Answer(entry["move"], entry["score"])


def identity(engine: EngineSpec) -> str:
    """A name for everything that decides an engine's answers: its program, options and limits."""
    facts = {name: value for name, value in fingerprint(engine).items() if name != "name"}
    return digest(json.dumps(facts).encode())
