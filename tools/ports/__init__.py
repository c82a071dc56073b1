"""Trying the engine on machines that this one is not: Windows by Wine, other processors by emulation."""
