# SPDX-License-Identifier: MIT
"""The pictures that the notebooks make now, beside those that they made when they were stored.

`.ci/store_notebooks.py` stores them anew after a change that is meant.
"""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest

from mtlpy_nb.notebook.execute import execute_notebook

from .perceptual import Look, differences, is_flat, look_at

_ROOT = Path(__file__).resolve().parents[2]
_NOTEBOOKS = sorted((_ROOT / "notebooks").glob("[0-9]*.ipynb"))
_STORED = {
    name: [Look(**look) for look in looks]
    for name, looks in json.loads(Path(__file__).with_name("pictures.json").read_text()).items()
}


@pytest.mark.timeout(300)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("path", _NOTEBOOKS, ids=lambda path: path.stem)
def test_pictures_are_those_that_were_stored(path, tmp_path):
    _, *files = execute_notebook(path, tmp_path)
    now, stored = [look_at(file) for file in files], _STORED[path.name]
    assert len(now) == len(stored) > 0
    assert not any(map(is_flat, now))
    found = {i + 1: differences(a, b) for i, (a, b) in enumerate(zip(now, stored, strict=True))}
    assert {i: text for i, text in found.items() if text} == {}


def test_no_stored_picture_is_flat():
    assert set(_STORED) == {path.name for path in _NOTEBOOKS}
    assert not any(is_flat(look) for looks in _STORED.values() for look in looks)


def _shown() -> list[tuple[str, str, int]]:
    """Name of each picture for the docs, the notebook that makes it, and which of its pictures it is."""
    found = []
    for path in _NOTEBOOKS:
        count = 0
        for cell in nbformat.read(path, as_version=4).cells:
            names = [
                tag.removeprefix("picture-") for tag in cell.metadata.get("tags", []) if tag.startswith("picture-")
            ]
            found += [(name, path.name, count) for name in names]
            count += sum("image/png" in output.get("data", {}) for output in cell.get("outputs", []))
    return found


@pytest.mark.parametrize(("name", "notebook", "index"), _shown())
def test_pictures_of_the_docs_are_not_stale(name, notebook, index):
    assert differences(look_at(_ROOT / "docs" / "pictures" / f"{name}.png"), _STORED[notebook][index]) == []


def test_readme_shows_pictures_of_notebooks():
    readme = (_ROOT / "README.md").read_text()
    for name, _, _ in _shown():
        assert f"](docs/pictures/{name}.png)" in readme
