# SPDX-License-Identifier: MIT
"""Links to Python's and NumPy's documentation: of the names that our pages have, in `elsewhere.txt`.

Sphinx takes such names from an inventory that it fetches from each project's site. These are made of the table
instead, so that a build needs no network and does not change with theirs.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
import zlib
from pathlib import Path

import numpy.typing

_SITES = {"python": "https://docs.python.org/3/", "numpy": "https://numpy.org/doc/stable/"}

# In docstrings' types: what is linked, by the word that stands there. Other words are words.
ALIASES = {
    **{name: f":obj:`{name}`" for name in ("bool", "bytes", "dict", "float", "int", "list", "object", "str", "tuple")},
    **{name: f":obj:`{name}`" for name in ("None", "True", "False", "numpy.dtype", "numpy.ndarray")},
    **{name: f":obj:`{name} <collections.abc.{name.title()}>`" for name in ("callable", "collection", "mapping")},
    "array": ":obj:`array <numpy.ndarray>`",
    "array_like": ":obj:`array_like <numpy.typing.ArrayLike>`",
    "dtype": ":obj:`dtype <numpy.dtype>`",
    "dtype_like": ":obj:`dtype_like <numpy.typing.DTypeLike>`",
    "ndarray": ":obj:`ndarray <numpy.ndarray>`",
    "sequence": ":obj:`sequence <collections.abc.Sequence>`",
}
# In annotations.
TYPES = {"Array": "numpy.ndarray"}

# Shown by their names, and not as the unions of private types that they stand for.
for _name in ("ArrayLike", "DTypeLike"):
    setattr(numpy.typing, _name, type(_name, (), {"__module__": "numpy.typing"}))


def inventories(table: Path) -> dict[str, tuple[str, str]]:
    """Write an inventory for each site; give what `intersphinx_mapping` takes."""
    folder = Path(tempfile.mkdtemp(prefix="inventories-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    lines: dict[str, list[str]] = {site: [] for site in _SITES}
    for line in table.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            site, role, name, place = line.split()
            lines[site].append(f"{name} py:{role} 1 {place} -")
    mapping = {}
    for site, entries in lines.items():
        head = f"# Sphinx inventory version 2\n# Project: {site}\n# Version: \n"
        head += "# The remainder of this file is compressed using zlib.\n"
        file = folder / f"{site}.inv"
        file.write_bytes(head.encode() + zlib.compress("".join(f"{entry}\n" for entry in entries).encode()))
        mapping[site] = (_SITES[site], str(file))
    return mapping
