"""From a command line to the plan of a match. Every error is a ValueError with a one-line message."""

import argparse
from collections.abc import Sequence
from typing import Any

from bluekrait.tools.common.files.ordinary_file import check_ordinary
from bluekrait.tools.common.files.whole_file import check_targets
from bluekrait.tools.common.processors import parse_processors, processes_at_a_time, shared_out
from bluekrait.tools.match.arguments import TC, file_of, key_values, rules_of
from bluekrait.tools.match.external.runner_command import KNOWN_RUNNERS, Runner, find_runner, why_unable
from bluekrait.tools.match.match_session import MatchPlan
from bluekrait.tools.match.setup.common_openings import common_openings
from bluekrait.tools.match.setup.contest import Contest
from bluekrait.tools.match.setup.engine_fingerprint import fingerprint
from bluekrait.tools.match.setup.engine_spec import (
    EngineSpec,
    parse_common,
    parse_engine,
    split_words,
    with_distinct_names,
    words_of_all,
)
from bluekrait.tools.match.setup.opening_files import (
    FORMATS,
    ORDERS,
    OpeningSource,
    openings_to_play,
    source_of,
)
from bluekrait.tools.statistics.sequential import Bounds

OPENING_WORDS = ("file", "format", "order", "plies", "start", "policy")


def plan_of(options: argparse.Namespace, rounds: int, scheme: str, bounds: Bounds | None = None) -> MatchPlan:
    """The plan that the options describe."""
    if options.config and any(word.startswith("file=") for word in options.config):
        raise ValueError(
            f"--config {' '.join(options.config)}: settings are not read from a file, write them out"
        )
    engines = engines_of(options)
    source = source_from(options.openings, options.seed)
    pgn = file_of(options.pgn)
    if source:
        check_ordinary(source.path)
        for target in (pgn, options.report, options.plot):
            check_targets(source.path, target)
    is_960 = options.variant == "fischerandom"
    openings = openings_to_play(source, rounds, is_960) if source else common_openings()
    if is_960 and not source:
        raise ValueError("--variant fischerandom needs --openings with its start positions")
    contest = Contest(engines, openings, rounds, scheme, rules_of(options), is_960, options.event)
    runner = runner_of(options, contest)
    threads = max(engine.threads for engine in engines)
    processors = parse_processors(options.affinity or "")
    concurrency = options.concurrency or max(1, len(processors) // threads)
    concurrency = processes_at_a_time(min(concurrency, 2 * contest.pairs))
    return MatchPlan(
        contest,
        identity_of(contest, source),
        pgn,
        runner,
        concurrency,
        None if options.affinity is None else shared_out(concurrency, threads, processors),
        options.overwrite,
        bounds,
        options.cluster,
    )


def engines_of(options: argparse.Namespace) -> tuple[EngineSpec, ...]:
    """The engines of the match."""
    if not options.engine or len(options.engine) < 2:
        raise ValueError("two engines are needed: --engine PROGRAM --engine PROGRAM")
    common = [f"tc={options.tc}"] if options.tc else []
    shared = parse_common([*common, *words_of_all(options.each)])
    engines = [parse_engine(split_words(words), shared) for words in options.engine]
    if not any(engine.time.is_limited for engine in engines):
        shared = (f"tc={TC}", *shared)
        engines = [parse_engine(split_words(words), shared) for words in options.engine]
    for engine in engines:
        if not engine.time.is_limited:
            raise ValueError(f"{engine.name} has no limit: give it tc=, st=, nodes= or depth=")
    return with_distinct_names(engines)


def source_from(words: Sequence[str] | None, seed: int) -> OpeningSource | None:
    """The file of openings that the words of `--openings` describe; None without that option."""
    if words is None:
        return None
    words = split_words(words) if words else ()
    words = [word if word.partition("=")[0] in OPENING_WORDS else f"file={word}" for word in words]
    values = key_values(words, dict.fromkeys(OPENING_WORDS, ""), "--openings")
    if not values["file"]:
        raise ValueError("--openings needs a file")
    for name, allowed in (("format", FORMATS), ("order", ORDERS)):
        if values[name] and values[name] not in allowed:
            raise ValueError(f"--openings {name}={values[name]}: it is {' or '.join(allowed)}")
    settings: dict[str, Any] = {name: values[name] for name in ("format", "order") if values[name]}
    for name in ("plies", "start"):
        if values[name]:
            if not values[name].isdecimal() or int(values[name]) < 1:
                raise ValueError(f"--openings {name}={values[name]}: a number of at least 1 is expected")
            settings[name] = int(values[name])
    return source_of(values["file"], seed=seed, **settings)


def runner_of(options: argparse.Namespace, contest: Contest) -> Runner | None:
    """The installed runner that plays; None for the built-in one."""
    wanted = options.runner
    if options.cluster is not None and (options.affinity is not None or wanted not in ("auto", "builtin")):
        raise ValueError("--cluster excludes --affinity and any --runner but builtin")
    if wanted == "builtin" or options.cluster is not None:
        return None
    if wanted == "auto":
        found = (find_runner(name) for name in KNOWN_RUNNERS)
        able = [
            runner
            for runner in found
            if runner and not why_unable(runner, contest, options.affinity is not None)
        ]
        return able[0] if able else None
    runner = find_runner(wanted)
    if runner is None:
        raise ValueError(f"--runner {wanted}: there is no such program")
    reason = why_unable(runner, contest, options.affinity is not None)
    if reason:
        raise ValueError(f"--runner {wanted}: {reason}")
    return runner


def identity_of(contest: Contest, source: OpeningSource | None) -> dict[str, Any]:
    """What must be the same to continue a contest. The number of rounds may change."""
    return {
        "engines": [fingerprint(engine) for engine in contest.engines],
        "scheme": contest.scheme,
        "openings": source.fingerprint() if source else "common",
        "rules": contest.rules._asdict(),
        "variant": "fischerandom" if contest.chess960 else "standard",
    }
