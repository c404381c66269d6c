# SPDX-License-Identifier: MIT
"""What autodoc shows of this package's objects."""

from __future__ import annotations

import inspect
import re
from typing import Any

from sphinx.application import Sphinx


def _without_private_signature(
    app: Sphinx, kind: str, name: str, thing: Any, options: Any, signature: str | None, returns: str | None
) -> tuple[str | None, str | None] | None:
    """Leave out the arguments of a class that does not tell them: programs do not make its objects themselves."""
    if kind != "class" or not isinstance(thing, type) or thing.__module__ == "mtlpy_nb._native":
        return None
    told = re.search(r"^Parameters\n-+$", inspect.getdoc(thing) or "", re.MULTILINE)
    return None if told else ("", None)


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx."""
    app.connect("autodoc-process-signature", _without_private_signature)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
