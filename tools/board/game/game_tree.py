"""The game on the board: a tree of positions, the one that is shown, and the one the game has reached."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bluekrait.search.library.position import Position

MOST_NODES = 5000  # of one game with its variations


class Unshown(NamedTuple):
    """What a file told of a move that the page does not show. It is written again with the game."""

    opening: str = ""  # the comment before the move, at the beginning of a variation
    commands: str = ""  # of its comment, such as [%eval 0.25]
    nags: tuple[int, ...] = ()  # annotations that have no mark


class Node:
    """A position, and the move that led to it."""

    __slots__ = (
        "children",
        "clock",
        "comment",
        "mark",
        "move",
        "number",
        "parent",
        "position",
        "san",
        "unshown",
    )

    def __init__(self, number: int, position: Position, parent: "Node | None" = None, move: str = "") -> None:
        self.number, self.position, self.parent = number, position, parent
        self.move = move  # in UCI notation; empty at the root
        self.san = ""
        self.children: list[Node] = []
        self.clock: float | None = None  # seconds left to the side that made the move
        self.comment = ""
        self.mark = ""  # `?!`, `?`, `??` and the like
        self.unshown = Unshown()

    @property
    def ply(self) -> int:
        """Half-moves since the starting position of chess; odd if Black is to move."""
        return int(self.position.value.ply)

    def path(self) -> "list[Node]":
        """The nodes from the root to this one."""
        nodes = [self]
        while nodes[-1].parent:
            nodes.append(nodes[-1].parent)
        return nodes[::-1]

    def continuation(self) -> "Iterator[Node]":
        """The nodes after this one, by first moves."""
        node = self
        while node.children:
            node = node.children[0]
            yield node


class GameTree:
    """All positions of a game and its variations. `cursor` is the one on the board."""

    def __init__(self, start: Position, headers: dict[str, str] | None = None) -> None:
        self.headers = headers or {}
        self.root = self.cursor = Node(0, start)
        self._nodes = {0: self.root}
        self._next = self._first_tried = 1

    def node(self, number: int) -> Node | None:
        """The node with a number; None if there is none any more."""
        return self._nodes.get(number)

    def nodes(self) -> list[Node]:
        """All nodes, each after the one before it in the game."""
        return list(self._nodes.values())

    def line(self) -> list[Node]:
        """The moves that the page lists: those up to the cursor, and how the game went on from there."""
        return [*self.cursor.path()[1:], *self.cursor.continuation()]

    def add(self, parent: Node, text: str) -> Node:
        """The node after a move, made if it is not there. ValueError if the move is not legal."""
        move = parent.position.move(text)
        for child in parent.children:
            if child.move == move:
                return child
        if len(self._nodes) >= MOST_NODES:
            raise ValueError(f"a game on this board has at most {MOST_NODES} positions")
        node = Node(self._next, parent.position.play_packed(move.packed), parent, str(move))
        node.san = move.san
        self._next += 1
        self._nodes[node.number] = node
        parent.children.append(node)
        return node

    def add_line(self, parent: Node, texts: Iterable[str]) -> Node:
        """The node after several moves. ValueError if one cannot be added; then none is."""
        first_new = self._next
        try:
            for text in texts:
                parent = self.add(parent, text)
        except ValueError:
            if added := self.node(first_new):
                self.remove(added)
            raise
        return parent

    def keep_moves(self) -> None:
        """From now on, the moves that are there are not removed when they are taken back."""
        self._first_tried = self._next

    def is_tried(self, node: Node) -> bool:
        """True if a node came after `keep_moves`."""
        return node.number >= self._first_tried

    def take_back(self) -> None:
        """Step back. A last move that was only tried is removed."""
        leaf = self.cursor
        if not leaf.parent:
            return
        self.cursor = leaf.parent
        if not leaf.children and self.is_tried(leaf):
            self.remove(leaf)

    def remove(self, node: Node) -> None:
        """Remove a node and all that follows. The cursor leaves them."""
        assert node.parent, "the root stays"
        if node in self.cursor.path():
            self.cursor = node.parent
        node.parent.children.remove(node)
        leaving = [node]
        while leaving:
            gone = leaving.pop()
            leaving += gone.children
            del self._nodes[gone.number]
