# SPDX-License-Identifier: MIT
"""Grids, threadgroups and buffers of sizes that make no sense."""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb

from .conftest import SOURCE


def array() -> np.ndarray:
    return np.ones(8, np.int32)


@pytest.mark.parametrize("what", ["grid", "threadgroup"])
@pytest.mark.parametrize(
    "size", [0, -1, (4, 0), (0, 1, 1), (1, 1, -3), (1, 1, 1, 1), (), 1.5, "8", (1.0, 2), 2**32, -(2**70)]
)
def test_size_that_is_none(library, what, size):
    x = array()
    with pytest.raises(mtlpy_nb.ValidationError, match=rf"{what} is .*(must|at least 1|below)"):
        library["twice"](x, **{"grid": 8, what: size})
    assert (x == 1).all(), "nothing ran"


@pytest.mark.parametrize("size", [1025, (32, 33), (1, 1025), (1, 1, 1025), 3_000_000, 2**31])
def test_threadgroup_too_large(library, size):
    with pytest.raises(mtlpy_nb.ValidationError, match=r"threadgroup is .*threads, this kernel allows 1024"):
        library["twice"](array(), grid=8, threadgroup=size)


def test_threadgroup_larger_than_the_source_allows(device):
    kernel = device.library("""
        [[max_total_threads_per_threadgroup(64)]]
        kernel void k(device int* x, uint i [[thread_position_in_grid]]) { x[i] = 1; }""")["k"]
    with pytest.raises(mtlpy_nb.ValidationError, match="65 threads, this kernel allows 64"):
        kernel(array(), threadgroup=65)


def test_grid_that_nothing_tells(device):
    kernel = device.library("kernel void k(device const int* x, uint i [[thread_position_in_grid]]) {}")["k"]
    with pytest.raises(mtlpy_nb.ValidationError, match=r"k: give grid="):
        kernel(array())


@pytest.mark.timeout(120)
def test_grid_of_three_million(device):
    """Large, and right: each thread runs once."""
    kernel = device.library(
        "kernel void k(device int* x, uint i [[thread_position_in_grid]]) { x[i % 3000000] += 1; }"
    )["k"]
    x = np.zeros(3_000_000, np.int32)
    kernel(x, grid=3_000_000)
    assert (x == 1).all()


@pytest.mark.parametrize("threadgroup", [1, 7, 1024, (1, 1, 64), (32, 32)])
def test_threadgroups_larger_or_odder_than_the_grid_are_legal(library, threadgroup):
    x = array()
    library["twice"](x, threadgroup=threadgroup, grid=8)
    assert (x == 2).all()


def test_numpy_integers_are_sizes(library):
    x = array()
    library["twice"](x, grid=np.int64(8), threadgroup=(np.uint8(4), np.int16(1)))
    assert (x == 2).all()


@pytest.mark.parametrize("threadgroup", [0, 33, 2048, 3_000_000, (1, 1)])
def test_pipeline_refuses_threadgroups(device, threadgroup):
    pipeline = device.compile(SOURCE, "twice")
    with pytest.raises(RuntimeError, match="threadgroup"):
        pipeline.run([device.buffer(array())], 8, threadgroup=threadgroup)


@pytest.mark.parametrize("grid", [(1, 2, 3, 4), (), 0, -5])
def test_pipeline_refuses_grids(device, grid):
    pipeline = device.compile(SOURCE, "twice")
    with pytest.raises((ValueError, RuntimeError), match="grid"):
        pipeline.run([device.buffer(array())], grid)


# ---- Buffers ----


def test_buffer_larger_than_the_device_allows(device):
    for count in (device.max_buffer_length // 4 + 1, 2**60, 2**62):
        with pytest.raises(
            mtlpy_nb.ResourceError, match=r"Failed to allocate Metal buffer: \d+ bytes are more than the \d+"
        ):
            device.empty(count, np.float32)
    with pytest.raises(RuntimeError, match="Failed to allocate Metal buffer"):
        device.empty((2**31, 2**31, 2**31), np.float32)


def test_output_larger_than_the_device_allows(library):
    with pytest.raises(mtlpy_nb.MetalError, match="allocate"):
        library["twice"](mtlpy_nb.output(2**50, np.int32))


def test_low_level_buffer_larger_than_the_device_allows():
    metal = pytest.importorskip("mtlpy_nb.metal")
    low = metal.create_system_default_device()
    for length in (low.max_buffer_length + 1, 2**60, 2**63, 0, -1):
        with pytest.raises((metal.MetalError, OverflowError, TypeError), match=r"length|incompatible|out of range|int"):
            low.new_buffer(length)


@pytest.mark.parametrize("size", [0, (0,), (3, 0), -1, (-2, -3), (4, -1)])
def test_buffer_without_elements(device, size):
    with pytest.raises(RuntimeError, match=r"Failed to allocate Metal buffer|must not be negative"):
        device.empty(size, np.float32)


def test_buffer_of_an_empty_array(device):
    with pytest.raises(RuntimeError, match="Failed to allocate Metal buffer"):
        device.buffer(np.zeros(0, np.float32))
    with pytest.raises(RuntimeError, match="Failed to allocate Metal buffer"):
        device.buffer([])


def test_texture_of_impossible_size(device):
    for shape in ((0, 4), (4, -1), (1 << 20, 1 << 20), (4, 100_000)):
        with pytest.raises((ValueError, mtlpy_nb.MetalError), match=r"[Tt]exture"):
            device.empty_texture(shape, "rgba8Unorm")


def test_copy_outside_of_a_buffer(device):
    a, b = device.buffer(array()), device.buffer(array())
    with pytest.raises(RuntimeError, match="exceeds source"):
        device.copy_buffer(a, b, size_bytes=1000)
    with pytest.raises(RuntimeError, match="exceeds source"):
        device.copy_buffer(a, b, src_offset=-4)
    with pytest.raises(RuntimeError, match="exceeds destination"):
        device.copy_buffer(a, b, dst_offset=4)
