"""The games of a tuning run, kept in a file of games for the training of networks."""

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from typing import Any

from bluekrait.search.self_play.adjudication_rules import AS_TEXT
from bluekrait.tools.common.engine_identity import engine_identity
from bluekrait.tools.common.files.append_only import append, merge_settings, opened_to_append
from bluekrait.tools.data.formats import game_file
from bluekrait.tools.data.formats.labelled_file import contents_at, cut_torn_end
from bluekrait.tools.tuning.compare.self_match import number_of

KIND = "tuning"


class KeptGames:
    """A file of games, open for more. Games that it held when it was opened are not added again.

    One that is new and gets no games leaves no file.
    ValueError if the file is something else, in use, or was begun with other settings.
    """

    def __init__(self, path: str, settings: Mapping[str, Any]) -> None:
        with ExitStack() as stack:
            self._file = stack.enter_context(opened_to_append(path))
            contents = contents_at(path)
            head, wanted = contents.head or {}, {"kind": KIND, **settings, "adjudication": AS_TEXT}
            if contents.is_begun and head.get("kind") != KIND:
                raise ValueError(f"{path} holds other games, to which none of tuning can be added")
            merge_settings(head, wanted, {}, path)
            cut_torn_end(path, contents)
            self._there, self._is_begun = contents.games, contents.is_begun
            self._head = game_file.pack_head({**wanted, **engine_identity()})
            self._open = stack.pop_all()

    def __enter__(self) -> "KeptGames":
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def add(self, games: Iterable[bytes]) -> None:
        """Add the packed games that are not there yet, as one block; before the first ones, the head."""
        new = [game for game in games if number_of(game) not in self._there]
        if new and not self._is_begun:
            append(self._file, self._head)
            self._is_begun = True
        if new:
            append(self._file, game_file.pack_games(new))
