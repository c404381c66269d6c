# SPDX-License-Identifier: MIT
"""Front ends choose one of the kinds of data that an object offers, each by its own order: what they would take.

VS Code can't be run here, so its documented order is used; JupyterLab's, Notebook's and nbconvert's stand beside it.
"""

import base64
import io
import re

import numpy as np
import pytest
from PIL import Image

# The first that there is wins.
ORDERS = {
    "VS Code": """application/json application/javascript text/html image/svg+xml text/latex text/markdown image/png
        image/jpeg text/plain""",
    "VS Code with a screen reader": """text/latex text/markdown application/json text/html image/svg+xml image/png
        image/jpeg text/plain""",
    "JupyterLab": """application/vnd.jupyter.widget-view+json application/javascript text/html text/markdown text/latex
        image/svg+xml image/png image/jpeg text/plain""",
    "nbconvert": """application/vnd.jupyter.widget-view+json application/javascript text/html text/markdown
        image/svg+xml text/latex image/png image/jpeg text/plain""",
}
PICTURE = np.linspace(0, 1, 8 * 8 * 4, dtype=np.float32).reshape(8, 8, 4)
SOURCE = "%%metal -o library\nkernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }"

# What a person looks at, as an expression, and whether it is a picture.
SHOWN = {
    "show(PICTURE)": True,
    "show(PICTURE[..., 0])": True,
    "show(PICTURE[..., :3], zoom=2)": True,
    "show(PICTURE * np.nan)": True,
    "device.buffer(PICTURE[..., 0])": True,
    "device.texture(PICTURE)": True,
    "twice": False,
    "library": False,
}


@pytest.fixture
def values(notebook):
    notebook.run("import mtlpy_nb\ndevice = mtlpy_nb.default_device()")
    notebook.shell.user_ns["PICTURE"] = PICTURE
    notebook.run(SOURCE)
    return notebook


def offered(notebook, expression):
    data, metadata = notebook.shell.display_formatter.format(notebook.run(expression))
    return data, metadata


@pytest.mark.parametrize("front_end", ORDERS)
@pytest.mark.parametrize(("expression", "is_picture"), SHOWN.items())
def test_what_is_taken(values, expression, is_picture, front_end):
    data, _ = offered(values, expression)
    order = ORDERS[front_end].split()
    assert set(data) <= set(order)
    taken = next(kind for kind in order if kind in data)
    if is_picture:
        # Where there are words beside the picture, both are in one piece of HTML.
        html = (
            re.search(r'<img [^>]*src="data:image/png;base64,([^"]+)"', data["text/html"])
            if taken == "text/html"
            else None
        )
        picture = Image.open(io.BytesIO(base64.b64decode(html[1] if html else data["image/png"])))
        assert html or taken == "image/png"
        assert min(picture.size) >= 8
    else:
        assert taken == "text/html"
        assert "twice" in data[taken]


@pytest.mark.parametrize("expression", SHOWN)
def test_there_is_always_text(values, expression):
    data, metadata = offered(values, expression)
    assert data["text/plain"].strip()
    assert set(metadata) <= set(data)
