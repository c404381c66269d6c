# SPDX-License-Identifier: MIT
"""What programs for mtlpy import, under the name that they know."""

import numpy as np
import pytest

import mtlpy_nb as mtlpy


@pytest.fixture
def device():
    return mtlpy.Device(cache_path=False)


@pytest.fixture
def other_device():
    return mtlpy.Device(cache_path=False)


@pytest.fixture
def buffer(device):
    """Make a Buffer of float32: `buffer(1, 2, 3)`."""
    return lambda *values: device.buffer(np.array(values, np.float32))
