# SPDX-License-Identifier: MIT
"""What tests of render passes share."""

import pytest

pm = pytest.importorskip("mtlpy_nb.metal")


@pytest.fixture(scope="session")
def painter():
    from .painting import Painter

    return Painter(pm.create_system_default_device())
