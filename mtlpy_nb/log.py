# SPDX-License-Identifier: MIT
"""Messages that kernels write with ``os_log`` (``#include <metal_logging>``), shown when their commands have run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import IntEnum

from ._native import set_log_handler as _set_native_handler

__all__ = ["LogLevel", "set_log_handler"]


class LogLevel(IntEnum):
    """How serious a message is; Metal's ``MTLLogLevel``."""

    DEBUG = 1
    INFO = 2
    NOTICE = 3
    ERROR = 4
    FAULT = 5


LogHandler = Callable[[str, LogLevel, str, str], object]


def set_log_handler(handler: LogHandler | None) -> None:
    """Call ``handler(message, level, subsystem, category)`` with each message of a kernel; None brings back printing.

    Handlers are called from another thread, when a command buffer has run and before its own callbacks; a call that
    waits for a kernel returns after them. Messages are printed to the cell's output in a notebook, else to standard
    error. On a Mac they go to the system's log.
    """
    target = _show if handler is None else handler
    _set_native_handler(lambda message, level, *names: target(message, LogLevel(level), *names))


def _show(message: str, level: LogLevel, subsystem: str, category: str) -> None:
    where = f"[{subsystem}:{category}] " if subsystem or category else ""
    prefix = "" if level == LogLevel.NOTICE else f"{level.name.lower()}: "
    print(f"{prefix}{where}{message}", file=sys.stdout if _in_notebook() else sys.stderr, flush=True)


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None


set_log_handler(None)
