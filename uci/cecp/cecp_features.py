"""What the engine offers to a program that speaks CECP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bluekrait.uci import __version__
from bluekrait.uci.options.option_kinds import Check, Combo, Spin, String
from bluekrait.uci.options.option_table import OPTIONS

if TYPE_CHECKING:
    from bluekrait.uci.options.option_kinds import Option

NOT_DONE, DONE = "feature done=0", "feature done=1"  # more time is needed; all features were named

VARIANTS = ("normal", "fischerandom")

FEATURES = (
    f'feature myname="BlueKrait {__version__}"',
    "feature ping=1 setboard=1 playother=1 usermove=1 san=0 time=1 draw=1 sigint=0 sigterm=0 reuse=1",
    "feature analyze=1 colors=0 ics=0 name=0 pause=0 nps=0 debug=1 memory=1 smp=1",
    f'feature variants="{",".join(VARIANTS)}" egt="syzygy"',
)

# Options that CECP has commands for, and some that concern UCI only.
SET_OTHERWISE = {"Threads", "Hash", "Ponder", "SyzygyPath", "PerftHash", "UCI_AnalyseMode", "UCI_Chess960"}
SET_OTHERWISE |= {"UCI_ShowWDL", "UCI_Opponent"}


def features() -> list[str]:
    """The lines that name everything that is offered."""
    offered = [option for option in OPTIONS if option.name not in SET_OTHERWISE]
    return [*FEATURES, *(f'feature option="{option.name} {_control(option)}"' for option in offered)]


def option_value(option: Option, text: str) -> str:
    """The value for an option as UCI would write it."""
    return {"1": "true", "0": "false"}.get(text, text) if isinstance(option, Check) else text


def _control(option: Option) -> str:
    """How CECP describes the values of an option."""
    match option:
        case Check():
            return f"-check {int(option.default)}"
        case Spin():
            return f"-spin {option.default} {option.low} {option.high}"
        case Combo():
            marked = ["*" * (choice == option.default) + choice for choice in option.choices]
            return f"-combo {' /// '.join(marked)}"
        case String():
            return f"-string {option.default}"
    return "-button"
