# SPDX-License-Identifier: MIT
"""Executes the notebooks and stores what they show: run it after a change that changes an output on purpose.

It writes the outputs into ``notebooks/*.ipynb`` (pictures with few colours, to keep the files small), what the tests
compare pictures with into ``tests/notebooks/pictures.json``, and the pictures of cells with a tag ``picture-NAME`` to
``docs/pictures/NAME.png``, which the README shows.

    .venv/bin/python .ci/store_notebooks.py [NOTEBOOK ...]
"""

from __future__ import annotations

import base64
import io
import json
import sys
import tempfile
from pathlib import Path

import nbformat
from PIL import Image

_ROOT = Path(__file__).resolve().parents[1]
_NOTEBOOKS = _ROOT / "notebooks"
_LOOKS = _ROOT / "tests" / "notebooks" / "pictures.json"
_COLOURS = 256

sys.path.insert(0, str(_ROOT))
from mtlpy_nb.notebook.execute import execute_notebook  # noqa: E402
from tests.notebooks.perceptual import look_at  # noqa: E402


def main() -> None:
    """Execute and store the notebooks named, or all."""
    paths = [Path(name) for name in sys.argv[1:]] or sorted(_NOTEBOOKS.glob("[0-9]*.ipynb"))
    looks = json.loads(_LOOKS.read_text()) if _LOOKS.exists() else {}
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            executed, *pictures = execute_notebook(path, Path(folder))
            looks[path.name] = [look_at(picture).stored() for picture in pictures]
            notebook = nbformat.read(executed, as_version=4)
        _write_docs(notebook)
        _lighten(notebook)
        nbformat.write(notebook, path)
        print(f"{path.name}: {len(looks[path.name])} pictures")
    _LOOKS.write_text(json.dumps(dict(sorted(looks.items())), indent=1) + "\n")


def _lighten(notebook: nbformat.NotebookNode) -> None:
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            # No kernel knows a widget that was stored: its picture is shown.
            data.pop("application/vnd.jupyter.widget-view+json", None)
            if "image/png" in data:
                whole = data["image/png"].strip()
                light = base64.b64encode(_with_few_colours(base64.b64decode(whole))).decode()
                data |= {name: text.replace(whole, light) for name, text in data.items() if name != "text/plain"}


def _with_few_colours(png: bytes) -> bytes:
    picture = Image.open(io.BytesIO(png))
    if picture.mode in ("RGB", "L"):
        whole = picture.convert("RGB")
        picture = whole.quantize(palette=whole.quantize(_COLOURS), dither=Image.Dither.FLOYDSTEINBERG)
    stream = io.BytesIO()
    picture.save(stream, "PNG", optimize=True)
    return min(stream.getvalue(), png, key=len)


def _write_docs(notebook: nbformat.NotebookNode) -> None:
    for cell in notebook.cells:
        for tag in cell.metadata.get("tags", []):
            if tag.startswith("picture-"):
                png = next(output.data["image/png"] for output in cell.outputs if "image/png" in output.get("data", {}))
                (_ROOT / "docs" / "pictures" / f"{tag.removeprefix('picture-')}.png").write_bytes(base64.b64decode(png))


if __name__ == "__main__":
    main()
