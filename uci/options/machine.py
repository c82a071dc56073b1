"""What the machine has, as far as it can be told at once."""

import os

MEGABYTE = 1 << 20
USUAL_MEMORY = 65536  # megabytes, where the machine does not say; too large a request fails all the same


def memory_megabytes():
    """The memory of the machine in megabytes."""
    try:
        return max(1, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // MEGABYTE)
    except (AttributeError, OSError, ValueError):  # no POSIX, or one that does not know
        return USUAL_MEMORY
