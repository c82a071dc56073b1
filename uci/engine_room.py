"""The engine room: a thread that loads the engine, then carries out commands in the order they were given.

Nothing here prints. What happens is posted to the front desk as messages:
`loaded`, `failed`, `compiled`, `said`, `complained` and, after every command, `done`.
"""

from queue import SimpleQueue
from threading import Thread
from time import monotonic, sleep

from bluekrait.uci.options import Options
from bluekrait.uci.output import info_string

SECONDS_BETWEEN_REPORTS = 0.3
SECONDS_BETWEEN_LOOKS = 0.01


class EngineRoom:
    """The engine, its options, and the commands that wait for it."""

    def __init__(self, post):
        self.engine = None
        self.is_alone = False  # nobody will say anything any more
        self.options = Options()
        self._post = post
        self._orders = SimpleQueue()
        self._reported = 0.0
        # Orders are numbered, so that `stop` means those given before it, whether or not they have begun.
        self._last_given = 0
        self._last_stopped = 0
        self._current = 0

    # What the front desk calls; none of it waits.

    def start(self):
        """Begin loading."""
        Thread(target=self._work, daemon=True).start()

    def give(self, command, words):
        """Have a command carried out after all that were given before it."""
        self._last_given += 1
        self._orders.put((self._last_given, command, words))

    def stop(self):
        """End what is running, and what is still to run of what was given so far."""
        self._last_stopped = self._last_given
        self.heed_stop()

    # What the commands call.

    def say(self, text):
        """Have text printed."""
        self._post("said", text)

    def say_info(self, text):
        """Have one line printed that is meant for people."""
        self.say(info_string(text))

    def is_stopped(self):
        """True if a `stop` came after the command at hand was given."""
        return self._current <= self._last_stopped

    def wait_for_stop(self):
        """Wait until a `stop` comes, or cannot come any more."""
        while not (self.is_stopped() or self.is_alone):
            sleep(SECONDS_BETWEEN_LOOKS)

    def heed_stop(self):
        """Stop the engine if it should be: it forgets a `stop` that comes just before it begins."""
        if self.engine and self.is_stopped():
            self.engine.stop()

    # The thread.

    def _work(self):
        if self._load():
            while True:
                self._carry_out(*self._orders.get())

    def _load(self):
        try:
            from bluekrait.search.engine import load_engine

            self.engine = load_engine(self._report)
        except Exception as error:
            self._post("failed", f"{type(error).__name__}: {error}")
            return False
        self._post("loaded")
        return True

    def _report(self, done, total, what):
        now = monotonic()
        if now - self._reported >= SECONDS_BETWEEN_REPORTS:
            self._reported = now
            self._post("compiled", done, total, what)

    def _carry_out(self, number, command, words):
        self._current = number
        try:
            command(self, words)
        except ValueError as error:
            self._post("complained", str(error))
        except Exception as error:
            self._post("complained", f"{command.__name__} failed, {type(error).__name__}: {error}")
        self._post("done")
