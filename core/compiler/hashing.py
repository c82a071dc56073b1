"""BLAKE2, without `hashlib`: that loads OpenSSL, which takes longer than to hash all sources."""

try:
    from _blake2 import blake2b
except ImportError:  # a Python built without it
    from hashlib import blake2b

__all__ = ["blake2b"]
