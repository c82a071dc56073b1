"""The referee: ends games by the rules of chess, or where that was arranged by tablebases or agreement."""

import chess

from bluekrait.tools.match.results.finished_games import ADJUDICATION, DRAW, NORMAL, GameResult, won_by
from bluekrait.tools.match.runner.referee_tables import tablebase_outcome

MATE_SCORE = 100_000  # centipawns


class Referee:
    """Watches one game."""

    def __init__(self, rules):
        self._rules = rules
        self._losing = {chess.WHITE: 0, chess.BLACK: 0}  # moves in a row with a score that says so
        self._winning = {chess.WHITE: 0, chess.BLACK: 0}
        self._even = 0  # half-moves in a row

    def by_rules(self, board):
        """How the rules of chess end the game in this position; None if they do not."""
        if board.is_checkmate():
            return won_by(not board.turn, NORMAL, " mates")
        if board.is_stalemate():
            return GameResult(DRAW, NORMAL, "Draw by stalemate")
        if board.is_insufficient_material():
            return GameResult(DRAW, NORMAL, "Draw by insufficient mating material")
        if board.is_repetition(3):
            return GameResult(DRAW, NORMAL, "Draw by 3-fold repetition")
        if board.halfmove_clock >= 100:
            return GameResult(DRAW, NORMAL, "Draw by fifty moves rule")
        return None

    def by_tablebases(self, board):
        """How tablebases end the game in this position; None if they do not."""
        outcome = tablebase_outcome(board, self._rules)
        if outcome is None:
            return None
        if outcome == 0:
            return GameResult(DRAW, ADJUDICATION, "Draw by adjudication: SyzygyTB")
        winner = board.turn if outcome > 0 else not board.turn
        return won_by(winner, ADJUDICATION, " wins by adjudication: SyzygyTB")

    def by_scores(self, board, score):
        """How the scores end the game, the last move being on the board and its score given; None if not."""
        mover, rules = not board.turn, self._rules
        points = None if score is None else score.pov(mover).score(mate_score=MATE_SCORE)
        self._count(board, mover, points)
        for loser in self._losing if rules.resign_moves else ():
            agreed = not rules.resign_twosided or self._winning[not loser] >= rules.resign_moves
            if agreed and self._losing[loser] >= rules.resign_moves:
                return won_by(not loser, ADJUDICATION, " wins by adjudication")
        if (
            rules.draw_moves
            and board.fullmove_number > rules.draw_from
            and self._even >= 2 * rules.draw_moves
        ):
            return GameResult(DRAW, ADJUDICATION, "Draw by adjudication")
        if rules.max_moves and len(board.move_stack) >= 2 * rules.max_moves:
            return GameResult(DRAW, ADJUDICATION, "Draw by adjudication (too many moves)")
        return None

    def _count(self, board, mover, points):
        rules = self._rules
        is_lost = points is not None and points <= -rules.resign_score
        is_won = points is not None and points >= rules.resign_score
        self._losing[mover] = self._losing[mover] + 1 if is_lost else 0
        self._winning[mover] = self._winning[mover] + 1 if is_won else 0
        is_even = points is not None and abs(points) <= rules.draw_score and board.halfmove_clock > 0
        self._even = self._even + 1 if is_even else 0
