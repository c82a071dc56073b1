"""What the head of a file says that was made from others."""

from bluekrait.tools.data.derived_head import facts_of
from bluekrait.tools.data.formats.labelled_file import SHUFFLED
from bluekrait.tools.data.formats.sample_file import pack_head
from bluekrait.uci import __version__
from helpers.labelled import MADE, some_blocks


def test_what_is_made_of_several_files_tells_of_all_of_them(tmp_path):
    heads = {
        "one.bks": {"evaluation": "full network 01"},
        "two.bks": {},  # of a version that had no other evaluation than the classical one
        "three.bks": {"evaluation": "full network 01", SHUFFLED: True},
    }
    for name, more in heads.items():
        (tmp_path / name).write_bytes(pack_head(MADE | more) + b"".join(some_blocks()))
    facts = facts_of([str(tmp_path / name) for name in heads])
    assert facts == {
        "bluekrait": __version__,
        "files": ["one.bks", "two.bks", "three.bks"],
        "evaluation": "full network 01, classical",
        SHUFFLED: True,
    }
    assert not facts_of([str(tmp_path / name) for name in ("one.bks", "two.bks")])[SHUFFLED]
