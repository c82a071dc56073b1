"""Scores that are mixed with those of the moves after them."""

import math
import random

import numpy as np
import pytest

from bluekrait.search.self_play.game_records import WON, GameHead
from bluekrait.tools.data import datagen_command
from bluekrait.tools.data.formats.game_file import games_in
from bluekrait.tools.data.formats.look_ahead import CLEAR, RESULT_SCALE, looking_ahead
from bluekrait.tools.network import position_file


def packed_game(first_ply, scores, result):
    head = GameHead(plies=len(scores), first_ply=first_ply, result=result)
    words = [0x1234 | (score & 0xFFFF) << 16 for score in scores]
    return bytes(head) + np.array(words, np.uint32).tobytes()


def scores_in(body):
    for game in games_in(body):
        words = np.frombuffer(body[game.start + len(bytes(game.head)) : game.end], np.uint32)
        assert set(words & 0xFFFF) <= {0x1234}  # the moves stay
        yield (words >> 16).astype(np.uint16).view(np.int16).tolist()


def expected_score(scores, place, result, share):
    """The mixture written out as one sum over all later positions; `result` is the mover's at `place`."""
    total, weight = 0.0, 1.0
    for later, score in enumerate(scores[place:]):
        seen = score if later % 2 == 0 else -score
        total += weight * (1 - share) / (1 + math.exp(-seen / RESULT_SCALE))
        weight *= share
    total += weight * result / WON
    return RESULT_SCALE * math.log(total / (1 - total))


def test_a_score_is_mixed_with_all_later_ones_and_the_result():
    chance = random.Random(1)
    games = [
        (chance.randrange(30), [chance.randint(-900, 900) for _ in range(chance.randrange(1, 60))], result)
        for result in (0, 1, 2) * 3
    ]
    body = b"".join(packed_game(*game) for game in games)
    for share in (0.3, 0.8):
        mixed = list(scores_in(looking_ahead(body, len(games), share)))
        for (first_ply, scores, white), found in zip(games, mixed, strict=True):
            for place in range(len(scores)):
                mover = WON - white if (first_ply + place) & 1 else white
                wanted = expected_score(scores, place, mover, share)
                assert found[place] == pytest.approx(max(-CLEAR, min(CLEAR, wanted)), abs=0.51)


def test_without_a_share_nothing_changes_and_clear_scores_never_do():
    scores = [31990, -2500, 2000, 100, -31989]
    body = packed_game(3, scores, 2)
    assert looking_ahead(body, 1, 0.0) == body
    (mixed,) = scores_in(looking_ahead(body, 1, 0.9))
    assert mixed[:3] + mixed[4:] == scores[:3] + scores[4:]
    assert mixed[3] > 100  # the next score is that of the other side, which is mated


@pytest.mark.parametrize(("result", "score"), [(WON, CLEAR), (1, 0), (0, -CLEAR)])
def test_where_the_result_alone_counts_it_is_as_clear_as_a_score_can_be(result, score):
    (mixed,) = scores_in(looking_ahead(packed_game(0, [100, -1900], result), 1, 1.0))
    assert mixed == [score, -score]


def test_positions_to_learn_from_look_ahead(tmp_path):
    path = str(tmp_path / "games.bkg")
    assert datagen_command.main([path, "--games", "3", "--nodes", "40", "--processes", "1"]) == 0
    own = position_file.positions_of(path, position_file.Filters()).samples
    mixed = position_file.positions_of(path, position_file.Filters(), look_ahead=0.7).samples
    places = {tuple(sample[["occupied", "first_pieces", "ply"]]): sample for sample in own}
    same = [places.get(tuple(sample[["occupied", "first_pieces", "ply"]])) for sample in mixed]
    pairs = [(one, two) for one, two in zip(same, mixed) if one is not None]
    assert len(pairs) > 0.8 * len(own)
    assert all(one["result"] == two["result"] and one["move"] == two["move"] for one, two in pairs)
    assert sum(one["score"] != two["score"] for one, two in pairs) > len(pairs) / 2
