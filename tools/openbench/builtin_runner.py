"""Play a worker's match with BlueKrait's own runner, and print what a worker can parse."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing

from bluekrait.tools.common.files.named_file import open_named
from bluekrait.tools.match.planning import source_from
from bluekrait.tools.match.results.finished_games import ABANDONED, BLACK_WINS, DRAW, WHITE_WINS, FinishedGame
from bluekrait.tools.match.results.standings import Standings
from bluekrait.tools.match.runner.engine_check import check_engines
from bluekrait.tools.match.runner.game_processes import play_games
from bluekrait.tools.match.setup import adjudication
from bluekrait.tools.match.setup.contest import Contest, Rules, ScheduledGame
from bluekrait.tools.match.setup.engine_spec import EngineSpec, parse_engine, with_distinct_names
from bluekrait.tools.match.setup.opening_files import START, Opening, openings_to_play
from bluekrait.tools.openbench.flags import CommandLine, pgn_file, rounds_and_games

STALLS = "connection stalls"  # workers know these words, and "disconnects"


def contest_of(line: CommandLine) -> Contest:
    """The contest that a command line describes; ValueError if it is not valid."""
    each = [word for flag in line.all("-each") for word in flag.words]
    engines = tuple(parse_engine(flag.words, each) for flag in line.all("-engine"))
    if len(engines) != 2:
        raise ValueError(f"two engines are expected, not {len(engines)}")
    rounds, _ = rounds_and_games(line)
    is_960 = line.word("-variant", "standard") == "fischerandom"
    return Contest(
        with_distinct_names(engines),
        openings_of(line, rounds, is_960),
        rounds,
        rules=rules_of(line),
        chess960=is_960,
    )


def openings_of(line: CommandLine, rounds: int, chess960: bool) -> tuple[Opening, ...]:
    """The openings, beginning with number `start` of the file."""
    flags = line.all("-openings")
    source = source_from(flags[-1].words if flags else None, line.number("-srand", 0))
    return openings_to_play(source, rounds, chess960) if source else (Opening(START),)


def rules_of(line: CommandLine) -> Rules:
    """The adjudication rules."""
    return adjudication.parse_rules(
        _adjudication(line, "-resign", adjudication.RESIGN),
        _adjudication(line, "-draw", adjudication.DRAW),
        line.number("-maxmoves", 0),
        line.word("-tb", ""),
        line.number("-tbpieces", 0),
        line.has("-tbignore50"),
    )


def _adjudication(line: CommandLine, name: str, defaults: Mapping[str, str]) -> dict[str, str] | None:
    """The values of -resign or -draw; None if they ask for nothing."""
    values = dict(defaults)
    for flag in line.all(name):
        values |= flag.values()
    return values if line.has(name) and values["movecount"] != "0" else None


def play(line: CommandLine, contest: Contest, say: Callable[[str], object]) -> None:
    """Play all games; `say` is called with every line to print. ValueError if an engine does not start."""
    _, games = rounds_and_games(line)
    schedule = games_of(contest, games)
    standings, score, path = Standings(contest), MatchScore(contest.engines), pgn_file(line)

    def number(game: FinishedGame | ScheduledGame) -> int:
        return (game.pair - 1) * games + min(game.game, games)

    def game_started(scheduled: ScheduledGame) -> None:
        who = f"{scheduled.white.name} vs {scheduled.black.name}"
        say(f"Started game {number(scheduled)} of {len(schedule)} ({who})")

    concurrency = line.number("-concurrency", 1, least=1)
    for warning in check_engines(contest.engines):
        say(f"Warning; {ascii_text(warning)}")
    with closing(play_games(schedule, concurrency, on_start=game_started)) as finished:
        for game in finished:
            if path:
                _append(path, game.pgn)
            standings.add(game)
            score.add(game)
            if game.restarted:
                say(f"{ascii_text(game.restarted)} ended before game {number(game)}, and was started again")
            say(finished_line(game, number(game)))
            say(score.text())
    for text in standings.report() if games == 2 else ():
        say(text)
    say("Finished match")


def finished_line(game: FinishedGame, number: int) -> str:
    """The line about a finished game, in ASCII, with the words by which a worker knows a crash."""
    reason = game.reason
    if game.termination == ABANDONED and STALLS not in reason:
        reason = f"{'White' if game.result == BLACK_WINS else 'Black'} disconnects"
    return ascii_text(f"Finished game {number} ({game.white} vs {game.black}): {game.result} {{{reason}}}")


def ascii_text(text: str) -> str:
    """The text with question marks for what is not ASCII."""
    return text.encode("ascii", "replace").decode("ascii")


def games_of(contest: Contest, games: int) -> list[ScheduledGame]:
    """The games of a contest. With one a round, colours change from round to round: workers expect that."""
    return [one for one in contest.schedule() if games == 2 or one.game == 2 - one.pair % 2]


class MatchScore:
    """Wins, losses and draws of the first engine."""

    def __init__(self, engines: Iterable[EngineSpec]) -> None:
        self._first, self._second = (engine.name for engine in engines)
        self._wins = self._losses = self._draws = 0

    def add(self, game: FinishedGame) -> None:
        """Count a game."""
        won = WHITE_WINS if game.white == self._first else BLACK_WINS
        self._wins += game.result == won
        self._draws += game.result == DRAW
        self._losses += game.result not in (won, DRAW)

    def text(self) -> str:
        """The score in the format of cutechess-cli."""
        games = self._wins + self._losses + self._draws
        share = (self._wins + self._draws / 2) / games
        counts = f"{self._wins} - {self._losses} - {self._draws}"
        return f"Score of {self._first} vs {self._second}: {counts}  [{share:.3f}] {games}"


def _append(path: str, pgn: str) -> None:
    with open_named(path, "a") as file:
        file.write(pgn.rstrip("\n") + "\n\n")
