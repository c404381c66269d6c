# SPDX-License-Identifier: MIT
"""These tests need `metal-widen` (a CMake target of the host target) on the path or in METAL_WIDEN, and clang."""

from __future__ import annotations

import pytest
from host_kernels import CLANG, WIDEN


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    missing = [name for name, path in (("metal-widen", WIDEN), ("clang", CLANG)) if not path]
    if missing:
        for item in items:
            if "tests/host/" in item.path.as_posix():
                item.add_marker(pytest.mark.skip(reason=f"not found: {', '.join(missing)}"))
