# SPDX-License-Identifier: MIT
"""The labextension that is installed is the repository's, and its words are the package's."""

import filecmp
import json
import runpy
import subprocess
import sys
from pathlib import Path

from mtlpy_nb._msl_words import WORDS
from mtlpy_nb.notebook.magics import MetalMagics

SOURCES = Path(__file__).parents[2] / "mtlpy_nb" / "labextension"


def installed_folder() -> Path:
    from jupyter_core.paths import jupyter_path

    found = [Path(folder, "mtlpy-nb") for folder in jupyter_path("labextensions")]
    return next(folder for folder in found if folder.exists())


def test_built_files_are_installed():
    folder = installed_folder()
    names = sorted(
        str(path.relative_to(SOURCES / "built")) for path in (SOURCES / "built").rglob("*") if path.is_file()
    )
    _, different, missing = filecmp.cmpfiles(SOURCES / "built", folder, names, shallow=False)
    assert (different, missing) == ([], [])
    load = json.loads((folder / "package.json").read_text())["jupyterlab"]["_build"]["load"]
    assert (folder / load).is_file()


def test_words_are_those_of_the_package():
    printed = subprocess.run([sys.executable, SOURCES / "words.py"], check=True, capture_output=True, text=True).stdout
    words = json.loads(printed)
    assert json.loads((SOURCES / "src" / "words.json").read_text()) == words
    assert set(words["keyword"] + words["atom"]) == set(WORDS["keyword"])
    assert {"float4", "void", "texture2d"} <= set(words["type"])


def test_flags_are_those_of_the_magic():
    flags = runpy.run_path(str(SOURCES / "words.py"))["FLAGS"]
    actions = MetalMagics.metal_cell.parser._actions
    without_value = {name for action in actions if action.nargs == 0 for name in action.option_strings}
    assert set(flags) == without_value - {"-h", "--help"}
