"""What a search tells, in UCI's words."""

from bluekrait.core.move import NO_MOVE
from bluekrait.core.notation.san_and_uci import move_to_uci
from bluekrait.search.reports import EXACT

NO_MOVE_TEXT = "(none)"


class Wording:
    """How the moves and scores of one search are spelled."""

    def __init__(self, turn, chess960=False, shows_chances=False):
        self._turn = turn
        self._chess960 = chess960
        self._shows_chances = shows_chances

    def line(self, line):
        """An `info` line about one of the best lines."""
        words = [
            f"depth {line.depth} seldepth {line.selective_depth} multipv {line.rank}",
            f"score {score_text(line.score)}",
            *([line.bound] if line.bound != EXACT else []),
            *(["wdl {} {} {}".format(*line.win_draw_loss)] if self._shows_chances else []),
            f"nodes {line.nodes} nps {per_second(line.nodes, line.seconds)} hashfull {line.hash_permille}",
            f"tbhits {line.tablebase_hits} time {milliseconds(line.seconds)}",
            *(["pv", *self._moves(line.moves)] if line.moves else []),
        ]
        return "info " + " ".join(words)

    def current_move(self, current):
        """An `info` line about the root move that is being looked at."""
        move = self.move(current.move)
        return f"info depth {current.depth} currmove {move} currmovenumber {current.number}"

    def best_move(self, move, reply=NO_MOVE):
        """The `bestmove` line; the reply is the move to ponder on, if any."""
        if move == NO_MOVE:
            return f"bestmove {NO_MOVE_TEXT}"
        expected = [] if reply == NO_MOVE else ["ponder", *self._moves([move, reply])[1:]]
        return " ".join(["bestmove", self.move(move), *expected])

    def move(self, move):
        """A move of the side to move."""
        return move_to_uci(move, self._turn, self._chess960)

    def _moves(self, moves):
        """A sequence of moves, each as its mover sees it."""
        return [move_to_uci(move, self._turn ^ ply & 1, self._chess960) for ply, move in enumerate(moves)]


def score_text(score):
    """A score for the side to move."""
    return f"mate {score.mate}" if score.mate is not None else f"cp {score.centipawns}"


def per_second(nodes, seconds):
    """Nodes per second; what took no time at all is taken for a millisecond."""
    return int(nodes / max(seconds, 0.001))


def milliseconds(seconds):
    """Whole milliseconds."""
    return int(1000 * seconds)
