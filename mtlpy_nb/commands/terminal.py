# SPDX-License-Identifier: MIT
"""What the commands print, with colours where a person reads it."""

from __future__ import annotations

import argparse
import os
from typing import TextIO

from ..notebook.spans import ANSI, RESET

__all__ = ["HelpText", "add_command", "paint", "shows_colour"]


class HelpText(argparse.RawDescriptionHelpFormatter):
    """Help whose examples keep their lines."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28)


def add_command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, summary: str, details: str
) -> argparse.ArgumentParser:
    """Add one of the command's words: a line for the list of them, and what follows its own options."""
    return commands.add_parser(
        name, help=summary, description=f"{summary[:1].upper()}{summary[1:]}.", epilog=details, formatter_class=HelpText
    )


def shows_colour(stream: TextIO) -> bool:
    """Whether colours belong there: it is a terminal, and NO_COLOR (no-color.org) is not set."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, look: str, stream: TextIO) -> str:
    """Give `text` one of the looks of :data:`mtlpy_nb.notebook.spans.ANSI`, if `stream` shows colours."""
    return f"{ANSI[look]}{text}{RESET}" if shows_colour(stream) else text
