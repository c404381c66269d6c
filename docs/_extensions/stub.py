# SPDX-License-Identifier: MIT
"""Let autodoc read the native module's stub in place of the module itself.

The stub has what the compiled module cannot tell: the types of properties, overloads, defaults as they are written. A
test keeps the two the same. Nothing has to be compiled to build the pages.
"""

from __future__ import annotations
import __future__

import ast
import inspect
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType
from typing import Any
from unittest import mock

_NAME = "mtlpy_nb._native"
_words: dict[str, str] = {}


def _overload(function: Any) -> Any:
    """Keep a function that typing's own decorator would throw away, with the words of those before it."""
    found = (_words.get(function.__qualname__, ""), inspect.getdoc(function) or "")
    _words[function.__qualname__] = function.__doc__ = "\n\n".join(filter(None, found))
    return function


class _StubLoader(SourceFileLoader):
    """Runs a stub as Python: names in its annotations may come later."""

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> CodeType:
        tree = ast.parse(data)
        for node in ast.walk(tree):
            # As the compiled classes, which a class of ours with slots may derive from.
            if isinstance(node, ast.ClassDef) and not any("enum" in ast.dump(base) for base in node.bases):
                node.body.append(ast.parse("__slots__ = ()").body[0])
        flags = __future__.annotations.compiler_flag
        return compile(ast.fix_missing_locations(tree), path, "exec", flags, dont_inherit=True, optimize=_optimize)

    def set_data(self, path: str, data: Any, *, _mode: int = 0o666) -> None:
        """Keep no compiled form, which would lie beside the package's."""


def use_for_native_module(path: Path) -> None:
    """Import the stub under the native module's name, before the package is imported."""
    spec = spec_from_file_location(_NAME, path, loader=_StubLoader(_NAME, str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[_NAME] = module
    with mock.patch("typing.overload", _overload):
        spec.loader.exec_module(module)
    # What has the buffer protocol: typing_extensions' name for it is nobody's.
    module._Buffer = type("Buffer", (), {"__module__": "collections.abc"})  # type: ignore[attr-defined]
