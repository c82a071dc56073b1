"""One thread is reproducible: the same position has the same answer, whichever colour is to move."""

import pytest

from bluekrait.search.limits import Settings
from helpers.search.searching import mirrored, mirrored_move, think
from helpers.support import lines_of

FEWEST, MOST, BUDGETS = 500, 330_000, 20
NODE_BUDGETS = [round(FEWEST * (MOST / FEWEST) ** (step / (BUDGETS - 1))) for step in range(BUDGETS)]

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
POSITIONS = [line.split(" bm ")[0] + " 0 1" for line in lines_of("wac.epd")[::15]]


@pytest.mark.parametrize("nodes, fen", list(zip(NODE_BUDGETS, POSITIONS)))
def test_a_node_budget_is_spent_exactly_and_always_in_the_same_way(nodes, fen):
    first, second = think(fen, nodes=nodes), think(fen, nodes=nodes)
    assert first.nodes == second.nodes == nodes
    assert told(first) == told(second)


def told(answer):
    """All that does not depend on time."""
    lines = [line._replace(seconds=0, hash_permille=0) for line in answer.choice.lines]
    return answer.choice._replace(lines=lines)


@pytest.mark.parametrize("nodes", [1, 2, 3, 20, 77])
def test_the_first_iteration_is_finished_whatever_the_budget(nodes):
    answer, first = think(KIWIPETE, nodes=nodes), think(KIWIPETE, depth=1)
    assert answer.nodes - first.nodes in (0, 1)  # the second one is stopped at its first node
    lines = [line._replace(nodes=answer.nodes) for line in told(first).lines]
    assert told(answer) == told(first)._replace(lines=lines)
    assert answer.board.is_legal(answer.board.parse_uci(answer.move))


def test_several_lines_are_always_the_same():
    settings = Settings(multi_pv=4)
    first, second = (think(KIWIPETE, settings=settings, nodes=30_000) for _ in range(2))
    assert told(first) == told(second)


def test_what_was_searched_before_a_new_game_makes_no_difference():
    first = think(KIWIPETE, depth=8)
    think(POSITIONS[0], settings=Settings(multi_pv=3), depth=7)
    second = think(KIWIPETE, depth=8)
    assert (told(first), first.nodes) == (told(second), second.nodes)


@pytest.mark.parametrize("fen", POSITIONS)
def test_colours_are_alike(fen):
    white, black = think(fen, depth=9), think(mirrored(fen), depth=9)
    assert black.score == white.score
    assert black.move == mirrored_move(white.move)
    assert black.nodes == white.nodes
