# SPDX-License-Identifier: MIT
import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb.utils import StorageMode

TWICE = """
kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }
kernel void fours(device float4* x, uint i [[thread_position_in_grid]]) { x[i] *= 4; }
"""


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device()


@pytest.fixture(params=[StorageMode.SHARED, StorageMode.PRIVATE])
def grid(request, device):
    return device.buffer(np.arange(60, dtype=np.float32).reshape(3, 4, 5), storage=request.param)


@pytest.mark.parametrize(
    "index",
    [0, -1, slice(1, 3), (1, 2), (2, slice(1, 4)), ..., (0, ...), (slice(1, 2), slice(None)), (1, 2, slice(2, 5))],
)
def test_a_part_shares_memory(grid, index):
    array = grid.numpy().copy()
    part = grid[index]
    assert part.shape == array[index].shape
    np.testing.assert_array_equal(part.numpy(), array[index])
    part += 100
    array[index] += 100
    np.testing.assert_array_equal(grid.numpy(), array)


def test_an_element_is_a_number(grid):
    assert grid[1, 2, 3] == 33
    assert isinstance(grid[1, 2, 3], np.float32)


def test_parts_of_parts(grid):
    part = grid[1:][0][2:]
    np.testing.assert_array_equal(part.numpy(), np.arange(60).reshape(3, 4, 5)[1][2:])
    assert part[1, 4] == 39
    assert part.reshape(-1)[3] == 33


def test_writing(grid):
    array = grid.numpy().copy()
    for index, value in [(0, 7), ((1, 2), np.arange(5)), (slice(2, 3), 1.5), ((2, 3, 4), -1)]:
        grid[index] = value
        array[index] = value
    np.testing.assert_array_equal(grid.numpy(), array)


def test_iteration_gives_parts(device):
    rows = list(device.buffer(np.arange(6, dtype=np.int32).reshape(3, 2)))
    assert [row.shape for row in rows] == [(2,)] * 3
    assert [n for row in rows for n in row] == [0, 1, 2, 3, 4, 5]


def test_a_kernel_takes_a_part(device):
    library = device.library(TWICE)
    buffer = device.buffer(np.arange(12, dtype=np.float32))
    library["twice"](buffer[5:7])
    np.testing.assert_array_equal(buffer.numpy(), [0, 1, 2, 3, 4, 10, 12, 7, 8, 9, 10, 11])
    device.compile(TWICE, "twice").run([buffer[:2]], 2)
    np.testing.assert_array_equal(buffer.numpy()[:3], [0, 2, 2])
    library["fours"](buffer[4:8].reshape(1, 4))
    np.testing.assert_array_equal(buffer.numpy()[3:9], [3, 16, 40, 48, 28, 8])


def test_a_part_must_be_aligned_for_the_kernel(device):
    buffer = device.buffer(np.arange(12, dtype=np.float32))
    with pytest.raises(ValueError, match=r"begins at byte 4, but the kernel's elements are aligned to 16 bytes"):
        device.library(TWICE)["fours"](buffer[1:5].reshape(1, 4))
    with pytest.raises(ValueError, match="aligned to 16 bytes"):
        device.compile(TWICE, "fours").run([buffer[1:5]], 1)
    np.testing.assert_array_equal(buffer.numpy(), np.arange(12))


def test_copies_know_where_a_part_begins(device):
    source = device.buffer(np.arange(10, dtype=np.int32))
    target = device.buffer(np.zeros(10, np.int32))
    device.copy_buffer(source[6:], target[3:], size_bytes=12)
    np.testing.assert_array_equal(target.numpy(), [0, 0, 0, 6, 7, 8, 0, 0, 0, 0])
    target[1:3].fill(5)
    target[8:].copy_from(np.array([1, 2], np.int32))
    np.testing.assert_array_equal(target.numpy(), [0, 5, 5, 6, 7, 8, 0, 0, 1, 2])
    np.testing.assert_array_equal(np.from_dlpack(target[3:6]), [6, 7, 8])
    picture = device.texture(np.zeros((2, 2), np.float32))
    picture.upload_from_buffer(device.buffer(np.arange(6, dtype=np.float32))[2:])
    np.testing.assert_array_equal(picture.numpy(), [[2, 3], [4, 5]])


def test_indices_that_can_not_be_a_part(device):
    buffer = device.buffer(np.arange(12, dtype=np.float32).reshape(3, 4))
    with pytest.raises(IndexError, match="out of bounds"):
        buffer[3]
    with pytest.raises(ValueError, match="don't lie side by side"):
        buffer[:, 1]
    with pytest.raises(ValueError, match="selects no elements"):
        buffer[1:1]
    with pytest.raises(ValueError, match="made of ints and slices, got list"):
        buffer[[0, 1]]
    with pytest.raises(ValueError, match="made of ints and slices, got bool"):
        buffer[True]
    with pytest.raises(IndexError):
        buffer[0, 0, 0]
