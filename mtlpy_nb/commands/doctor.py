# SPDX-License-Identifier: MIT
"""``mtlpy-nb doctor``: what there is on this machine, what is wrong, and how to mend it."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from dataclasses import asdict

from .. import __version__
from .._advice import counted
from .checks import Finding, examine
from .terminal import add_command, paint

__all__ = ["add"]

_DETAILS = """\
It looks at the package, the compiler, the folder of compiled kernels, the device and the notebook's tools, and runs a
kernel in a process of its own. Exit code: 0 if kernels run (there may be warnings), 1 if something is broken.

examples:
  mtlpy-nb doctor
  mtlpy-nb doctor --json > report.json      for a bug report, or for a program
"""
_MARKS = {"good": ("ok", "fix"), "warning": ("warning", "warning"), "fault": ("WRONG", "error")}


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the word to the command."""
    parser = add_command(commands, "doctor", "say what there is, what is wrong, and how to mend it", _DETAILS)
    parser.add_argument("--json", action="store_true", help="print it for a program to read")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Examine this machine and tell what was found."""
    findings = examine()
    is_healthy = not any(finding.status == "fault" for finding in findings)
    if options.json:
        report = {
            "mtlpy_nb": __version__,
            "python": platform.python_version(),
            "platform": platform.platform(),
            "is_healthy": is_healthy,
            "findings": [asdict(finding) for finding in findings],
        }
        print(json.dumps(report, indent=1))
    else:
        _print(findings)
    return 0 if is_healthy else 1


def _print(findings: list[Finding]) -> None:
    print(f"mtlpy_nb {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}\n")
    for finding in findings:
        mark, look = _MARKS[finding.status]
        print(f"{paint(f'{mark:8}', look, sys.stdout)} {finding.name:10} {finding.text}")
        for line in finding.remedy.splitlines():
            print(f"{'':19} {paint('->', 'bold', sys.stdout)} {line}")
    print(f"\n{_verdict(findings)}")


def _verdict(findings: list[Finding]) -> str:
    faults = sum(finding.status == "fault" for finding in findings)
    warnings = sum(finding.status == "warning" for finding in findings)
    if faults:
        return paint(f"{counted(faults, 'thing')} must be mended before kernels run.", "error", sys.stdout)
    if warnings:
        return f"Kernels run; {counted(warnings, 'warning')}."
    return paint("All is well.", "fix", sys.stdout)
