"""Where programs of this system keep what belongs to the user.

The builder of the executable loads this file before anything is installed: standard library only.
"""

import os
import sys
import tempfile
from pathlib import Path


def user_folder() -> Path:
    """The folder for what is no cache. It may not exist yet."""
    home = Path(os.path.expanduser("~"))
    if home == Path("~") or not os.environ.get("HOME", home):  # this user has none
        home = Path(tempfile.gettempdir())
    if sys.platform == "win32":
        data = Path(os.environ.get("LOCALAPPDATA") or home)
    elif sys.platform == "darwin":
        data = home / "Library" / "Application Support"
    else:
        data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return data / "bluekrait"
