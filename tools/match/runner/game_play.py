"""One game, from its opening to its verdict."""

import gc
from time import perf_counter

import chess

from bluekrait.tools.match.results.finished_games import TIME_FORFEIT, finished_game, lost_by, now
from bluekrait.tools.match.runner.engine_process import EngineFailure, EngineProcess, limit_of
from bluekrait.tools.match.runner.referee import Referee
from bluekrait.tools.match.setup.time_control import SideClock


class GamePlayer:
    """Where games are played, one after the other: the engines stay for the next one if they are in it."""

    def __init__(self):
        self._engines = {}

    async def play(self, scheduled):
        """Play a game; its record."""
        started, start = now(), perf_counter()
        board, comments = scheduled.opening.board(scheduled.chess960), []
        gc.disable()  # it would take its time from the side to move
        try:
            verdict = await self._verdict(scheduled, board, comments)
        finally:
            gc.enable()
        return finished_game(scheduled, board, comments, verdict, started, perf_counter() - start)

    async def _verdict(self, scheduled, board, comments):
        """Play on a board until there is a verdict."""
        await self._dismiss_all_but(scheduled)
        players = {}
        for colour, spec in ((chess.WHITE, scheduled.white), (chess.BLACK, scheduled.black)):
            try:
                players[colour] = await self._seated(spec)
            except EngineFailure as failure:
                return lost_by(colour, failure.termination, failure.reason)
        return await self._play_on(scheduled, board, comments, players)

    async def _play_on(self, scheduled, board, comments, players):
        clocks = {colour: SideClock(player.spec.time) for colour, player in players.items()}
        referee, game = Referee(scheduled.rules), object()
        while True:
            verdict = referee.by_rules(board)
            if verdict:
                return verdict
            mover = board.turn
            player, clock = players[mover], clocks[mover]
            try:
                answer = await player.move(board, limit_of(scheduled, clocks, mover), game)
            except EngineFailure as failure:
                await self._dismiss(player)
                return lost_by(mover, failure.termination, failure.reason)
            board.push(answer.move)
            comments.append(comment_of(answer, mover))
            overrun = clock.overrun(answer.seconds)
            if overrun:
                return lost_by(mover, TIME_FORFEIT, f" loses on time ({overrun * 1000:.0f}ms overrun)")
            clock.spend(answer.seconds)
            verdict = (
                referee.by_rules(board)
                or referee.by_tablebases(board)
                or referee.by_scores(board, answer.score)
            )
            if verdict:
                return verdict

    async def _seated(self, spec):
        """The player of an engine, started if it is not here."""
        player = self._engines.get(spec)
        if player is not None and spec.restart:
            await self._dismiss(player, kindly=True)
            player = None
        if player is None:
            player = EngineProcess(spec)
            await player.start()
            self._engines[spec] = player
        return player

    async def _dismiss_all_but(self, scheduled):
        for player in tuple(self._engines.values()):
            if player.spec not in (scheduled.white, scheduled.black):
                await self._dismiss(player, kindly=True)

    async def _dismiss(self, player, kindly=False):
        self._engines.pop(player.spec, None)
        await player.end(kindly)

    async def close(self, kindly=True):
        """End all engines."""
        for player in tuple(self._engines.values()):
            await self._dismiss(player, kindly)


def comment_of(answer, mover):
    """What a PGN says of a move: score, depth and time."""
    return f"{score_text(answer.score, mover)}/{answer.depth} {answer.seconds:.3f}s"


def score_text(score, mover):
    """A score for the side that moved, in pawns or moves to mate."""
    if score is None:
        return "0.00"
    mate = score.pov(mover).mate()
    if mate is not None:
        return f"{'-' if mate < 0 or score.pov(mover) < chess.engine.Cp(0) else '+'}M{plies_to_mate(mate)}"
    points = score.pov(mover).score()
    return f"{points / 100:+.2f}" if points else "0.00"


def plies_to_mate(mate):
    """Half-moves from the move that a side is about to make to the mate that it sees in so many moves."""
    return 2 * mate - 1 if mate > 0 else -2 * mate
