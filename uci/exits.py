"""How the program ends: exit codes, and the one line on standard error that explains a bad one."""

import sys

SUCCESS = 0
FAILED = 1
WRONG_ARGUMENTS = 2
INTERRUPTED = 130  # what a shell reports for Ctrl-C


def use_utf8():
    """Let Python print any text: old code pages lack letters, and `print` would fail for want of one."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # it may be closed, or a stand-in
            stream.reconfigure(encoding="utf-8", errors="replace")


def fail(message, code=FAILED, program="bluekrait"):
    """Say what went wrong; the exit code."""
    one_line = " ".join(str(message).split())
    print(f"{program}: {one_line}", file=sys.stderr)
    return code
