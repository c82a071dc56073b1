"""From a command line to the plan of a contest. Whatever is wrong is a ValueError that says so in a line."""

import os

from bluekrait.tools.common.processors import (
    parse_processors,
    processes_at_a_time,
    shared_out,
    usable_processors,
)
from bluekrait.tools.match.arguments import TC, file_of, key_values, parse_rules
from bluekrait.tools.match.external.runner_command import KNOWN_RUNNERS, find_runner, why_unable
from bluekrait.tools.match.session import MatchPlan
from bluekrait.tools.match.setup.common_openings import common_openings
from bluekrait.tools.match.setup.contest import Contest
from bluekrait.tools.match.setup.engine_spec import (
    fingerprint,
    parse_common,
    parse_engine,
    split_words,
    with_distinct_names,
)
from bluekrait.tools.match.setup.opening_files import FORMATS, ORDERS, read_openings, source_of

OPENING_WORDS = ("file", "format", "order", "plies", "start", "policy")


def plan_of(options, rounds, scheme, bounds=None):
    """The plan that the arguments describe."""
    engines = engines_of(options)
    source = source_from(options)
    openings = read_openings(source, rounds) if source else common_openings()
    is_960 = options.variant == "fischerandom"
    if is_960 and not source:
        raise ValueError("--variant fischerandom needs --openings with its start positions")
    contest = Contest(engines, openings, rounds, scheme, parse_rules(options), is_960, options.event)
    runner = runner_of(options, contest)
    threads = max(engine.threads for engine in engines)
    concurrency = options.concurrency or max(1, len(usable_processors()) // threads)
    concurrency = processes_at_a_time(min(concurrency, 2 * contest.pairs))
    return MatchPlan(
        contest,
        identity_of(contest, source),
        file_of(options.pgn),
        runner,
        concurrency,
        cpus_for(options, concurrency, threads),
        options.overwrite,
        bounds,
        options.cluster,
    )


def engines_of(options):
    """The engines that take part."""
    if not options.engine or len(options.engine) < 2:
        raise ValueError("two engines are needed: --engine PROGRAM --engine PROGRAM")
    common = [f"tc={options.tc}"] if options.tc else []
    common = parse_common([*common, *(split_words(options.each) if options.each else ())])
    engines = [parse_engine(split_words(words), common) for words in options.engine]
    if not any(engine.time.is_limited for engine in engines):
        common = (f"tc={TC}", *common)
        engines = [parse_engine(split_words(words), common) for words in options.engine]
    for engine in engines:
        if not engine.time.is_limited:
            raise ValueError(f"{engine.name} would think for ever: give it tc=, st=, nodes= or depth=")
    return with_distinct_names(engines)


def source_from(options):
    """Where openings come from; None if no file is named."""
    if not options.openings:
        return None
    words = split_words(options.openings)
    words = [word if word.partition("=")[0] in OPENING_WORDS else f"file={word}" for word in words]
    values = key_values(words, dict.fromkeys(OPENING_WORDS, ""), "--openings")
    if not values["file"]:
        raise ValueError("--openings needs a file")
    for name, allowed in (("format", FORMATS), ("order", ORDERS)):
        if values[name] and values[name] not in allowed:
            raise ValueError(f"--openings {name}={values[name]}: it is {' or '.join(allowed)}")
    settings = {name: values[name] for name in ("format", "order") if values[name]}
    for name in ("plies", "start"):
        if values[name]:
            if not values[name].isdigit() or int(values[name]) < 1:
                raise ValueError(f"--openings {name}={values[name]}: a number of at least 1 is expected")
            settings[name] = int(values[name])
    return source_of(values["file"], seed=options.seed, **settings)


def runner_of(options, contest):
    """Who plays: an installed runner, or None for our own."""
    wanted = options.runner
    if options.cluster is not None and (options.affinity is not None or wanted not in ("auto", "builtin")):
        raise ValueError("on a cluster there is neither --affinity nor another --runner than builtin")
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


def cpus_for(options, concurrency, threads):
    """The processors of each game at a time; None if they are not tied to any."""
    if options.affinity is None:
        return None
    return shared_out(concurrency, threads, parse_processors(options.affinity))


def identity_of(contest, source):
    """What must not change while a contest goes on. The number of rounds may."""
    return {
        "engines": [fingerprint(engine) for engine in contest.engines],
        "scheme": contest.scheme,
        "openings": source.fingerprint() if source else "common",
        "rules": contest.rules._asdict(),
        "variant": "fischerandom" if contest.chess960 else "standard",
    }


def is_in_place(path):
    """True if a file can be written there."""
    folder = os.path.dirname(os.path.abspath(path))
    return os.path.isdir(folder) and os.access(folder, os.W_OK)
