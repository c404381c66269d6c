# SPDX-License-Identifier: MIT
"""What is told in words: rows of numbers, structures, and what no picture can show."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import mtlpy_nb
from mtlpy_nb import show

NUMBERS = [np.uint8, np.int16, np.uint32, np.int64, np.float16, np.float32, np.float64]


def html_of(preview) -> str:
    return preview._repr_mimebundle_()[0]["text/html"]


def points_of(html: str) -> list[tuple[float, float]]:
    svg = ElementTree.fromstring(re.search(r"<svg.*?</svg>", html)[0])
    path = svg[0].attrib["d"]
    return [(float(x), float(y)) for x, y in re.findall(r"[ML]([\d.e+-]+) ([\d.e+-]+)", path)]


def test_a_row_of_numbers():
    preview = show(np.arange(10, dtype=np.float32))
    assert preview.text.splitlines() == [
        "array(shape=(10,), dtype=float32)",
        "[0., 1., 2., 3., 4., 5., 6., 7., ...]",
        "min 0, max 9, mean 4.5",
    ]
    assert preview.png() is None
    assert "min 0, max 9, mean 4.5" in html_of(preview)


def test_a_buffer_of_one_dimension(device):
    buffer = device.buffer(np.float32([1, np.nan, 3, np.inf]))
    data, _ = buffer._repr_mimebundle_()
    assert data["text/plain"].splitlines() == [
        "Buffer(shape=(4,), dtype=float32)", "[ 1., nan,  3., inf]", "min 1, max 3, mean 2, 1 NaN, 1 Inf"
    ]  # fmt: skip
    assert "<svg" in data["text/html"]
    assert "image/png" not in data


@given(st.data())
def test_facts_and_line_of_any_numbers(data):
    dtype = np.dtype(data.draw(st.sampled_from(NUMBERS)))
    size = data.draw(st.sampled_from([2, 3, 100, 511, 512, 513, 2000]))
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    values = (rng.normal(size=size) * 50).astype(dtype) if dtype.kind == "f" else rng.integers(0, 100, size, dtype)
    if dtype.kind == "f":
        for _ in range(data.draw(st.integers(0, 3))):
            values[rng.integers(size)] = rng.choice([np.nan, np.inf, -np.inf])
    preview = show(values)
    finite = [float(v) for v in values if np.isfinite(v)]
    if not finite:
        assert "min" not in preview.text
        return
    least, most, mean = (float(n) for n in re.search(r"min (\S+), max (\S+), mean ([^\s,]+)", preview.text).groups())
    assert least == pytest.approx(min(finite), rel=1e-5)
    assert most == pytest.approx(max(finite), rel=1e-5)
    assert mean == pytest.approx(sum(finite) / len(finite), rel=1e-4, abs=1e-6 * max(map(abs, finite)))
    nan, infinite = sum(v != v for v in values), sum(abs(v) == np.inf for v in values)
    assert (f"{nan} NaN" in preview.text) == bool(nan)
    assert (f"{infinite} Inf" in preview.text) == bool(infinite)
    points = points_of(html_of(preview))
    assert all(0 <= x <= 512 and 0 <= y <= 64 for x, y in points)
    if size <= 512:  # a point for each number
        assert len(points) == len(finite)
        span = max(finite) - min(finite)
        for (_, y), value in zip(points, finite, strict=True):
            wanted = 64 * (1 - (value - min(finite)) / span) if span else 32
            assert y == pytest.approx(wanted, abs=0.02)
    elif max(finite) > min(finite):
        assert min(y for _, y in points) == pytest.approx(0, abs=1e-9)
        assert max(y for _, y in points) == pytest.approx(64)


@pytest.mark.filterwarnings("error")
@given(hnp.arrays(st.sampled_from([np.float16, np.float32, np.float64, np.int64, np.complex64]), st.integers(0, 40)))
def test_no_number_is_too_large_for_words(values):
    preview = show(values)
    assert "nan nan" not in preview.text
    for x, y in points_of(html_of(preview)) if "text/html" in preview._repr_mimebundle_()[0] else []:
        assert 0 <= x <= 512
        assert 0 <= y <= 64


def test_the_largest_numbers_have_a_mean():
    assert "min -1.79769e+308, max 1.79769e+308, mean 0" in show(np.float64([1.7976931e308, -1.7976931e308])).text
    assert "mean 1.7e+308" in show(np.full(1000, 1.7e308)).text


def test_structures_are_a_table(device):
    dtype = np.dtype([("position", "f4", (3,)), ("mass", "f4"), ("id", [("group", "u1"), ("n", "i4")])])
    particles = np.zeros(14, dtype)
    particles["position"][1] = 1, 2.5, 3
    particles["mass"] = np.arange(14) / 2
    particles["id"]["n"] = -np.arange(14)
    data, _ = device.buffer(particles)._repr_mimebundle_()
    lines = data["text/plain"].splitlines()
    assert re.split(r"\s{2,}", lines[1].strip()) == ["position", "mass", "id.group", "id.n"]
    assert re.split(r"\s{2,}", lines[3].strip()) == ["1", "[1. , 2.5, 3. ]", "0.5", "0", "-1"]
    assert len(lines) == 2 + 12 + 1
    assert lines[-1] == "... 2 more"
    table = ElementTree.fromstring(re.search(r"<table.*</table>", data["text/html"])[0])
    cells = [[cell.text or "" for cell in row] for row in table.iter("tr")]
    assert cells[0] == ["", "position", "mass", "id.group", "id.n"]
    assert cells[3] == ["2", "[0., 0., 0.]", "1", "0", "-2"]
    assert len(cells) == 13


def test_structures_in_private_memory(device):
    particles = np.zeros(20, [("mass", "f4"), ("id", "i4")])
    particles["id"] = np.arange(20)
    private = show(device.buffer(particles, storage=mtlpy_nb.StorageMode.PRIVATE))
    assert private.text.splitlines()[1:] == show(particles).text.splitlines()[1:]


def test_names_of_fields_are_no_html():
    preview = show(np.zeros(2, [("<b>", "f4")]))
    assert "&lt;b&gt;" in html_of(preview)
    assert "<b>" not in html_of(preview)


def test_buffers_of_bfloat16(device):
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    row = device.buffer(np.float32([1, 2, 6]).astype(bfloat16))
    assert show(row).text.splitlines()[2] == "min 1, max 6, mean 3"
    matrix = device.buffer(np.float32([[1, 2], [3, np.nan]]).astype(bfloat16))
    assert show(matrix).text.splitlines()[1:] == ["shown from 1 to 3", "1 NaN (magenta)"]
    assert show(matrix).png()


def test_bfloat16_in_words():
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    assert show(np.float32([1, 2, 6]).astype(bfloat16)).text.splitlines()[1:] == [
        "[1., 2., 6.]",
        "min 1, max 6, mean 3",
    ]


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.zeros(0, np.int32), ["array(shape=(0,), dtype=int32)", "no elements"]),
        (np.zeros((0, 4, 3), np.uint8), ["array(shape=(0, 4, 3), dtype=uint8)", "no elements"]),
        (np.float32(3), ["array(shape=(), dtype=float32)", "[3.]", "min 3, max 3, mean 3"]),
        (np.array(["a", "b"]), ["array(shape=(2,), dtype=<U1)", "['a', 'b']"]),
        (np.zeros((1, 1, 1, 1, 9)), ["array(shape=(1, 1, 1, 1, 9), dtype=float64)",
                                     "[0., 0., 0., 0., 0., 0., 0., 0., ...]", "min 0, max 0, mean 0"]),
        (np.float32([np.nan, np.nan]), ["array(shape=(2,), dtype=float32)", "[nan, nan]", "2 NaN"]),
        (np.array([True, False]), ["array(shape=(2,), dtype=bool)", "[ True, False]"]),
        (np.complex64([3 + 4j]), ["array(shape=(1,), dtype=complex64)", "[3.+4.j]", "of the absolute values:",
                                  "min 5, max 5, mean 5"]),
    ],
)  # fmt: skip
def test_other_arrays(array, words):
    preview = show(array)
    assert preview.text.splitlines() == words
    assert preview.png() is None


@pytest.mark.parametrize("options", [{"zoom": 2}, {"channel": "r"}, {"range": (0, 1)}, {"slice": 1}])
def test_options_of_pictures_are_refused_for_words(options):
    with pytest.raises(
        mtlpy_nb.ValidationError, match=rf"{next(iter(options))} is .* is no image: it is told in words"
    ):
        show(np.zeros(3), **options)


@given(st.data())
def test_no_array_makes_a_preview_fail(data):
    structure = np.dtype([("a", "f4"), ("b", "i4", (2,)), ("c", [("d", "?")])])
    dtypes = [*NUMBERS, np.complex64, np.bool_, structure, np.dtype("S3"), np.dtype("M8[s]")]
    array = data.draw(
        hnp.arrays(st.sampled_from(dtypes), hnp.array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=4))
    )
    preview = show(array)
    bundle, _ = preview._repr_mimebundle_()
    assert bundle["text/plain"]
    is_image = array.size and array.dtype.kind in "biufc" and 2 <= array.ndim <= 4
    assert (preview.png() is not None) == bool(is_image)
