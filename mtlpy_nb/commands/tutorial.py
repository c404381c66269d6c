# SPDX-License-Identifier: MIT
"""``mtlpy-nb tutorial``: the notebooks, copied here and opened."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from .terminal import add_command

__all__ = ["add", "copy_notebooks", "notebook_folder"]

_DETAILS = """\
A notebook that is here already and that you have changed is left as it is; --fresh puts it aside under another name
and copies the original again. What follows -- goes to JupyterLab.

examples:
  mtlpy-nb tutorial
  mtlpy-nb tutorial lessons --no-browser -- --port 9000
"""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the word to the command."""
    parser = add_command(
        commands, "tutorial", "copy the tutorial's notebooks here and open them in JupyterLab", _DETAILS
    )
    parser.add_argument("folder", nargs="?", type=Path, default=Path(), help="where to (default: the current folder)")
    parser.add_argument("--no-browser", action="store_true", help="start JupyterLab and print its address only")
    parser.add_argument("--copy-only", action="store_true", help="copy the notebooks and do nothing else")
    parser.add_argument("--fresh", action="store_true", help="copy originals again, keeping yours under other names")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Copy, say what was done with each notebook, and become JupyterLab."""
    source = notebook_folder()
    if source is None:
        print("mtlpy-nb tutorial: this installation has no notebooks; install mtlpy_nb again", file=sys.stderr)
        return 1
    try:
        options.folder.mkdir(parents=True, exist_ok=True)
        for line in copy_notebooks(source, options.folder, fresh=options.fresh):
            print(line)
    except OSError as error:
        print(f"mtlpy-nb tutorial: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    if options.copy_only:
        return 0
    missing = [name for name in ("jupyterlab", "ipykernel", "skimage") if importlib.util.find_spec(name) is None]
    if missing:
        names = ", ".join(missing).replace("skimage", "scikit-image")
        print(f"mtlpy-nb tutorial needs {names}: pip install 'mtlpy_nb[notebooks]'", file=sys.stderr)
        return 2
    if _is_root() and "--allow-root" not in options.passed_on:
        print(
            "mtlpy-nb tutorial: JupyterLab does not start for root unless it is told to: add -- --allow-root",
            file=sys.stderr,
        )
        return 2
    first = min(source.glob("*.ipynb")).name
    command = [
        *(sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={options.folder.resolve()}"),
        f"--LabApp.default_url=/lab/tree/{first}",
        *(["--no-browser"] if options.no_browser else []),
        *options.passed_on,
    ]
    sys.stdout.flush()
    os.execv(command[0], command)


def notebook_folder() -> Path | None:
    """Find the notebooks: in the installed package, or in the repository that it is run from."""
    package = Path(__file__).parents[1]
    for folder in (package / "tutorial", package.parent / "notebooks"):
        if any(folder.glob("*.ipynb")):
            return folder
    return None


def copy_notebooks(source: Path, target: Path, *, fresh: bool = False) -> list[str]:
    """Copy every notebook that is not there yet.

    Parameters
    ----------
    fresh : bool
        Whether to rename one that was changed, and copy the original again.

    Returns
    -------
    list of str
        A line about each.
    """
    lines = []
    for original in sorted(source.glob("*.ipynb")):
        copy = target / original.name
        if copy.exists() and _has_same_cells(original, copy):
            lines.append(f"{copy}: is there already")
            continue
        if copy.exists() and not fresh:
            lines.append(
                f"{copy}: kept as it is, changed; --fresh copies the original and keeps yours under another name"
            )
            continue
        if copy.exists():
            aside = _free_name(copy)
            copy.rename(aside)
            lines.append(f"{copy}: copied; yours is now {aside}")
        else:
            lines.append(f"{copy}: copied")
        shutil.copyfile(original, copy)
    return lines


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _has_same_cells(original: Path, copy: Path) -> bool:
    """Compare what a person may have written, and not the outputs, which every run makes anew."""
    return bool(_cells(original) == _cells(copy))


def _cells(path: Path) -> Any:
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        return [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
    except (ValueError, KeyError, TypeError, UnicodeDecodeError):
        return path.read_bytes()  # no notebook: something of the person's own


def _free_name(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.stem}-mine-{number}{path.suffix}")).exists():
        number += 1
    return aside
