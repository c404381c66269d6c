# SPDX-License-Identifier: MIT
"""What is stored of the notebooks' pictures: `notebooks/conftest.py` compares what they make now with it."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest

from .perceptual import Look, differences, is_flat, look_at

_ROOT = Path(__file__).resolve().parents[2]
_NOTEBOOKS = sorted((_ROOT / "notebooks").glob("[0-9]*.ipynb"))
_STORED = {
    name: [Look(**look) for look in looks]
    for name, looks in json.loads(Path(__file__).with_name("pictures.json").read_text()).items()
}


def test_no_stored_picture_is_flat():
    assert not any(is_flat(look) for looks in _STORED.values() for look in looks)


def test_each_picture_has_its_look_stored():
    pictures = {}
    for path in _NOTEBOOKS:
        outputs = [o for cell in nbformat.read(path, as_version=4).cells for o in cell.get("outputs", [])]
        pictures[path.name] = sum("image/png" in output.get("data", {}) for output in outputs)
    assert {name: len(looks) for name, looks in _STORED.items()} == pictures
    assert all(pictures.values())


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
