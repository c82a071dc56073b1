"""A server of the board in this process, and a page that talks with it."""

import json
from contextlib import contextmanager
from threading import Thread
from time import sleep

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from bluekrait.tools.board import play_command
from bluekrait.tools.board.server.gate import Gate
from bluekrait.tools.board.server.serving import EngineBounds, server_for
from helpers.waiting import PATIENCE

# The rules of new games.
QUICK = {"human": "white", "elo": 800, "seconds": 0.01}
TWO_PLAYERS = {"human": "both", "elo": None}


@contextmanager
def serving(engines=4, idle_seconds=900, work=None, kept=None):
    """Serve until the block ends; the gate."""
    with play_command._listening(0) as listener:
        gate = Gate(listener.getsockname()[1])
        server = gate.server = server_for(gate, EngineBounds(engines, 1, 1, idle_seconds), work, kept)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            sleep(0.01)
        try:
            yield gate
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
            assert not thread.is_alive(), "the server does not end"


def origin_of(gate):
    return f"http://127.0.0.1:{gate.port}"


class Page:
    """A page without a browser: it asks, and hears what it is told."""

    def __init__(self, gate, visitor="", **options):
        address = f"{gate.address.replace('http', 'ws')}talk?visitor={visitor}"
        self.socket = connect(address, origin=origin_of(gate), max_size=None, **options).__enter__()
        self.visitor = self.hear("welcome")["visitor"]
        self.game = self.hear("game")

    def close(self):
        self.socket.close()

    def ask(self, what, **fields):
        self.socket.send(json.dumps({"do": what, **fields}))

    def hear(self, *kinds):
        """The next message of one of some kinds; all others are passed over."""
        while True:
            message = json.loads(self.socket.recv(PATIENCE))
            if message["say"] == "game":
                self.game = message
            if message["say"] in kinds:
                return message

    def asked(self, what, kind="game", **fields):
        """Ask, and hear the answer."""
        self.ask(what, **fields)
        return self.hear(kind)

    def move(self, move):
        return self.asked("move", at=self.game["node"], move=move)

    def line(self, moves, kind="game"):
        """Several moves at once, in a study."""
        return self.asked("moves", kind, at=self.game["node"], moves=moves)

    def hear_until(self, is_reached):
        """Hear how the game stands until it is as expected."""
        while not is_reached(self.game):
            self.hear("game")
        return self.game

    def code_at_end(self):
        """The code with which the server closes the connection."""
        try:
            while True:
                self.socket.recv(PATIENCE)
        except ConnectionClosed as closing:
            return closing.rcvd.code
