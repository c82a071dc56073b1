"""The executor: a thread that loads the engine, then runs commands in the order in which they were given.

Nothing here prints. What happens is posted to the message loop: `compiled`, `loaded` or `failed`, then for
each command what it has to say (see `session`), `error` if it fails, and `done`.
"""

from __future__ import annotations

from collections import deque
from threading import Condition, Thread

from bluekrait.core.timer import monotonic
from bluekrait.uci.command_state import CommandState
from bluekrait.uci.exits import LOADING_ERRORS, reason
from bluekrait.uci.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bluekrait.search.engine import Engine
    from bluekrait.uci.session import Post

SECONDS_BETWEEN_REPORTS = 0.3  # on the progress of the compiler


class Order:
    """A command to run, and its state."""

    def __init__(self, name: str, action: Callable[[], None], state: CommandState) -> None:
        self.name = name
        self.action = action
        self.state = state


class Executor:
    """Runs commands. Its methods are called by the message loop; none of them waits."""

    def __init__(self, post: Post, prepare: Callable[[Engine], None]) -> None:
        """`prepare` is called with the engine before any command is run."""
        self.session = Session(post)
        self._prepare = prepare
        self.input_closed = False
        self._post = post
        self._orders: deque[Order] = deque()  # the first is the one that runs
        self._orders_changed = Condition()
        self._reported_at = 0.0

    def start(self) -> None:
        """Begin to load the engine."""
        Thread(target=self._work, daemon=True).start()

    def give(self, name: str, action: Callable[[], None]) -> None:
        """Run an action after all that were given before it. Its name is for error messages."""
        with self._orders_changed:
            self._orders.append(Order(name, action, CommandState(self.input_closed)))
            self._orders_changed.notify()

    def stop(self) -> None:
        """Stop every command that was given so far and is not done, whether or not it has begun."""
        self._signal(CommandState.stop)

    def dismiss(self) -> None:
        """Stop those commands, and let them give no answer."""
        self._signal(CommandState.dismiss)

    def ponder_hit(self) -> None:
        """The opponent played the move that the engine ponders on."""
        self._signal(CommandState.ponder_hit)

    def close_input(self) -> None:
        """Standard input has ended: neither stop nor ponderhit will come."""
        self.input_closed = True
        self._signal(CommandState.close_input)

    def _signal(self, signal: Callable[[CommandState], None]) -> None:
        with self._orders_changed:
            for order in self._orders:
                signal(order.state)
        self.session.forward_to_engine()

    # The thread.

    def _work(self) -> None:
        if self._load():
            while True:
                self._run(self._next_order())
                self._remove_first()
                self._post("done")

    def _load(self) -> bool:
        try:
            from bluekrait.search.engine import load_engine

            engine = load_engine(self._report)
            self._prepare(engine)
            self.session.engine = engine
            self.session.check_network()
        except LOADING_ERRORS as error:
            self._post("failed", reason(error))
            return False
        self._post("loaded")
        return True

    def _report(self, done: int, total: int, what: str) -> None:
        now = monotonic()
        if now - self._reported_at >= SECONDS_BETWEEN_REPORTS:
            self._reported_at = now
            self._post("compiled", done, total, what)

    def _next_order(self) -> Order:
        with self._orders_changed:
            self._orders_changed.wait_for(lambda: self._orders)
            return self._orders[0]

    def _remove_first(self) -> None:
        with self._orders_changed:
            self._orders.popleft()

    def _run(self, order: Order) -> None:
        self.session.command = order.state
        try:
            order.action()
        except ValueError as error:
            self._post("error", str(error))
        except LOADING_ERRORS as error:  # some commands load what they need
            self._post("error", f"{order.name} failed, {reason(error)}")
