"""Solve all positions of a suite on several processors. Answers are in a journal until they are printed."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from bluekrait.tools.analyst.game_search import Limit
from bluekrait.tools.analyst.suite import Answer, Task, read_suite, solve
from bluekrait.tools.cluster.pools import open_pool
from bluekrait.tools.cluster.worker_pool import WorkerPool, run_units
from bluekrait.tools.common.files.append_only import REMOVE_JOURNAL, check_unchanged, merge_settings
from bluekrait.tools.common.files.digest import file_digest
from bluekrait.tools.common.files.json_journal import Journal
from bluekrait.uci.progress import ProgressLine, count_text

KIND = "bluekrait analyse suite"

Complain = Callable[[str], None]


class SuiteJob(NamedTuple):
    """What is to be done."""

    suite: Path
    limit: Limit
    journal: Path  # where the answers are kept until they are printed
    processes: int
    cluster: str | None


class Solved(NamedTuple):
    """The positions of a suite, and what the engine made of them."""

    tasks: list[Task]
    answers: list[Answer]
    left_out: int  # lines that are no tasks


def analyse_suite(job: SuiteJob, complain: Complain) -> Solved:
    """Solve all positions; ValueError if there is none. `complain(line)` is told of each wrong line.

    The journal stays. Remove it when the answers are printed.
    """
    tasks, left_out = _read_tasks(job, complain)
    if not tasks:
        raise ValueError(f"{job.suite}: there is no position in it")
    with Journal(job.journal, KIND) as journal:
        settings = {**job.limit._asdict(), "suite": job.suite.name, "digest": file_digest(job.suite)}
        check_unchanged(journal.head, settings, "suite", job.journal)
        merge_settings(journal.head, settings, {}, job.journal, REMOVE_JOURNAL)
        answers = _kept_answers(job, journal)
        with open_pool(job.processes, job.cluster) as pool:
            journal.begin(settings)
            _solve_missing(pool, job.limit, tasks, answers, journal)
    return Solved(tasks, answers, left_out)


def _read_tasks(job: SuiteJob, complain: Complain) -> tuple[list[Task], int]:
    """The tasks of a suite, and how many lines are none."""
    tasks: list[Task] = []
    left_out, line = 0, ProgressLine(delay=1.0)
    try:
        for task in read_suite(job.suite):
            if isinstance(task, str):
                left_out += 1
                line.clear()
                complain(task)
            else:
                tasks.append(task)
                line.show(f"{count_text(len(tasks), 'position')} read")
    finally:
        line.clear()
    return tasks, left_out


def _kept_answers(job: SuiteJob, journal: Journal) -> list[Answer]:
    try:
        return [Answer(**entry) for entry in journal.entries]
    except TypeError:
        raise ValueError(f"{job.journal} is damaged") from None


def _solve_missing(
    pool: WorkerPool, limit: Limit, tasks: Sequence[Task], answers: list[Answer], journal: Journal
) -> None:
    """Solve the positions that have no answer yet, and keep each answer at once."""
    done = {answer.number for answer in answers}
    missing = [task for task in tasks if task.number not in done]
    solved, line = sum(answer.is_solved for answer in answers), ProgressLine(delay=1.0)
    try:
        for answer in run_units(pool, solve, ((task, limit) for task in missing)):
            journal.add(answer._asdict())
            answers.append(answer)
            solved += answer.is_solved
            line.show(f"{len(answers)} of {len(tasks)} positions, {solved} solved")
    finally:
        line.clear()
