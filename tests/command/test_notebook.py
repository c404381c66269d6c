# SPDX-License-Identifier: MIT
"""The command mtlpy-nb notebook."""

import base64
import io

import nbformat
import numpy as np
import pytest
from PIL import Image

from mtlpy_nb.__main__ import main


@pytest.fixture
def notebook(tmp_path):
    def write(*cells: str):
        made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        path = tmp_path / "small.ipynb"
        nbformat.write(made, path)
        return path

    return write


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_notebook_writes_its_pictures(notebook, tmp_path, capfd):
    path = notebook("import numpy as np, mtlpy_nb", "mtlpy_nb.show(np.full((2, 3), 7, np.uint8))")
    assert main(["notebook", str(path), "--pictures", str(tmp_path / "out")]) == 0
    picture = np.asarray(Image.open(tmp_path / "out" / "small-1.png"))
    assert (picture == 7).all()
    executed = nbformat.read(tmp_path / "out" / "small.ipynb", as_version=4)
    stored = base64.b64decode(executed.cells[1].outputs[0].data["image/png"])
    assert Image.open(io.BytesIO(stored)).size == (picture.shape[1], picture.shape[0])
    assert "small-1.png" in capfd.readouterr().out


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_notebook_that_fails_says_where(notebook, tmp_path, capfd):
    assert main(["notebook", str(notebook("1 / 0")), "--pictures", str(tmp_path / "out")]) == 1
    assert "ZeroDivisionError" in capfd.readouterr().err
    assert main(["notebook", str(tmp_path / "none.ipynb")]) == 2
    assert "there is no file" in capfd.readouterr().err
