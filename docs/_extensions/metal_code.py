# SPDX-License-Identifier: MIT
"""Colour `%%metal` cells as Metal, files of C++ as C++, and lines of magics as IPython's, on pages and in notebooks."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from IPython.lib.lexers import IPython3Lexer
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from mtlpy_nb.notebook.lexer import MetalLexer

_CELL = re.compile(r"\s*%%metal(?!_time)\b")
_CPP = re.compile(r"\s*%%writefile \S+\.[ch]pp\b")
_MAGIC = re.compile(r"^\s*%|^\w+\s*=\s*%|\?$", re.MULTILINE)
_PYTHON = ("python", "python3", "py", "ipython", "ipython3")


class ColourCells(SphinxPostTransform):
    """Choose the language of each piece of code by what it is."""

    default_priority = 5  # before Pygments gets it

    def run(self, **_: Any) -> None:
        """Go through all of a page's code."""
        for block in self.document.findall(nodes.literal_block):
            text, language = block.astext(), block.get("language")
            if _CELL.match(text):
                block["language"] = "metal"
            elif _CPP.match(text):
                block["language"] = "cpp"
            elif language in _PYTHON and _MAGIC.search(text):
                block["language"] = "ipython3"


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx."""
    app.add_lexer("metal", MetalLexer)
    app.add_lexer("ipython3", IPython3Lexer)
    app.add_post_transform(ColourCells)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
