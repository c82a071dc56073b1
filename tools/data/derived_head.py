"""What the head of a file says that was made from others."""

import os
from collections.abc import Sequence
from typing import Any

from bluekrait.tools.data.evaluation_choice import BETWEEN, named_in
from bluekrait.tools.data.formats.labelled_file import SHUFFLED, is_shuffled
from bluekrait.uci import __version__


def facts_of(names: Sequence[str]) -> dict[str, Any]:
    """The version that makes it, the files, the evaluations of their scores, whether games lie together."""
    return {
        "bluekrait": __version__,
        "files": [os.path.basename(name) for name in names],
        "evaluation": BETWEEN.join(named_in(names)),
        SHUFFLED: any(map(is_shuffled, names)),
    }
