# SPDX-License-Identifier: MIT
"""What tests of render passes share."""

import pytest

pm = pytest.importorskip("mtlpy_nb.metal")

if not hasattr(pm, "RenderPipelineDescriptor"):
    collect_ignore = ["test_attachments.py", "test_blending.py", "test_depth_stencil.py", "test_fuzz.py"]


@pytest.fixture(scope="session")
def painter():
    from .painting import Painter

    return Painter(pm.create_system_default_device())
