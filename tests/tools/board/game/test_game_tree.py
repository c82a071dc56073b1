"""The tree of the positions of a game."""

from bluekrait import Position
from bluekrait.tools.board.game.game_tree import GameTree


def test_a_move_that_was_tried_stays_if_others_follow_it():
    tree = GameTree(Position())
    tree.keep_moves()
    first = tree.add(tree.root, "e2e4")
    tree.add(first, "e7e5")
    tree.cursor = first
    tree.take_back()
    assert tree.cursor is tree.root and tree.root.children == [first]


def test_the_board_leaves_positions_that_are_removed():
    tree = GameTree(Position())
    first = tree.add(tree.root, "e2e4")
    tree.cursor = tree.add_line(first, ["e7e5", "g1f3"])
    tree.remove(first)
    assert tree.cursor is tree.root and tree.nodes() == [tree.root]
