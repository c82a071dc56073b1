"""Games with what the engine thinks of each move, written back as PGN by python-chess."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import chess
import chess.engine
import chess.pgn

from bluekrait.tools.analyst.game_search import Judged
from bluekrait.tools.analyst.judgement import NAGS, accuracy, mark_of
from bluekrait.tools.analyst.played_game import PlayedGame

AUTHORS_MARKS = frozenset(range(1, 7))  # `!` to `?!` of the person who annotated the game before
# What an analysis says about a game; an opening that has another name now must be one sentence.
ANY_OPENING = r"(?:(?!Opening: |(?<!St)\. [A-Z]).)+"
MATED = "[%eval #0]"  # of a position in which the side to move is mated
ACCURACIES = r"Accuracy: (?:(?:White|Black) \d+\.\d %(?:, )?)+\."


class JudgedMove(NamedTuple):
    """A move that was played, between two positions that the engine has judged."""

    ply: int
    by_white: bool
    before: Judged
    after: Judged
    loss: float  # of the mover's chances

    @property
    def mark(self) -> str:
        """`?!`, `?`, `??` or nothing."""
        return mark_of(self.loss)


class JudgedGame(NamedTuple):
    """A game and all its moves."""

    game: PlayedGame
    start: Judged  # the position in which it begins
    moves: list[JudgedMove]

    def accuracy(self, by_white: bool) -> float | None:
        """How accurate a player was, in percent; None if the player did not move."""
        return accuracy(move.loss for move in self.moves if move.by_white == by_white)

    def marked(self, by_white: bool, mark: str) -> int:
        """How many moves of a player have a mark."""
        return sum(move.mark == mark for move in self.moves if move.by_white == by_white)

    def accuracies(self) -> str:
        """The accuracies of both players in words."""
        both = zip(("White", "Black"), (self.accuracy(True), self.accuracy(False)))
        return ", ".join(f"{side} {value:.1f} %" for side, value in both if value is not None)


def judged_game(game: PlayedGame, judged: Sequence[Judged]) -> JudgedGame:
    """Put together a game and the judgements of its positions, one more than it has moves."""
    white_begins = game.fen.split()[1] == "w"
    moves = []
    for ply, (move, before, after) in enumerate(zip(game.moves, judged, judged[1:])):
        by_white = white_begins == (ply % 2 == 0)
        loss = before.chance - after.chance if by_white else after.chance - before.chance
        is_best = before.line[:1] == [move]
        moves.append(JudgedMove(ply, by_white, before, after, 0.0 if is_best else max(0.0, loss)))
    return JudgedGame(game, judged[0], moves)


def annotated(judged: JudgedGame) -> str:
    """The game as PGN: tags, moves, comments and variations as they were, and the engine's beside them."""
    tree = judged.game.tree
    tree.comment = _comment(judged)
    if not judged.moves:
        _set_only_score(tree, judged.start)
    board = tree.board()
    for move, node in zip(judged.moves, judged.game.nodes):
        _annotate(node, move, board)
        board.push(node.move)
    exporter = chess.pgn.StringExporter(columns=100)
    return str(tree.accept(exporter)) + "\n"


def _set_only_score(tree: chess.pgn.Game, start: Judged) -> None:
    """Add what the engine thinks of a position without moves. python-chess writes no score of a mate."""
    tree.set_eval(score_of(start), start.depth or None)
    if start.mate == 0:
        tree.comment = _in_one_line(f"{tree.comment} {MATED}")


def _comment(judged: JudgedGame) -> str:
    """The comment on the game, and what is found about it, in place of what an earlier analysis said."""
    opening = _in_one_line((judged.game.opening or "").replace("}", ""))  # which no comment can hold
    earlier = rf"(?:Opening: (?:{re.escape(opening)}|{ANY_OPENING})\. )?{ACCURACIES}"
    words = re.sub(earlier, "", _in_one_line(judged.game.tree.comment))
    if judged.moves:
        about_opening = f"Opening: {opening}. " if opening else ""
        words += f" {about_opening}Accuracy: {judged.accuracies()}."
    return _in_one_line(words)


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def _annotate(node: chess.pgn.ChildNode, move: JudgedMove, board: chess.Board) -> None:
    """Add what the engine thinks of a move, made on the board before it."""
    node.set_eval(score_of(move.after), move.after.depth or None)
    if move.mark:
        if not node.nags & AUTHORS_MARKS:
            node.nags.add(NAGS[move.mark])
        _add_better_line(node, move, board)


def _add_better_line(node: chess.pgn.ChildNode, move: JudgedMove, board: chess.Board) -> None:
    """Add the engine's line beside the move, unless there is a variation with its first move already."""
    line = list(better_moves(board, move.before))
    if not line or node.parent.has_variation(line[0]):
        return
    first = node.parent.add_variation(line[0])
    first.add_line(line[1:])
    first.set_eval(score_of(move.before), move.before.depth or None)


def better_moves(board: chess.Board, judged: Judged) -> Iterator[chess.Move]:
    """The moves of the engine's line in a position."""
    board = board.copy(stack=False)
    for text in judged.line:
        move = board.parse_uci(text)
        yield move
        board.push(move)


def score_of(judged: Judged) -> chess.engine.PovScore:
    """A score as python-chess has it."""
    score: chess.engine.Score
    if judged.mate is None:
        score = chess.engine.Cp(judged.centipawns or 0)
    else:
        score = chess.engine.Mate(judged.mate) if judged.mate else _mated(judged)
    return chess.engine.PovScore(score, chess.WHITE)


def _mated(judged: Judged) -> chess.engine.Score:
    return chess.engine.MateGiven if judged.chance > 0.5 else chess.engine.Mate(0)
