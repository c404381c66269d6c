# SPDX-License-Identifier: MIT
"""A device, a queue and kernels, made with the low-level API only."""

import numpy as np
import pytest

pm = pytest.importorskip("mtlpy_nb.metal")

ADD = """
#include <metal_stdlib>
using namespace metal;

// Adds two vectors.
kernel void add(device const float* a [[buffer(0)]],
                device const float* b [[buffer(1)]],
                device float* c [[buffer(2)]],
                uint i [[thread_position_in_grid]])
{
    c[i] = a[i] + b[i];
}
"""

FOR_EVER = """
#include <metal_stdlib>
kernel void for_ever(device volatile int* x, uint i [[thread_position_in_grid]])
{
    while (x[0] == 0) x[1] = 1;
}
"""


@pytest.fixture(scope="session")
def device():
    return pm.create_system_default_device()


@pytest.fixture
def queue(device):
    return device.new_command_queue()


@pytest.fixture(scope="session")
def pipeline(device):
    """Compile a kernel of a source: `pipeline(source, name)`."""
    made = {}

    def make(source, name):
        key = source, name
        if key not in made:
            made[key] = device.new_compute_pipeline_state(device.new_library_with_source(source).new_function(name))
        return made[key]

    return make


@pytest.fixture
def filled(device):
    """Make a shared buffer with an array's bytes: `filled(array)`."""

    def make(array):
        return device.new_buffer_with_data(np.ascontiguousarray(array))

    return make
