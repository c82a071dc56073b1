"""The CECP commands that are carried out in the engine room, one after another.

Each takes the room and the words after its name. A ValueError becomes one line for people.
"""

from bluekrait.core.notation.san_and_uci import MoveError
from bluekrait.uci.cecp.features import VARIANTS, option_value
from bluekrait.uci.cecp.wording import read_move
from bluekrait.uci.options.option_effects import set_option
from bluekrait.uci.options.option_table import find_option, parse_value

# The game.


def new(room, words):
    """Begin a game from the usual position, the engine playing Black."""
    game = room.game
    room.engine.new_game()
    room.engine.chess960 = False
    game.set_up(None)
    game.own_side = game.turn ^ 1
    game.clock.restart()
    game.clock.lift_depth()


def variant(room, words):
    """Play by other rules; the position follows."""
    if " ".join(words) not in VARIANTS:
        raise ValueError(f"variant {' '.join(words)[:40]!r} is not among those that were offered")
    room.engine.chess960 = words == ["fischerandom"]


def setboard(room, words):
    """Set up a FEN."""
    try:
        room.game.set_up(" ".join(words))
    except ValueError as error:
        room.say(f"tellusererror Illegal position: {error}")


def force(room, words):
    """Play neither side."""
    room.game.own_side = None


def go(room, words):
    """Play the side to move, and move."""
    room.game.own_side = room.game.turn
    room.game.carry_on()


def playother(room, words):
    """Play the side that is not to move."""
    room.game.own_side = room.game.turn ^ 1


def usermove(room, words):
    """Make a move, and answer it if the engine plays the other side."""
    text = " ".join(words)
    try:
        move = read_move(text, room.engine)
    except MoveError:
        room.say(f"Illegal move: {text[:40]}")
    else:
        room.game.play(move)
        room.game.carry_on()


def undo(room, words):
    """Take back one move."""
    room.game.take_back(1)


def remove(room, words):
    """Take back a move of each side."""
    room.game.take_back(2)


def result(room, words):
    """The game is over."""
    room.game.own_side = None


# Thinking.


def level(room, words):
    """So many moves in so much time, and an increment."""
    room.game.clock.set_level(*_exactly(3, words))


def st(room, words):
    """So many seconds for each move."""
    room.game.clock.set_per_move(*_exactly(1, words))


def sd(room, words):
    """No deeper than this."""
    room.game.clock.set_depth(*_exactly(1, words))


def time(room, words):
    """What the engine's clock shows."""
    room.game.clock.set_remaining(*_exactly(1, words))


def _exactly(count, words):
    if len(words) != count:
        raise ValueError(f"expected {count} words, not {len(words)}")
    return words


def post(room, words):
    """Show what is thought."""
    room.game.shows_thinking = True


def nopost(room, words):
    """Keep it for oneself."""
    room.game.shows_thinking = False


def hard(room, words):
    """Think in the other side's time, too."""
    room.game.ponders = True


def easy(room, words):
    """Do not."""
    room.game.ponders = False


def analyze(room, words):
    """Think about whatever position comes up."""
    room.game.is_analysing = True
    room.game.own_side = None


def leave_analysis(room, words):
    """Stop that."""
    room.game.is_analysing = False


def hint(room, words):
    """Tell which answer is expected."""
    if room.game.hint:
        room.say(f"Hint: {room.game.hint}")


def bk(room, words):
    """Show what the book knows, up to an empty line."""
    engine = room.engine
    known = room.book.moves(engine.position, engine.legal_moves()) if room.book else []
    room.say("".join(f" {room.game.spelled(move)} {weight}\n" for move, weight in known))


# Settings.


def memory(room, words):
    """Use so many megabytes."""
    _set(room, "Hash", *_exactly(1, words))


def cores(room, words):
    """Use so many processor cores."""
    _set(room, "Threads", *_exactly(1, words))


def egtpath(room, words):
    """Look for tablebases of a kind there."""
    if words[:1] == ["syzygy"]:
        _set(room, "SyzygyPath", " ".join(words[1:]))


def option(room, words):
    """<name>=<value>, or the name of a button."""
    name, _, value = " ".join(words).partition("=")
    _set(room, name, value)


def _set(room, name, text):
    found = find_option(name)
    set_option(room, found, parse_value(found, option_value(found, text)))


def ping(room, words):
    """Tell that everything before it is done."""
    room.say(" ".join(["pong", *words]))


def muse(room, words):
    """Analyse or ponder."""
    room.game.muse()


IN_ORDER = {
    "new": new,
    "variant": variant,
    "setboard": setboard,
    "force": force,
    "go": go,
    "playother": playother,
    "usermove": usermove,
    "undo": undo,
    "remove": remove,
    "result": result,
    "level": level,
    "st": st,
    "sd": sd,
    "time": time,
    "post": post,
    "nopost": nopost,
    "hard": hard,
    "easy": easy,
    "analyze": analyze,
    "exit": leave_analysis,
    "hint": hint,
    "bk": bk,
    "memory": memory,
    "cores": cores,
    "egtpath": egtpath,
    "option": option,
    "ping": ping,
}
