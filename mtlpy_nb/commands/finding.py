# SPDX-License-Identifier: MIT
"""What one look of the doctor found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["Finding", "fault", "good", "warning"]


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    Attributes
    ----------
    name : str
    status : str
        ``"good"``, ``"warning"`` (kernels run all the same) or ``"fault"``.
    text : str
        What was found.
    remedy : str
        What to do about it, a line for each way; empty when there is nothing to do.
    details : dict
        The same for a program.
    """

    name: str
    status: str
    text: str
    remedy: str = ""
    details: dict[str, Any] = field(default_factory=dict)


def good(name: str, text: str, /, **details: Any) -> Finding:
    """Say that it is as it should be."""
    return Finding(name, "good", text, "", details)


def warning(name: str, text: str, remedy: str, /, **details: Any) -> Finding:
    """Say that something is amiss that stops no kernel."""
    return Finding(name, "warning", text, remedy, details)


def fault(name: str, text: str, remedy: str, /, **details: Any) -> Finding:
    """Say that kernels cannot run like this."""
    return Finding(name, "fault", text, remedy, details)
