"""What the machine has, as far as it can be told at once."""

from bluekrait.core.compiler.physical_memory import physical_memory

MEGABYTE = 1 << 20
USUAL_MEMORY = 65536  # megabytes, where the machine does not say; too large a request fails all the same


def memory_megabytes():
    """The memory of the machine in megabytes."""
    memory = physical_memory()
    return max(1, memory // MEGABYTE) if memory else USUAL_MEMORY
