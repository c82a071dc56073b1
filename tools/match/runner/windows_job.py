"""Windows ends the processes of a job when the last handle to it is closed, however its owner ends.

A process that joins a job of its own makes all that it starts later part of it.
"""

import ctypes
from typing import Any

KILL_ON_CLOSE = 0x2000  # JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
EXTENDED_LIMITS = 9  # JobObjectExtendedLimitInformation


class BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

    _fields_ = [
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
    ]


class ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = [
        ("basic", BasicLimits),
        ("transfers", ctypes.c_uint64 * 6),
        ("memory", ctypes.c_size_t * 4),
    ]


def end_children_with_this_process() -> ctypes.c_void_p | None:
    """Let Windows end the processes that this process starts from now on when it ends; the handle of the job.

    The handle is never closed here: Windows closes it when this process ends. None if Windows refuses.
    """
    system: Any = getattr(ctypes, "windll").kernel32  # noqa: B009, typing knows it on Windows only
    system.CreateJobObjectW.restype = system.GetCurrentProcess.restype = ctypes.c_void_p
    job = ctypes.c_void_p(system.CreateJobObjectW(None, None))
    limits = ExtendedLimits()
    limits.basic.flags = KILL_ON_CLOSE
    ours = ctypes.c_void_p(system.GetCurrentProcess())
    is_limited = system.SetInformationJobObject(
        job, EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
    )
    return job if is_limited and system.AssignProcessToJobObject(job, ours) else None
