"""How Python becomes machine code, and where that is kept: decorators, cache, linker."""
