# SPDX-License-Identifier: MIT
"""What people try in calls: overlapping views, odd shapes and types, numbers too large, nested dicts."""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb import output, show

SOURCE = """
#include <metal_stdlib>
using namespace metal;
struct Outer { float weight; struct { int x; } inner; };
kernel void halves(device float* p, device float* q, uint i [[thread_position_in_grid]])
{
    if (i < 3) p[i] = 1; else q[i] = 2;
}
kernel void scaled(device float* out, constant Outer& how) { out[0] = how.weight * how.inner.x; }
"""


@pytest.fixture
def library(device):
    return device.library(SOURCE)


def test_views_of_the_same_memory_are_one_argument(library):
    a = np.zeros(6, np.float32)
    library["halves"](a, a[:], grid=6)
    assert a.tolist() == [1, 1, 1, 2, 2, 2]


def test_views_that_overlap_are_refused_when_both_are_written(library):
    a = np.zeros(12, np.float32)
    with pytest.raises(mtlpy_nb.ArgumentError, match="q overlaps another array"):
        library["halves"](a[:6], a[1:7], grid=6)
    library["halves"](a[::2], a[1::2], grid=6)  # interleaved, but no element is in both
    assert a.tolist() == [1, 0, 1, 0, 1, 0, 0, 2, 0, 2, 0, 2]


def test_fields_of_fields(library):
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"how\.inner\.x is int32"):
        library["scaled"](output(1), {"weight": 1, "inner": {"x": 1.5}})
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"'inner': \{'x': 0\}"):
        library["scaled"](output(1), {"weight": 1})


def test_a_number_beyond_all_floats(library):
    with pytest.raises(mtlpy_nb.ArgumentError, match="too large"):
        library["scaled"](output(1), {"weight": 10**400, "inner": {"x": 1}})


@pytest.mark.parametrize("shape", [2.5, None, "6", (2.0, 3), [None]])
def test_output_of_no_shape(shape):
    with pytest.raises(mtlpy_nb.ValidationError, match="int or a tuple of ints"):
        output(shape)


def test_output_of_no_type_names_those_there_are():
    with pytest.raises(TypeError, match=r"'uchar'; known are .*float"):
        output(6, "uchar")


def test_missing_function_reads_as_sentences(library):
    with pytest.raises(KeyError, match=r"no function 'q' in this library\. It has: "):
        library["q"]


@pytest.mark.parametrize("look", [{"range": 5}, {"range": (0,)}, {"range": "ab"}, {"exposure": 1e6}, {"gamma": "x"}])
def test_odd_looks(look):
    with pytest.raises(mtlpy_nb.ValidationError, match=next(iter(look))):
        show(np.zeros((2, 2), np.float32), **look)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("values", [[1.7e308, -1.7e308], [4.5036e15], [-1e30, -1e30], [1.797e308]])
def test_picture_of_the_widest_numbers(values):
    assert show(np.array([values])).png is not None
