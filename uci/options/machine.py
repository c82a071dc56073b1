"""What the machine has, as far as that is known at once."""

from __future__ import annotations

from bluekrait.core.compiler.physical_memory import physical_memory

MEGABYTE = 1 << 20
DEFAULT_MEMORY = 65536  # megabytes, where the system does not say; a request for too much fails later


def memory_megabytes() -> int:
    """The memory of the machine in megabytes."""
    memory = physical_memory()
    return max(1, memory // MEGABYTE) if memory else DEFAULT_MEMORY
