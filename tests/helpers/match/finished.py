"""Finished games of a contest between two engines, without playing them."""

from bluekrait.tools.match.results.finished_games import FinishedGame

TEST = {"elo0": 0.0, "elo1": 5.0, "alpha": 0.05, "beta": 0.05, "model": "normalized"}
PGN = '[Event "test"]\n[White "{}"]\n[Black "{}"]\n[Result "{}"]\n[Round "{}"]\n\n1. e4 e5 {}\n\n'
RESULTS = ("1-0", "1/2-1/2", "1/2-1/2", "0-1", "1-0", "1-0", "0-1", "1/2-1/2")


def finished_games(results=RESULTS):
    for number, result in enumerate(results):
        pair, game = number // 2 + 1, number % 2 + 1
        white, black = ("new", "old") if game == 1 else ("old", "new")
        text = PGN.format(white, black, result, f"{pair}.{game}", result)
        yield FinishedGame(pair, game, white, black, result, "normal", "agreed", 2, 0.1, text)
