# SPDX-License-Identifier: MIT
"""Pictures of arrays, decoded again and compared pixel for pixel with a slow reference."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from PIL import Image

from mtlpy_nb import ValidationError, show
from mtlpy_nb.notebook.colormaps import COLORMAPS, apply_colormap

from .preview_reference import Case, decoded

INTEGERS = [np.uint8, np.int8, np.uint16, np.int16, np.int32, np.uint32, np.int64, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]
SHAPES = st.one_of(
    hnp.array_shapes(min_dims=2, max_dims=2, max_side=24),
    st.tuples(st.integers(1, 12), st.integers(1, 12), st.integers(1, 4)),
)
SPECIAL = st.sampled_from([math.nan, math.inf, -math.inf])


@st.composite
def images(draw, dtypes=(*INTEGERS, *FLOATS, np.bool_, np.complex64)):
    """Images of moderate numbers, some of them NaN or infinite where the type has those."""
    dtype = np.dtype(draw(st.sampled_from(dtypes)))
    shape = draw(SHAPES)
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        low = draw(st.sampled_from([info.min, info.min // 2, 0]))
        high = draw(st.sampled_from([info.max, info.max // 3 + 1, 5]))
        return rng.integers(low, high, shape, dtype, endpoint=True)
    low, high = draw(st.sampled_from([(0, 1), (0, 0.25), (-3, 2), (0, 100), (1e-3, 2e-3)]))
    array = (low + (high - low) * rng.random(shape)).astype(dtype)
    for value in draw(st.lists(SPECIAL, max_size=3)):
        array[tuple(rng.integers(0, n) for n in shape)] = value
    if array.ndim == 3 and array.shape[2] == 4 and draw(st.booleans()):
        array[..., 3] = 1
    return array


LOOKS = st.fixed_dictionaries(
    {},
    optional={
        "range": st.sampled_from([(0, 1), (-1, 1), (0, 200), (0.25, 0.5)]),
        "exposure": st.sampled_from([-1.5, 1, 3]),
        "gamma": st.sampled_from([0.5, 2.2]),
        "tone": st.sampled_from(["reinhard", "aces"]),
        "channel": st.sampled_from("rgba"),
    },
)


@pytest.mark.filterwarnings("error")
@given(images())
def test_every_pixel_is_right(image):
    Case.of_array(image).check(decoded(show(image, zoom=1)))


@pytest.mark.filterwarnings("error")
@given(images(), LOOKS)
def test_every_pixel_is_right_with_options(image, look):
    channels = image.shape[2] if image.ndim == 3 else 1
    if "channel" in look and "rgba".index(look["channel"]) >= channels:
        with pytest.raises(ValidationError, match="channel is"):
            show(image, **look)
        return
    Case.of_array(image, **look).check(decoded(show(image, zoom=1, **look)))


@given(images(dtypes=FLOATS + INTEGERS), st.sampled_from([n for n in COLORMAPS if n != "gray"]), st.booleans())
def test_heat_maps_take_their_colours_from_the_map(image, name, is_ranged):
    image = image if image.ndim == 2 else image[..., 0]
    look = {"colormap": name, **({"range": (-1, 2)} if is_ranged else {})}
    case = Case.of_array(image, **look)
    pixels = decoded(show(image, zoom=1, **look))
    low, high = case.ends()
    for pixel, value in zip(pixels.reshape(-1, 3), image.ravel(), strict=True):
        if not math.isfinite(value):
            wanted = [(255, 0, 255)] if math.isnan(value) else [(255, 255, 255) if value > 0 else (0, 0, 255)]
        else:
            place = case.shown(float(value) if case.is_float else int(value), low, high) * 255
            wanted = [tuple(apply_colormap(np.array(round(place + e) / 255), name)) for e in (-1e-4, 1e-4)]
        assert tuple(pixel) in wanted


@given(images(dtypes=(np.uint8, np.float32, np.uint16)), st.integers(2, 6))
def test_reduced_pictures_are_means_of_whole_blocks(image, block):
    pixels = decoded(show(image, zoom=1 / block))
    if (1 / (1 / block)).is_integer():
        Case.of_array(image).check(pixels, block=(block, block))


@given(images(dtypes=(np.uint8, np.float32)), st.integers(1, 9))
def test_enlarged_pictures_have_hard_edges(image, zoom):
    Case.of_array(image).check(decoded(show(image, zoom=zoom)), enlarge=(zoom, zoom))


@given(images())
def test_the_text_tells_the_range_and_counts(image):
    case, preview = Case.of_array(image), show(image)
    words = preview.text.splitlines()
    assert words[0] == f"array(shape={image.shape}, dtype={image.dtype})"
    numbers = [v for row in case.rows for p in row for v in (*p[:3], *([] if case.alpha_of(p) is None else [p[3]]))]
    counts = {
        "NaN (magenta)": sum(math.isnan(v) for v in numbers),
        "+Inf (white)": sum(v == math.inf for v in numbers),
        "-Inf (blue)": sum(v == -math.inf for v in numbers),
    }
    for name, count in counts.items():
        assert (f"{count} {name}" in words) == (count > 0)
    low, high = case.ends()
    finite = [v for row in case.rows for p in row for v in p[:3] if math.isfinite(v)]
    is_scaled = case.natural is None and finite and not (case.is_float and (low, high) == (0, 1))
    said = (
        [f"all values are {finite[0]:.6g}" if min(finite) == max(finite) else f"shown from {low:.6g} to {high:.6g}"]
        if is_scaled
        else []
    )
    assert [w for w in words if w.startswith(("shown from", "all values"))] == said


@given(
    st.sampled_from([np.float16, np.float32, np.float64, np.int64, np.uint64, np.complex128]).flatmap(
        lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=2, max_dims=3, max_side=5))
    )
)
@pytest.mark.filterwarnings("error")
def test_no_number_is_too_large_or_too_small(image):
    """Any bits at all: the ends of each type, denormals, NaN of all kinds."""
    preview = show(image)
    assert preview.png() is None or decoded(preview).size


def test_other_kinds_of_arrays(rng):
    """A masked array, a list, and what gives its numbers by NumPy's, Python's and DLPack's protocols."""
    image = rng.integers(0, 256, (3, 4), np.uint8)

    class Wrapped:
        def __dlpack__(self, **options):
            return image.__dlpack__(**options)

        def __dlpack_device__(self):
            return image.__dlpack_device__()

    pixels = decoded(show(image, zoom=1))
    for x in (np.ma.masked_equal(image, image[0, 0]), Image.fromarray(image), memoryview(image), Wrapped()):
        np.testing.assert_array_equal(decoded(show(x, zoom=1)), pixels)
    np.testing.assert_array_equal(decoded(show([[0, 1], [3, 2]], zoom=1))[..., 0], [[0, 85], [255, 170]])


def test_clamped_and_never_wrapped():
    preview = show(np.array([[-1000, 0, 5, 10, 1000]], np.int16), range=(0, 10), zoom=1)
    np.testing.assert_array_equal(decoded(preview)[0, :, 0], [0, 0, 128, 255, 255])


def test_bfloat16_is_shown_as_its_numbers():
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    image = np.float32([[0, 0.5, 1], [0.25, np.nan, 1]])
    pixels = decoded(show(image.astype(bfloat16), zoom=1))
    np.testing.assert_array_equal(pixels, decoded(show(image, zoom=1)))


@pytest.mark.parametrize(
    "layout",
    [
        lambda a: a[::-1, ::-2],
        lambda a: a.transpose(1, 0, 2),
        lambda a: a.astype(a.dtype.newbyteorder()),
        lambda a: np.broadcast_to(a[:1], a.shape),
    ],
)
def test_arrays_of_any_layout(layout, rng):
    for dtype in (np.float32, np.uint16):
        array = layout((rng.random((6, 8, 3)) * 60000).astype(dtype))
        Case.of_array(array).check(decoded(show(array, zoom=1)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"range": (1, 1)}, r"range is \(1, 1\), must be two finite numbers, the smaller first"),
        ({"range": (0, np.inf)}, "range is"),
        ({"range": 3}, "range is 3"),
        ({"tone": "filmic"}, "tone is 'filmic', must be one of reinhard, aces or None"),
        ({"channel": "x"}, "channel is 'x', must be one of r, g, b, a"),
        ({"channel": "g"}, r"channel is 'g', but the image has 1 channel\(s\)"),
        ({"gamma": 0}, "gamma is 0"),
        ({"gamma": np.nan}, "gamma is nan"),
        ({"exposure": np.nan}, "exposure is nan"),
        ({"exposure": "x"}, "exposure is 'x', must be a number"),
        ({"zoom": 0}, "zoom is 0"),
        ({"zoom": 1000}, "zoom is 1000"),
        ({"colormap": "jet"}, "colormap is 'jet', must be one of gray, viridis, magma, inferno, turbo, bwr"),
        ({"colormap": 3}, "colormap is 3"),
        ({"level": 1}, "level is for a Texture"),
        ({"level": -1}, "level is -1"),
        ({"slice": 1}, "slice is 1"),
        ({"slice": True}, "slice is True"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(ValidationError, match=message):
        show(np.zeros((4, 4), np.float32), **options)


def test_options_may_be_numpy_s_numbers(rng):
    image = rng.random((3, 4, 5), dtype=np.float32)
    plain = show(image, range=(0, 2), exposure=1, gamma=2, zoom=2, slice=1)
    odd = show(image, range=np.array([0, 2]), exposure=np.int8(1), gamma="2", zoom=np.float32(2), slice=np.uint8(1))
    assert plain.png() == odd.png()
    assert plain.text == odd.text


def test_a_colour_map_wants_one_channel():
    with pytest.raises(ValidationError, match="colours one channel, but the image has 3; choose one with channel="):
        show(np.zeros((2, 2, 3)), colormap="turbo")
    assert show(np.zeros((2, 2, 3)), colormap="turbo", channel="b").png()


def test_a_zoom_that_takes_too_much_memory_is_refused():
    with pytest.raises(ValidationError, match="zoom makes a picture of 128000 x 128000 pixels, must be at most"):
        show(np.zeros((2000, 2000), np.uint8), zoom=64)


@pytest.mark.parametrize("x", [None, "text", {}, object()])
def test_what_has_no_values_is_refused(x):
    with pytest.raises(TypeError, match="show: expected an array, a Buffer or a Texture, got"):
        show(x)


@pytest.mark.parametrize(("zoom", "size"), [(1.5, (6, 9)), (2.25, (9, 14)), (0.75, (3, 4)), (0.3, (1, 2))])
def test_zoom_by_no_whole_number(rng, zoom, size):
    image = rng.integers(100, 120, (4, 6, 3), np.uint8)
    pixels = decoded(show(image, zoom=zoom))
    assert pixels.shape == (*size, 3)
    assert pixels.min() >= image.min()
    assert pixels.max() <= image.max()
    assert abs(pixels.mean() - image.mean()) < 2
