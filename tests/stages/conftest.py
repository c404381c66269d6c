# SPDX-License-Identifier: MIT
"""Vertex and fragment functions, run by themselves."""

from __future__ import annotations

import pytest
from stage_functions import find_compiler


@pytest.fixture(autouse=True, scope="session")
def _compiler() -> None:
    if find_compiler() is None:
        pytest.skip("metal-compiler is not built: set MTLPY_COMPILER")
