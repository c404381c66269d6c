# SPDX-License-Identifier: MIT
"""What autodoc shows of this package's objects."""

from __future__ import annotations

import inspect
from typing import Any

from sphinx.application import Sphinx


def _without_private_signature(
    app: Sphinx, kind: str, name: str, thing: Any, options: Any, signature: str | None, returns: str | None
) -> tuple[str | None, str | None] | None:
    """Leave out the arguments of a class that programs do not make themselves: its first one has an underscore."""
    if kind != "class" or not isinstance(thing, type):
        return None
    try:
        parameters = list(inspect.signature(thing.__init__).parameters.values())[1:]  # type: ignore[misc]
    except (TypeError, ValueError):
        return None
    return ("", None) if parameters and parameters[0].name.startswith("_") else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx."""
    app.connect("autodoc-process-signature", _without_private_signature)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
