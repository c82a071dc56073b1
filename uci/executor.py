"""The engine room: a thread that loads the engine, then carries out commands in the order they were given.

Nothing here prints. What happens is posted to the front desk as messages:
`loaded`, `failed`, `compiled`, `said`, `informed`, `complained`, `logged` and, after every command, `done`.
"""

from queue import SimpleQueue
from threading import Condition, Thread

from bluekrait.core.timer import monotonic
from bluekrait.uci.options.option_table import Options

SECONDS_BETWEEN_REPORTS = 0.3


class EngineRoom:
    """The engine, its options, and the commands that wait for it."""

    def __init__(self, post):
        self.engine = None
        self.is_alone = False  # nobody will say anything any more
        self.is_talkative = False
        self.book = None
        self.tablebase = None
        self.options = Options()
        self._post = post
        self._orders = SimpleQueue()
        self._reported = 0.0
        # Orders are numbered, so that `stop` means those given before it, whether or not they have begun.
        self._last_given = 0
        self._last_stopped = 0
        self._last_dismissed = 0
        self._last_hit = 0
        self._current = 0
        self._given_at = self._answered_at = 0.0
        self._is_patient = False  # the order at hand ends when it is told to, not when it has an answer,
        self._may_be_hit = False  # or from a ponderhit on as others do
        self._news = Condition()

    # What the front desk calls; none of it waits.

    def start(self):
        """Begin loading."""
        Thread(target=self._work, daemon=True).start()

    def give(self, command, words):
        """Have a command carried out after all that were given before it."""
        self._last_given += 1
        self._orders.put((self._last_given, command, words, monotonic()))

    def stop(self):
        """End what is running, and what is still to run of what was given so far."""
        self._last_stopped = self._last_given
        self._tell_news()

    def dismiss(self):
        """Stop like that, and have no answer."""
        self._last_dismissed = self._last_given
        self.stop()

    def ponder_hit(self):
        """The move that was pondered on was played: what was given so far may now come to an end."""
        self._last_hit = self._last_given
        self._tell_news()

    def leave_alone(self):
        """Nobody will say anything any more, `stop` for example."""
        self.is_alone = True
        self._tell_news()

    def _tell_news(self):
        self.heed()
        with self._news:
            self._news.notify_all()

    # What the commands call.

    def say(self, text):
        """Have text printed."""
        self._post("said", text)

    def say_info(self, text):
        """Have one line printed that is meant for people."""
        self._post("informed", text)

    def keep_log(self, path):
        """Have all that is said and heard written into this file from now on, into none if it is nameless."""
        self._post("logged", path)

    def asked_at(self):
        """When the command at hand began to wait for nothing but the engine: its clock runs from then on."""
        return max(self._given_at, self._answered_at)

    def note_answer(self):
        """The command at hand has its answer."""
        self._answered_at = monotonic()

    def be_patient(self, may_be_hit):
        """The command at hand will not end before it is told to; by `ponderhit`, to go on as usual."""
        self._may_be_hit = may_be_hit
        self._is_patient = True

    def is_stopped(self):
        """True if a `stop` came after the command at hand was given, or could only come from nobody."""
        is_abandoned = self.is_alone and self._is_patient and not self.is_hit()
        return is_abandoned or self._current <= self._last_stopped

    def is_dismissed(self):
        """True if nobody wants an answer to the command at hand."""
        return self._current <= self._last_dismissed

    def is_hit(self):
        """True if the command at hand is one for `ponderhit`, and that came after it was given."""
        return self._may_be_hit and self._current <= self._last_hit

    def wait_for_news(self, is_awaited):
        """Wait until what the front desk is told makes the condition true."""
        with self._news:
            self._news.wait_for(is_awaited)

    def heed(self):
        """Pass on to the engine what it may have missed because it came just before it began."""
        if self.engine and self.is_stopped():
            self.engine.stop()
        elif self.engine and self.is_hit():
            self.engine.ponder_hit()

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

    def _carry_out(self, number, command, words, given_at):
        self._is_patient = self._may_be_hit = False
        self._current = number
        self._given_at = given_at
        try:
            command(self, words)
        except ValueError as error:
            self._post("complained", str(error))
        except Exception as error:
            self._post("complained", f"{command.__name__} failed, {type(error).__name__}: {error}")
        self._post("done")
