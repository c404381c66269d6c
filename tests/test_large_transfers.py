# SPDX-License-Identifier: MIT
"""Arrays so large that several threads copy them: every byte arrives, and none beside them is touched."""

import threading

import numpy as np
import pytest

import mtlpy_nb

COUNT = (3 << 20) + 77  # of 4 bytes each


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device()


@pytest.fixture(scope="module")
def twice(device):
    return device.library("kernel void twice(device uint* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }")[
        "twice"
    ]


@pytest.fixture
def numbers():
    return np.random.default_rng(5).integers(0, 2**31, COUNT, np.uint32)


def test_buffers(device, numbers):
    buffer = device.buffer(numbers)
    np.testing.assert_array_equal(buffer.numpy(), numbers)
    buffer[5:-3] = numbers[:-8]
    expected = numbers.copy()
    expected[5:-3] = numbers[:-8]
    np.testing.assert_array_equal(buffer.numpy(), expected)
    out = np.zeros(COUNT - 4, np.uint32)
    buffer._buf.copy_to(out[1:], 12)
    np.testing.assert_array_equal(out[1:], expected[3:-2])
    assert out[0] == 0


def test_memory_of_a_buffer_that_is_gone_serves_the_next_array(device):
    size = 1_234_567
    first = device.buffer(np.full(size, 7, np.uint8))
    address = first._buf.data_ptr
    del first
    empty = device.empty(size, np.uint8)  # for which it does not
    again = device.buffer(np.full(size, 9, np.uint8))
    assert again._buf.data_ptr == address != empty._buf.data_ptr
    assert (again.numpy() == 9).all()


def test_copies_on_the_device(device, numbers):
    source, target = device.buffer(numbers), device.empty(COUNT, np.uint32)
    target.fill(9)
    device.copy_buffer(source, target, src_offset=4, dst_offset=8, size_bytes=4 * COUNT - 16)
    expected = np.full(COUNT, 9, np.uint32)
    expected[2:-2] = numbers[1:-3]
    np.testing.assert_array_equal(target.numpy(), expected)


def test_copies_inside_one_buffer(device, numbers):
    buffer, half = device.buffer(numbers), 4 * (COUNT // 2)
    device.copy_buffer(buffer, buffer, src_offset=0, dst_offset=half, size_bytes=half)
    np.testing.assert_array_equal(buffer.numpy()[COUNT // 2 : -1], numbers[: COUNT // 2])


def test_textures(device):
    picture = np.random.default_rng(6).integers(0, 256, (1100, 1300, 4), np.uint8)
    for private in (False, True):
        texture = device.empty_texture(picture.shape[:2], "rgba8Unorm", private=private)
        texture.upload(picture)
        np.testing.assert_array_equal(texture.download(), picture)


def test_arrays_that_kernels_write(twice, numbers):
    given = numbers.copy()
    twice(given)
    np.testing.assert_array_equal(given, numbers * 2)
    spread = np.zeros(2 * COUNT, np.uint32)
    spread[::2] = numbers
    twice(spread[::2])
    np.testing.assert_array_equal(spread[::2], numbers * 2)
    assert not spread[1::2].any()


def test_threads_copy_at_the_same_time(device, numbers):
    wrong = []

    def work(seed):
        mine = numbers + np.uint32(seed)
        for _ in range(3):
            if not np.array_equal(device.buffer(mine).numpy(), mine):
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
