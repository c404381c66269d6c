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
struct Table { float3 rows[2]; float grid[2][3]; };
struct Outer { float weight; struct { int x; } inner; };
kernel void halves(device float* p, device float* q, uint i [[thread_position_in_grid]])
{
    if (i < 3) p[i] = 1; else q[i] = 2;
}
kernel void table(device float* out, constant Table& t) { out[0] = t.rows[1].z; out[1] = t.grid[1][2]; }
kernel void third(device float* out, constant float (&of)[3]) { out[0] = of[2]; }
kernel void selfish(device float* self, constant float& value) { self[0] = value; }
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
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"how\.inner\.x is int, got"):
        library["scaled"](output(1), {"weight": 1, "inner": {"x": 1.5}})
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"'inner': \{'x': 0\}"):
        library["scaled"](output(1), {"weight": 1})


def test_fields_that_are_arrays_of_arrays(library):
    rows, grid = [(1, 2, 3, 0), (4, 5, 6, 0)], np.arange(6).reshape(2, 3)
    assert library["table"](output(2), {"rows": rows, "grid": grid}, grid=1).numpy().tolist() == [6, 5]
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"t\.grid has shape \(2, 3\), got"):
        library["table"](output(2), {"rows": rows, "grid": 1})


def test_array_by_reference_is_not_reinterpreted(library):
    assert library["third"](output(1), [1, 2, 3]).numpy().tolist() == [3]
    assert library["third"](output(1), np.array([1, 2, 3], np.float32)).numpy().tolist() == [3]
    with pytest.raises(mtlpy_nb.ArgumentError, match=r"of holds elements of dtype float32, got an array .* int32"):
        library["third"](output(1), np.array([1, 2, 3], np.int32))


def test_argument_named_self(library):
    assert library["selfish"](self=np.zeros(1, np.float32), value=2).tolist() == [2]


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
    assert show(np.array([values])).png() is not None
