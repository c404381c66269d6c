# SPDX-License-Identifier: MIT
"""Arrays that are laid out unusually are copied right; those that cannot be written are refused."""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb

from .conftest import floats

BASE = np.arange(48, dtype=np.float32)
ODD = {
    "every second": BASE[::2][:6],
    "negative stride": BASE[5::-1],
    "column": BASE.reshape(8, 6)[:, 2][:6],
    "transposed": BASE[:6].reshape(2, 3).T,
    "Fortran order": np.asfortranarray(BASE[:6].reshape(2, 3)),
    "unaligned": np.frombuffer(b"\0" + BASE[:6].tobytes(), np.float32, offset=1),
    "broadcast": np.broadcast_to(np.float32(3), (6,)),
    "read-only": np.frombuffer(BASE[:6].tobytes(), np.float32),
    "big-endian": BASE[:6].astype(">f4"),
    "field of records": np.zeros(6, [("a", np.int16), ("b", np.float32)])["b"] + 0,
    "subclass": BASE[:6].view(np.ma.MaskedArray).data,
    "matrix": np.asarray(BASE[:6]).reshape(2, 3)[::-1, ::-1],
}


@pytest.mark.parametrize("kind", ODD)
def test_reading(library, kind):
    array = ODD[kind]
    out = np.zeros(array.shape, np.float32)
    library["add"](array, np.zeros(array.shape, np.float32), 1.0, out, grid=6)
    np.testing.assert_array_equal(out, array)


@pytest.mark.parametrize(
    "kind", ["every second", "negative stride", "column", "transposed", "big-endian", "Fortran order"]
)
def test_writing_in_place(library, kind):
    array = ODD[kind]
    if kind == "big-endian":
        target = np.zeros(6, ">f4")
    else:
        # A fresh array with the same strides.
        base = np.zeros_like(BASE)
        offset = (array.__array_interface__["data"][0] - BASE.__array_interface__["data"][0]) // 4
        owns = array.base is None or not np.shares_memory(array, BASE)
        target = (
            np.zeros_like(array, order="K")
            if owns
            else np.lib.stride_tricks.as_strided(base[offset:], array.shape, array.strides)
        )
        assert target.strides == array.strides
    library["add"](array, np.zeros(array.shape, np.float32), 1.0, target, grid=6)
    np.testing.assert_array_equal(target, array)


def test_elements_between_those_of_a_view_stay(library):
    base = np.full(12, 7, np.int32)
    library["twice"](base[::-2])
    assert base.tolist() == [7, 14] * 6


@pytest.mark.parametrize(
    "array",
    [
        np.frombuffer(bytes(16), np.int32),
        np.broadcast_to(np.int32(3), (4,)),
        np.asarray(memoryview(bytes(16))).view(np.int32),
    ],
    ids=["frombuffer", "broadcast", "memoryview"],
)
def test_writing_to_what_is_read_only(library, array):
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"twice: x is written by the kernel, but the array is read-only"):
        library["twice"](array)


def test_writing_to_a_read_only_array_changes_nothing(library):
    array = np.ones(4, np.int32)
    array.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        library["twice"](array)
    assert array.tolist() == [1] * 4


def test_objects(library, device):
    array = np.array([1.0, None, "x"], object)
    with pytest.raises(mtlpy_nb.ArgumentError, match="Python objects"):
        library["add"](array, floats(3), 1.0, np.zeros(3, np.float32))
    with pytest.raises(TypeError, match="Python objects"):
        device.buffer(array)


def test_no_elements(library):
    """Nothing to do is not an error when the grid follows from the array; a grid of 0 that somebody wrote is one."""
    empty = np.zeros(0, np.float32)
    library["add"](empty, empty, 1.0, empty)
    assert library["add"](empty, empty, 1.0, mtlpy_nb.output(0)).shape == (0,)
    with pytest.raises(mtlpy_nb.ValidationError, match="grid is 0"):
        library["add"](empty, empty, 1.0, empty, grid=0)


def test_same_array_twice(library):
    x = floats()
    library["add"](x, x, 1.0, x)
    assert x.tolist() == [0, 2, 4, 6]


@pytest.mark.parametrize("order", ["<", ">"])
def test_buffer_from_either_byte_order(device, order):
    given = np.arange(6, dtype=f"{order}i4")[::-1]
    assert device.buffer(given).numpy().tolist() == [5, 4, 3, 2, 1, 0]


def test_float64_is_cast_by_buffer_and_refused_by_a_call(library, device):
    wide = np.array([0.1, 0.2, 0.3, 0.4])
    assert device.buffer(wide).dtype == np.float32
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"b\.astype\(np\.float32\)"):
        library["add"](floats(), wide, 1.0, np.zeros(4, np.float32))


def test_one_element_is_data_and_not_a_size(device):
    assert device.buffer(np.array([3], np.int32)).numpy().tolist() == [3]
