"""The referee: ends games by the rules of chess, and where asked by tablebases or by the engines' scores."""

import chess
import chess.engine

from bluekrait.tools.match.results.finished_games import ADJUDICATION, DRAW, NORMAL, GameResult, won_by
from bluekrait.tools.match.setup.contest import Rules
from bluekrait.tools.match.setup.tablebases import tablebase_outcome

MATE_SCORE = 100_000  # centipawns


class Referee:
    """The referee of one game."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._losing = {chess.WHITE: 0, chess.BLACK: 0}  # moves in a row with a losing score
        self._winning = {chess.WHITE: 0, chess.BLACK: 0}
        self._even = 0  # plies in a row with a drawish score

    def by_rules(self, board: chess.Board) -> GameResult | None:
        """The result by the rules of chess; None if the game continues."""
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

    def by_tablebases(self, board: chess.Board) -> GameResult | None:
        """The result by tablebases; None if they do not decide the game."""
        outcome = tablebase_outcome(board, self._rules)
        if outcome is None:
            return None
        if outcome == 0:
            return GameResult(DRAW, ADJUDICATION, "Draw by adjudication: SyzygyTB")
        winner = board.turn if outcome > 0 else not board.turn
        return won_by(winner, ADJUDICATION, " wins by adjudication: SyzygyTB")

    def by_scores(self, board: chess.Board, score: chess.engine.PovScore | None) -> GameResult | None:
        """The result by the scores so far; `score` belongs to the last move on the board. None: play on."""
        rules = self._rules
        self._count(board, score)
        for loser in self._losing if rules.resign_moves else ():
            agreed = not rules.resign_twosided or self._winning[not loser] >= rules.resign_moves
            if agreed and self._losing[loser] >= rules.resign_moves:
                return won_by(not loser, ADJUDICATION, " wins by adjudication")
        is_late = board.fullmove_number > rules.draw_from
        if rules.draw_moves and is_late and self._even >= 2 * rules.draw_moves:
            return GameResult(DRAW, ADJUDICATION, "Draw by adjudication")
        if rules.max_moves and len(board.move_stack) >= 2 * rules.max_moves:
            return GameResult(DRAW, ADJUDICATION, "Draw by adjudication (too many moves)")
        return None

    def _count(self, board: chess.Board, score: chess.engine.PovScore | None) -> None:
        mover, rules = not board.turn, self._rules
        points = None if score is None else score.pov(mover).score(mate_score=MATE_SCORE)
        is_lost = points is not None and points <= -rules.resign_score
        is_won = points is not None and points >= rules.resign_score
        self._losing[mover] = self._losing[mover] + 1 if is_lost else 0
        self._winning[mover] = self._winning[mover] + 1 if is_won else 0
        is_even = points is not None and abs(points) <= rules.draw_score and board.halfmove_clock > 0
        self._even = self._even + 1 if is_even else 0
