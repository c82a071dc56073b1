"""The network that ships with the engine, if there is one."""

from os.path import dirname, join

FILE_NAME = "default.bknn"


def content():
    """The content of its file, None if this package carries none."""
    try:
        return __spec__.loader.get_data(join(dirname(__file__), FILE_NAME))
    except OSError:
        return None


def network():
    """The network, None if this package carries none."""
    from bluekrait.search.evaluation.network.network_file import unpack  # not needed to name the options

    found = content()
    return None if found is None else unpack(found)
