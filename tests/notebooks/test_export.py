# SPDX-License-Identifier: MIT
"""The notebooks as web pages: nothing is blank where no kernel runs."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

_SOURCE = 'src="data:image/png;base64,'
_NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("[0-9]*.ipynb"))


def _pictures(data) -> int:
    """How many an output shows: of several forms, HTML is taken before a picture."""
    return data["text/html"].count(_SOURCE) if "text/html" in data else int("image/png" in data)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", _NOTEBOOKS, ids=lambda path: path.stem)
def test_html_has_every_picture(path):
    from nbconvert import HTMLExporter

    notebook = nbformat.read(path, as_version=4)
    outputs = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    page, _ = HTMLExporter().from_notebook_node(notebook)
    pictures = sum(_pictures(data) for data in outputs)
    assert page.count(_SOURCE) == pictures > 0
    for data in outputs:
        if "image/png" in data:
            assert data["image/png"].strip()[:200] in page
