# SPDX-License-Identifier: MIT
"""Links from a type in a signature to where the reference has it.

Python knows a class by the module that defines it (``mtlpy_nb.buffer.Buffer``), or by a bare name in an annotation; the
reference has it under the module that a program imports it from (``mtlpy_nb.Buffer``).
"""

from __future__ import annotations

from typing import Any

from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

import mtlpy_nb
import mtlpy_nb.capture
import mtlpy_nb.metal
import mtlpy_nb.timing

_TOP = frozenset(mtlpy_nb.__all__)
# What both have, such as the exceptions, is described once, at the top.
_METAL = frozenset(
    name
    for name in mtlpy_nb.metal.__all__
    if name not in _TOP or getattr(mtlpy_nb, name) is not getattr(mtlpy_nb.metal, name)
)
# Of other modules, for what a bare name may mean.
_INNER = {
    name: f"{module.__name__}.{name}"
    for module in (mtlpy_nb.capture, mtlpy_nb.timing)
    for name in module.__all__
    if name not in _TOP
}
# For numpydoc, which looks at each word of a docstring's types.
ALIASES = {name: f":obj:`{name}`" for name in (*_TOP, *_INNER, "Preview") if name[0].isupper() or name == "output"}
_SHORT = {"mtl": "mtlpy_nb.metal", "np": "numpy", "npt": "numpy.typing"}


class PublicNames(SphinxPostTransform):
    """Point each reference at the public name."""

    default_priority = 5  # before they are resolved

    def run(self, **_: Any) -> None:
        """Go through a page's references."""
        known = self.env.get_domain("py").objects  # type: ignore[attr-defined]
        for node in self.document.findall(addnodes.pending_xref):
            if node.get("refdomain") == "py":
                name = public_name(node["reftarget"], node.get("py:module") or "")
                ends = [full for full in known if full.endswith(f".{name}")] if "." not in name else []
                node["reftarget"] = ends[0] if len(ends) == 1 and name not in known else name


def public_name(target: str, module: str) -> str:
    """Give the name that a program uses; as it is where there is no other."""
    parts = target.split(".")
    if parts[0] in _SHORT:
        return ".".join([_SHORT[parts[0]], *parts[1:]])
    if parts[:2] == ["mtlpy_nb", "_native"]:
        return ".".join(["mtlpy_nb.metal", *parts[2:]])
    if parts[0] in _METAL and module.startswith("mtlpy_nb.metal"):
        return f"mtlpy_nb.metal.{target}"
    if parts[0] in _TOP:
        return f"mtlpy_nb.{target}"
    if parts[0] in _INNER:
        return ".".join([_INNER[parts[0]], *parts[1:]])
    if len(parts) > 2 and parts[0] == "mtlpy_nb" and parts[1] != "metal":
        inner = next((i for i, part in enumerate(parts[1:], 1) if part in _TOP and part[0].isupper()), None)
        return _INNER.get(parts[-1], parts[-1]) if inner is None else ".".join(["mtlpy_nb", *parts[inner:]])
    return target


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx."""
    app.add_post_transform(PublicNames)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
