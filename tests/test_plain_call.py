# SPDX-License-Identifier: MIT
"""Calls with whole Buffers and numbers take a short way, which must do what the long one does.

The long way is taken where a threadgroup is given.
"""

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb import _plain_call

SOURCE = """
kernel void scale(device float* x, constant float& factor, uint i [[thread_position_in_grid]]) { x[i] *= factor; }
kernel void count(device uint* x, constant uchar& step, constant int& by, uint i [[thread_position_in_grid]]) {
    x[i] += step * by;
}
kernel void both(device float* x, device float* y, uint i [[thread_position_in_grid]]) { x[i] += 1; y[i] += 2; }
kernel void place(device float* x, uint2 i [[thread_position_in_grid]]) { x[i.y * 3 + i.x] = i.x * 10 + i.y; }
kernel void pairs(device float2* x, constant float& by, uint i [[thread_position_in_grid]]) { x[i] += float2(by, i); }
kernel void none(constant float& x) {}
"""
LONG = {"threadgroup": 32}


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


@pytest.fixture(scope="module")
def library(device):
    return device.library(SOURCE)


def ones(device, shape=6, dtype=np.float32):
    return device.buffer(np.ones(shape, dtype))


@pytest.mark.parametrize("way", [{}, LONG], ids=["short", "long"])
def test_results(device, library, way):
    x = ones(device)
    assert library["scale"](x, 3, **way) is x
    assert library["scale"](x, 0.5, grid=4, **way) is x
    assert x.numpy().tolist() == [1.5, 1.5, 1.5, 1.5, 3, 3]
    table = ones(device, (2, 3))
    library["scale"](table, 2.0, **way)
    assert (table.numpy() == 2).all()
    factor = device.buffer(np.full(1, 7, np.float32))
    library["scale"](x, factor, grid=(1, 1), **way)
    assert x.numpy()[0] == 10.5
    pairs = ones(device, (2, 2))
    assert library["pairs"](pairs, 3, **way) is pairs
    assert pairs.numpy().tolist() == [[4, 1], [4, 2]]
    pairs = ones(device, 6)
    library["pairs"](pairs, 3, **way)
    assert pairs.numpy().tolist() == [4, 1, 4, 2, 4, 3]
    turned = ones(device, (2, 3))
    assert library["place"](turned, grid=(3, 2), **way) is turned
    assert turned.numpy().tolist() == [[0, 10, 20], [1, 11, 21]]
    library["place"](turned, grid=[1, 1], **way)
    library["place"](turned, grid=(1, 1, 1), **way)
    library["place"](turned, **way)
    assert turned.numpy().tolist() == [[0, 10, 20], [1, 11, 21]]
    part = x[4:]
    assert library["scale"](part, 10, **way) is part
    assert x.numpy().tolist() == [10.5, 1.5, 1.5, 1.5, 30, 30]
    y = ones(device)
    made = library["both"](x, y, **way)
    assert made.x is x
    assert made.y is y
    assert library["none"](1.0, grid=1, **way) is None
    counted = ones(device, dtype=np.uint32)
    library["count"](counted, 3, -1, grid=1, **way)
    assert counted.numpy().tolist() == [2**32 - 2, 1, 1, 1, 1, 1]


def test_the_short_way_is_taken(device, library, monkeypatch):
    """Else the other tests compare the long way with itself."""
    given, short = [], _plain_call.call

    def noted(*args):
        given.append(short(*args))
        return given[-1]

    monkeypatch.setattr(_plain_call, "call", noted)
    x = ones(device)
    library["scale"](x, 3)
    library["scale"](x, ones(device, 1), grid=4)
    library["pairs"](x, 0.5)
    library["place"](x, grid=(3, 2))
    library["count"](ones(device, dtype=np.uint32), 3, -1)
    library["none"](1.0, grid=1)
    assert len(given) == 6
    assert all(result is not _plain_call.NOT_PLAIN for result in given)


def released(device):
    buffer = ones(device)
    buffer.release()
    return buffer


WRONG = {
    "too few": lambda d: ("scale", (ones(d),), {}),
    "too many": lambda d: ("scale", (ones(d), 1, 2), {}),
    "dtype": lambda d: ("scale", (ones(d, dtype=np.int32), 1), {}),
    "released": lambda d: ("scale", (released(d), 1), {}),
    "of another device": lambda d: ("scale", (ones(mtlpy_nb.Device(cache_path=False)), 1), {}),
    "no Buffer": lambda d: ("scale", ("x", 1), {}),
    "a number for an array": lambda d: ("scale", (1.0, 1), {}),
    "too large": lambda d: ("count", (ones(d, dtype=np.uint32), 256, 1), {}),
    "too small": lambda d: ("count", (ones(d, dtype=np.uint32), -1, 1), {}),
    "no whole number": lambda d: ("count", (ones(d, dtype=np.uint32), 1, 0.5), {}),
    "grid of nothing": lambda d: ("scale", (ones(d), 1), {"grid": -1}),
    "grid too large": lambda d: ("scale", (ones(d), 1), {"grid": 1 << 32}),
    "no whole vectors": lambda d: ("pairs", (ones(d, (2, 3)), 1), {}),
    "no whole vectors at all": lambda d: ("pairs", (ones(d, 3), 1), {}),
    "no axis of vectors": lambda d: ("pairs", (d.empty((), np.float32), 1), {}),
    "grid with nothing in it": lambda d: ("place", (ones(d),), {"grid": (2, 0)}),
    "grid of four": lambda d: ("place", (ones(d),), {"grid": (2, 2, 2, 2)}),
    "grid of fractions": lambda d: ("place", (ones(d),), {"grid": (2, 1.5)}),
    "grid of words": lambda d: ("scale", (ones(d), 1), {"grid": "6"}),
    "no grid": lambda d: ("none", (1.0,), {}),
    "wait of another name": lambda d: ("scale", (ones(d), 1), {"wiat": True}),
}


@pytest.mark.parametrize("make", WRONG.values(), ids=WRONG)
def test_mistakes(device, library, make):
    name, args, named = make(device)
    with pytest.raises((TypeError, ValueError, RuntimeError)) as long:
        library[name](*args, **named, **LONG)
    with pytest.raises(long.type) as short:
        library[name](*args, **named)
    assert str(short.value) == str(long.value)
