# SPDX-License-Identifier: MIT
"""The command ``mtlpy-nb``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from . import __version__
from .commands import bench, cmake_dir, doctor, notebook, run, tutorial
from .commands.terminal import HelpText

__all__ = ["main", "make_parser"]

_DETAILS = """\
`mtlpy-nb COMMAND --help` explains a command and shows an example.
"""


def make_parser() -> argparse.ArgumentParser:
    """Make the parser of the command and of its words."""
    parser = argparse.ArgumentParser(
        prog="mtlpy-nb",
        description="Metal kernels from a Jupyter notebook, and from the shell.",
        epilog=_DETAILS,
        formatter_class=HelpText,
    )
    parser.add_argument("--version", action="version", version=f"mtlpy_nb {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in (tutorial, run, bench, doctor, notebook, cmake_dir):
        module.add(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; gives its exit code: 0 done, 1 failed, 2 not understood."""
    parser = make_parser()
    words = list(sys.argv[1:] if arguments is None else arguments)
    end = words.index("--") if "--" in words else len(words)
    options, rest = parser.parse_known_args(words[:end])
    if rest and (options.run is not run.run or any(word.startswith("-") for word in rest)):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:  # argparse takes no NAME=VALUE after an option that stood among them
        options.arguments += rest
    if words[end:] and options.run is not tutorial.run:
        parser.error(f"unrecognized arguments: {' '.join(words[end:])}")
    options.passed_on = words[end + 1 :]
    try:
        code: int = options.run(options)
        return code
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130  # as a shell says of a command that Ctrl-C ended
    except BrokenPipeError:  # `mtlpy-nb ... | head`
        sys.stdout = None  # nothing is left to flush at exit
        return 1


if __name__ == "__main__":
    sys.exit(main())
