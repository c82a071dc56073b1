"""The worker's match played by BlueKrait's own runner, in the words of those that a worker knows."""

from contextlib import closing

from bluekrait.tools.match.results.finished_games import BLACK_WINS, DRAW, WHITE_WINS
from bluekrait.tools.match.results.standings import Standings
from bluekrait.tools.match.runner.game_processes import play_games
from bluekrait.tools.match.runner.referee_tables import open_tables
from bluekrait.tools.match.setup.contest import Contest, Rules
from bluekrait.tools.match.setup.engine_spec import parse_engine, with_distinct_names
from bluekrait.tools.match.setup.opening_files import START, Opening, read_openings, source_of
from bluekrait.tools.openbench.flags import pgn_file, rounds_and_games


def contest_of(line):
    """The contest that a command line describes; ValueError if it describes none."""
    each = [word for flag in line.all("-each") for word in flag.words]
    engines = tuple(parse_engine(flag.words, each) for flag in line.all("-engine"))
    if len(engines) != 2:
        raise ValueError(f"two engines are expected, not {len(engines)}")
    rounds, _ = rounds_and_games(line)
    is_960 = line.word("-variant", "standard") == "fischerandom"
    return Contest(
        with_distinct_names(engines),
        openings_of(line, rounds),
        rounds,
        rules=parse_rules(line),
        chess960=is_960,
    )


def openings_of(line, rounds):
    """The openings, from the one on that the worker was told to begin with."""
    for flag in line.all("-openings")[-1:]:
        values = flag.values()
        known = {name: values[name] for name in ("format", "order") if name in values}
        start, plies = int(values.get("start", 1)), int(values.get("plies", 0))
        source = source_of(values["file"], seed=line.number("-srand", 0), start=start, plies=plies, **known)
        return read_openings(source, rounds)
    return (Opening(START),)


def parse_rules(line):
    """When games are ended early."""
    resign, draw = (
        {key: value for flag in line.all(name) for key, value in flag.values().items()}
        for name in ("-resign", "-draw")
    )
    return Rules(
        resign_score=int(resign.get("score", 0)),
        resign_moves=int(resign.get("movecount", 0)),
        resign_twosided=resign.get("twosided") == "true",
        draw_score=int(draw.get("score", 0)),
        draw_moves=int(draw.get("movecount", 0)),
        draw_from=int(draw.get("movenumber", 0)),
        max_moves=line.number("-maxmoves", 0),
        tables=tables_of(line),
        table_pieces=line.number("-tbpieces", 0),
        tables_ignore_fifty=line.has("-tbignore50"),
    )


def tables_of(line):
    """The directories of tablebases that end games; ValueError if nothing is there."""
    directories = line.word("-tb", "")
    if directories:
        open_tables(directories)
    return directories


def play(line, contest, say):
    """Play all games; `say` gets every line that is to be printed."""
    _, games = rounds_and_games(line)
    schedule = [scheduled for scheduled in contest.schedule() if scheduled.game <= games]
    standings, score, path = Standings(contest), MatchScore(contest.engines), pgn_file(line)

    def number(game):
        return (game.pair - 1) * games + game.game

    def begun(scheduled):
        who = f"{scheduled.white.name} vs {scheduled.black.name}"
        say(f"Started game {number(scheduled)} of {len(schedule)} ({who})")

    with closing(play_games(schedule, line.number("-concurrency", 1), on_start=begun)) as finished:
        for game in finished:
            if path:
                _append(path, game.pgn)
            standings.add(game)
            score.add(game)
            who = f"{game.white} vs {game.black}"
            say(f"Finished game {number(game)} ({who}): {game.result} {{{game.reason}}}")
            say(score.text())
    for text in standings.report() if games == 2 else ():
        say(text)
    say("Finished match")


class MatchScore:
    """Wins, losses and draws of the first engine."""

    def __init__(self, engines):
        self._first, self._second = (engine.name for engine in engines)
        self._wins = self._losses = self._draws = 0

    def add(self, game):
        """Count a game."""
        won = WHITE_WINS if game.white == self._first else BLACK_WINS
        self._wins += game.result == won
        self._draws += game.result == DRAW
        self._losses += game.result not in (won, DRAW)

    def text(self):
        """How it stands, as cutechess-cli says it."""
        games = self._wins + self._losses + self._draws
        share = (self._wins + self._draws / 2) / games
        counts = f"{self._wins} - {self._losses} - {self._draws}"
        return f"Score of {self._first} vs {self._second}: {counts}  [{share:.3f}] {games}"


def _append(path, pgn):
    with open(path, "a", encoding="utf-8") as file:
        file.write(pgn.rstrip("\n") + "\n\n")
