# SPDX-License-Identifier: MIT
"""Pictures drawn with `render` and `draw`: what lands where, what is refused, and how the messages read."""

import threading

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb import ArgumentError, PipelineError, ValidationError, draw, output, render
from mtlpy_nb.profile import profiling

SOURCE = """
#include <metal_stdlib>
using namespace metal;
struct Corner { float4 position [[position]]; float4 colour; };

// A triangle that covers the left half's lower part: (-1, -1), (1, -1), (-1, 1).
vertex Corner numbered(uint i [[vertex_id]]) {
    return {float4(i == 1 ? 1 : -1, i == 2 ? 1 : -1, 0.25, 1), float4(1, 0.5, 0, 1)};
}
vertex Corner pulled(uint i [[vertex_id]], constant float2* places, constant float& z) {
    return {float4(places[i], z, 1), float4(1)};
}
struct Vertex { float4 place [[attribute(0)]]; float4 colour [[attribute(1)]]; };
vertex Corner fetched(Vertex in [[stage_in]], constant float2& shift) {
    return {in.place + float4(shift, 0, 0), in.colour};
}
struct Copy { float2 place [[attribute(0)]]; float2 at [[attribute(3)]]; float3 tint [[attribute(7)]]; };
vertex Corner copied(Copy in [[stage_in]]) { return {float4(in.place + in.at, 0, 1), float4(in.tint, 1)}; }
struct Kinds { uint4 kind [[attribute(0)]]; };
vertex Corner kinds(Kinds in [[stage_in]], uint i [[vertex_id]]) {
    return {float4(i == 1 ? 3 : -1, i == 2 ? 3 : -1, 0, 1), float4(in.kind) / 255};
}
struct Clash { float2 size [[attribute(0)]]; };
vertex Corner clashing(Clash in [[stage_in]]) { return {float4(in.size, 0, 1), 1}; }
vertex Corner busy(Vertex in [[stage_in]], constant float& a [[buffer(30)]], constant float& b [[buffer(29)]]) {
    return {in.place, in.colour * a * b};
}

fragment float4 plain(Corner in [[stage_in]]) { return in.colour; }
fragment float4 tinted(Corner in [[stage_in]], constant float3& tint) { return in.colour * float4(tint, 1); }
fragment float4 half_seen(Corner in [[stage_in]], constant float4& colour) { return colour; }
fragment float4 textured(Corner in [[stage_in]], texture2d<float> picture, sampler how) {
    return picture.sample(how, in.position.xy / 8);
}
fragment float4 counting(Corner in [[stage_in]], device atomic_uint* count) {
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    return 1;
}
fragment float4 sized(Corner in [[stage_in]], constant float& size) { return size; }
struct Other { float4 position [[position]]; float3 normal; };
fragment float4 lit(Other in [[stage_in]]) { return float4(in.normal, 1); }
constant int shade_number [[function_constant(0)]];
fragment float4 constant_shade(Corner in [[stage_in]]) { return shade_number / 255.0f; }
fragment float4 shadow(Corner in [[stage_in]], depth2d<float> depths) { return depths.read(uint2(in.position.xy)); }
kernel void twice(texture2d<float, access::read> x, texture2d<float, access::write> y,
                  uint2 p [[thread_position_in_grid]]) { y.write(2 * x.read(p), p); }
"""
WHOLE = np.float32([[-1, -1], [3, -1], [-1, 3]])


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


@pytest.fixture(scope="module")
def library(device):
    return device.library(SOURCE)


@pytest.fixture
def corners():
    made = np.zeros(3, [("colour", np.uint8, 4), ("place", np.float32, 2)])
    made["place"] = WHOLE
    made["colour"] = [255, 0, 51, 255]
    return made


def whole(library, z=0.5, fragment="half_seen", **more):
    """A draw that covers everything."""
    return draw(library["pulled"], library[fragment], vertices=3, places=WHOLE, z=z, **more)


# ---- where it lands ----


def test_a_triangle_lands_where_metal_puts_it(library):
    picture = render(library["numbered"], library["plain"], size=(8, 4), vertices=3)
    assert picture.shape == (4, 8, 4)
    assert picture.pixel_format == "rgba8Unorm"
    pixels = picture.numpy()
    assert pixels[-1, 0].tolist() == [255, 128, 0, 255]  # lower left
    assert pixels[0, -1].tolist() == [0, 0, 0, 255]  # upper right: cleared
    # A pixel's middle is inside where x/8 < y/4, counted from the top.
    y, x = np.mgrid[:4, :8]
    assert ((pixels[..., 0] == 255) == ((x + 0.5) / 8 < (y + 0.5) / 4)).all()


def test_clear_is_red_green_blue_and_perhaps_alpha(library):
    def corner(clear):
        return render(library["numbered"], library["plain"], size=4, vertices=3, clear=clear).numpy()[0, -1].tolist()

    assert corner((0, 1, 0.2)) == [0, 255, 51, 255]
    assert corner(np.float32([1, 0, 0, 0])) == [255, 0, 0, 0]


def test_samples_smooth_the_edge(library):
    coverage = {
        n: render(library["numbered"], library["plain"], size=8, vertices=3, samples=n).numpy()[..., 0] / 255
        for n in (1, 4)
    }
    assert set(np.unique(coverage[1])) == {0, 1}
    assert {0.5, 0.25, 0.75} & set(np.unique(coverage[4]).round(2))
    assert coverage[4].mean() == pytest.approx(0.5, abs=0.03)


def test_depth_lets_what_is_nearer_hide_what_is_farther(library):
    near, far = whole(library, 0.2, colour=(1, 0, 0, 1)), whole(library, 0.8, colour=(0, 1, 0, 1))
    assert render(near, far, size=2, depth=True).numpy()[0, 0].tolist() == [255, 0, 0, 255]
    assert render(near, far, size=2).numpy()[0, 0].tolist() == [0, 255, 0, 255]
    assert render(near, far, size=2, depth=True, samples=4).numpy()[0, 0].tolist() == [255, 0, 0, 255]


def test_depth_is_compared_and_written_as_said(library):
    near = whole(library, 0.2, colour=(1, 0, 0, 1), depth_write=False)
    far = whole(library, 0.8, colour=(0, 1, 0, 1))
    same = whole(library, 0.8, colour=(0, 0, 1, 1), depth_compare="less_equal")
    assert render(near, far, size=1, depth=True).numpy()[0, 0].tolist() == [0, 255, 0, 255]
    assert render(far, same, size=1, depth=True).numpy()[0, 0].tolist() == [0, 0, 255, 255]
    assert render(same, far, size=1, depth=True).numpy()[0, 0].tolist() == [0, 0, 255, 255]


@pytest.mark.parametrize(
    ("blend", "expected"),
    [
        (None, [0, 255, 0, 102]),
        ("alpha", [153, 102, 0, 255]),
        ("premultiplied", [153, 255, 0, 255]),
        ("add", [255, 255, 0, 255]),
        ("multiply", [0, 0, 0, 102]),
    ],
)
def test_blending(library, blend, expected):
    over = whole(library, colour=(0, 1, 0, 0.4), blend=blend)
    assert render(whole(library, colour=(1, 0, 0, 1)), over, size=1).numpy()[0, 0].tolist() == expected


def test_culling_knows_the_front_by_the_winding(library):
    def is_drawn(**options):
        picture = render(library["numbered"], library["plain"], size=4, vertices=3, **options)
        return bool(picture.numpy()[..., 0].any())

    assert is_drawn()
    # Its corners go round counter-clockwise.
    assert not is_drawn(cull="back")
    assert is_drawn(cull="front")
    assert is_drawn(cull="back", winding="counter_clockwise")
    assert not is_drawn(cull="front", winding="counter_clockwise")


def test_a_draw_leaves_no_state_to_the_next(library):
    hidden = draw(library["numbered"], library["plain"], vertices=3, cull="back", fill="lines")
    assert render(hidden, whole(library, colour=(0, 0, 1, 1)), size=2).numpy()[0, 0].tolist() == [0, 0, 255, 255]


def drawn(library, primitive):
    """Pixels of a 4 x 4 picture that the middles of its four corner pixels, in the order of a Z, become."""
    corners = np.float32([[-0.75, 0.75], [0.75, 0.75], [-0.75, -0.75], [0.75, -0.75]])
    picture = render(library["pulled"], library["plain"], size=4, vertices=4, places=corners, z=0, primitive=primitive)
    return picture.numpy()[..., 0] > 0


def test_primitives(library):
    corners = [(0, 0), (0, 3), (3, 0), (3, 3)]
    assert sorted(map(tuple, np.argwhere(drawn(library, "point")).tolist())) == corners
    line, strip = drawn(library, "line"), drawn(library, "line_strip")
    assert line[[0, 3], :3].all()  # the first and the last row, but perhaps their ends
    assert not line[1:3].any()
    assert strip[1, 2]
    assert strip[2, 1]
    one, both = drawn(library, "triangle"), drawn(library, "triangle_strip")
    assert one[1, 1]
    assert not one[2, 2]
    assert both[1, 1]
    assert both[2, 2]


def test_lines_outline_triangles(library):
    inside = [
        render(library["numbered"], library["plain"], size=16, vertices=3, fill=fill).numpy()[12, 3, 0]
        for fill in ("fill", "lines")
    ]
    assert inside == [255, 0]


def test_other_pixel_formats(library):
    made = render(library["numbered"], library["plain"], size=2, vertices=3, pixel_format="rgba32Float")
    assert made.numpy()[-1, 0].tolist() == [1, 0.5, 0, 1]
    bytes_ = render(library["numbered"], library["plain"], size=2, vertices=3, pixel_format="bgra8Unorm")
    assert bytes_.numpy()[-1, 0].tolist() == [0, 128, 255, 255]


# ---- vertices ----


def test_vertices_are_records_whose_fields_are_attributes(library, corners):
    expected = [255, 0, 51, 255]
    options = {"size": 2, "shift": (0, 0)}
    assert render(library["fetched"], library["plain"], vertices=corners, **options).numpy()[0, 0].tolist() == expected
    buffer = library.device.buffer(corners)
    assert render(library["fetched"], library["plain"], vertices=buffer, **options).numpy()[0, 0].tolist() == expected


def test_fields_may_lie_anywhere_and_in_any_byte_order(library):
    packed = np.zeros(3, [("odd", np.uint8), ("place", ">f4", 2), ("more", np.int64), ("colour", ">u2", 4)])
    packed["place"], packed["colour"] = WHOLE, [65535, 0, 13107, 65535]
    picture = render(library["fetched"], library["plain"], size=2, vertices=packed, shift=(0, 0))
    assert picture.numpy()[0, 0].tolist() == [255, 0, 51, 255]
    strided = np.zeros(6, packed.dtype)[::2]
    strided[:] = packed
    picture = render(library["fetched"], library["plain"], size=2, vertices=strided, shift=(0, 0))
    assert picture.numpy()[0, 0].tolist() == [255, 0, 51, 255]


def test_fields_may_be_taken_in_any_order_and_others_may_be_anything(library, corners):
    expected = [255, 0, 51, 255]
    options = {"size": 2, "shift": (0, 0)}
    turned = corners[["place", "colour"]]
    assert render(library["fetched"], library["plain"], vertices=turned, **options).numpy()[0, 0].tolist() == expected
    named = np.zeros(3, [*corners.dtype.descr, ("name", object), ("made", "M8[s]")])
    for field in corners.dtype.names:
        named[field] = corners[field]
    assert render(library["fetched"], library["plain"], vertices=named, **options).numpy()[0, 0].tolist() == expected


def test_attributes_go_by_name(library):
    options = {"size": 2, "shift": (0, 0), "place": WHOLE}
    one = render(library["fetched"], library["plain"], colour=(0, 1, 0, 1), **options)
    assert one.numpy()[0, 0].tolist() == [0, 255, 0, 255]
    each = np.uint8([[0, 255, 0], [0, 255, 0], [0, 255, 0]])  # the fourth is then 1
    assert render(library["fetched"], library["plain"], colour=each, **options).numpy()[0, 0].tolist() == [
        0,
        255,
        0,
        255,
    ]
    half = np.float16([[0, 1, 0, 1]] * 3)
    assert render(library["fetched"], library["plain"], colour=half, **options).numpy()[0, 0].tolist() == [
        0,
        255,
        0,
        255,
    ]
    buffer = library.device.buffer(half)
    picture = render(library["fetched"], library["plain"], colour=buffer, **options)
    assert picture.numpy()[0, 0].tolist() == [0, 255, 0, 255]


def test_what_is_given_by_name_goes_before_a_field(library, corners):
    picture = render(library["fetched"], library["plain"], size=2, vertices=corners, shift=(0, 0), colour=(0, 0, 1, 1))
    assert picture.numpy()[0, 0].tolist() == [0, 0, 255, 255]


def test_integers_for_integers_are_as_they_are(library):
    kind = np.uint8([[7, 0, 200, 255]] * 3)
    assert render(library["kinds"], library["plain"], size=2, kind=kind).numpy()[0, 0].tolist() == [7, 0, 200, 255]


def test_instances_are_records_too(library):
    copies = np.zeros(2, [("at", np.float32, 2), ("tint", np.float32, 3)])
    copies["at"], copies["tint"] = [[-1, -1], [0, 0]], [[1, 0, 0], [0, 1, 0]]
    square = np.float32([[0, 0], [1, 0], [0, 1], [1, 1]])
    picture = render(
        library["copied"], library["plain"], size=4, place=square, instances=copies, primitive="triangle_strip"
    ).numpy()
    assert picture[3, 0].tolist() == [255, 0, 0, 255]
    assert picture[0, 3].tolist() == [0, 255, 0, 255]
    assert picture[0, 0].tolist() == [0, 0, 0, 255]


@pytest.mark.parametrize("kind", [list, np.uint16, np.int64, np.uint32])
def test_indices_name_vertices(library, kind):
    places = np.float32([[-1, -1], [1, -1], [-1, 1], [1, 1]])
    faces = [[0, 1, 2], [2, 1, 3]]
    indices = faces if kind is list else np.array(faces, kind)
    picture = render(
        library["fetched"], library["plain"], size=4, place=places, colour=(1, 1, 1, 1), shift=(0, 0), indices=indices
    )
    assert (picture.numpy() == 255).all()
    if kind in (np.uint16, np.uint32):
        buffer = library.device.buffer(np.append(kind([0, 0, 0]), indices.ravel()).astype(kind))[3:]
        picture = render(library["pulled"], library["plain"], size=4, places=places, z=0, vertices=4, indices=buffer)
        assert (picture.numpy() == 255).all()


def test_buffers_that_the_function_uses_are_left_to_it(library, corners):
    picture = render(library["busy"], library["plain"], size=2, vertices=corners, a=0.5, b=0.5)
    assert picture.numpy()[0, 0].tolist() == [64, 0, 13, 64]


def test_a_large_array_and_many_vertices(library):
    count = 3000
    places = np.tile(WHOLE, (count // 3, 1))
    picture = render(library["pulled"], library["plain"], size=2, vertices=count, places=places, z=0)
    assert (picture.numpy() == 255).all()


# ---- arguments ----


def test_textures_and_samplers(library):
    photo = np.zeros((8, 8, 4), np.uint8)
    photo[2, 5] = 200
    nearest = library.device.sampler(linear=False)
    picture = render(library["pulled"], library["textured"], size=8, vertices=3, places=WHOLE, z=0,
                     picture=photo, how=nearest)  # fmt: skip
    assert np.array_equal(picture.numpy(), photo)


def test_a_picture_is_an_argument_of_the_next(library):
    first = render(library["numbered"], library["plain"], size=8, vertices=3)
    nearest = library.device.sampler(linear=False)
    again = render(whole(library, fragment="textured", picture=first, how=nearest), size=8)
    assert np.array_equal(again.numpy(), first.numpy())
    doubled = library["twice"](first, output.like(first))
    assert doubled.numpy()[-1, 0].tolist() == [255, 255, 0, 255]


def test_what_functions_write_comes_back(library):
    count = np.zeros(1, np.uint32)
    render(whole(library, fragment="counting", count=count), size=(5, 7))
    assert count[0] == 35


def test_what_several_draws_write_comes_back(library):
    count = np.zeros(1, np.uint32)
    one = whole(library, fragment="counting", count=count)
    render(one, whole(library, 0.2, fragment="counting", count=count), one, size=4)
    assert count[0] == 48


def test_depths_alone(library):
    depths = render(library["numbered"], size=4, vertices=3, pixel_format="depth32Float")
    assert depths.pixel_format == "depth32Float"
    assert depths.numpy()[-1, 0] == 0.25
    assert depths.numpy()[0, -1] == 1
    seen = render(whole(library, fragment="shadow", depths=depths), size=4, pixel_format="rgba32Float").numpy()
    assert np.array_equal(seen[..., 0], depths.numpy())
    nearest = draw(library["numbered"], vertices=3, depth_compare="greater")
    assert render(nearest, size=4, pixel_format="depth32Float", clear=0).numpy()[-1, 0] == 0.25


def test_function_constants(library):
    with pytest.raises(ValidationError, match=r"constant_shade needs a value for its function constant shade_number"):
        render(library["numbered"], library["constant_shade"], size=2, vertices=3)
    shade = library["constant_shade"].specialize(shade_number=51)
    assert render(library["numbered"], shade, size=2, vertices=3).numpy()[-1, 0].tolist() == [51] * 4
    with pytest.raises(ValidationError, match="has no function constant 'shade_numbr'; did you mean 'shade_number'"):
        library["constant_shade"].specialize(shade_numbr=1)
    assert library["constant_shade"].device is library.device
    same = library.device.library(SOURCE, constants={"shade_number": 102})
    assert render(same["numbered"], same["constant_shade"], size=2, vertices=3).numpy()[-1, 0].tolist() == [102] * 4


def test_wait_false_gives_a_handle(library):
    count = np.zeros(1, np.uint32)
    handle = render(whole(library, fragment="counting", count=count), size=4, wait=False)
    assert handle.wait().shape == (4, 4, 4)
    assert count[0] == 16


def test_arrays_are_read_when_it_is_drawn(library, corners):
    one = draw(library["fetched"], library["plain"], vertices=corners, shift=(0, 0))
    before = render(one, size=1).numpy()[0, 0].tolist()
    corners["colour"] = [0, 0, 255, 255]
    assert (before, render(one, size=1).numpy()[0, 0].tolist()) == ([255, 0, 51, 255], [0, 0, 255, 255])


def test_arrays_that_must_be_laid_out_anew_are_read_then_too(library):
    packed = np.zeros(3, [("place", ">f4", 2), ("colour", np.uint8, 3)])
    packed["place"], colours, colour = WHOLE, np.zeros((3, 3), np.uint8), np.zeros(4, np.float32)
    options = {"shift": (0, 0)}
    draws = [
        draw(library["fetched"], library["plain"], vertices=packed, **options),
        draw(library["fetched"], library["plain"], place=WHOLE, colour=colours, **options),
        draw(library["fetched"], library["plain"], place=WHOLE, colour=colour, **options),
    ]
    packed["colour"] = colours[:] = [0, 255, 0]
    colour[:] = [0, 1, 0, 1]
    assert [render(one, size=1).numpy()[0, 0].tolist() for one in draws] == [[0, 255, 0, 255]] * 3


def test_a_draw_equals_itself_alone(library):
    one, other = whole(library), whole(library)
    assert len({one, other, one}) == 2
    assert one != other


def test_a_pipeline_is_made_once(library, monkeypatch):
    from mtlpy_nb import _draw_pipelines

    made = []
    make = _draw_pipelines._make
    monkeypatch.setattr(_draw_pipelines, "_make", lambda *arguments: made.append(1) or make(*arguments))
    vertex, fragment = library["numbered"].specialize(), library["tinted"].specialize()
    for tint in ((1, 0, 0), (0, 1, 0)):
        render(vertex, fragment, size=2, vertices=3, tint=tint)
    assert len(made) == 1
    render(vertex, fragment, size=2, vertices=3, tint=(1, 1, 1), samples=4)
    assert len(made) == 2


def test_from_several_threads(library):
    pictures = [None] * 4

    def work(i):
        pictures[i] = render(whole(library, colour=(i / 4, 0, 0, 1)), size=16).numpy()[0, 0, 0]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert pictures == [0, 64, 128, 191]


# ---- what others see of it ----


def test_profiles_count_it(library):
    with profiling() as profile:
        for _ in range(2):
            render(whole(library, colour=(1, 1, 1, 1)), size=(8, 4))
    row = profile["pulled and half_seen"]
    assert (row.calls, row.threads) == (2, 2 * 8 * 4)


def test_captures_show_its_draws_and_names(tmp_path):
    device = mtlpy_nb.Device(cache_path=False)
    library = device.library(SOURCE)
    with device.start_capture(tmp_path / "drawn.metalcapture"):
        render(whole(library, colour=(1, 0, 0, 1)), whole(library, colour=(0, 1, 0, 1)), size=4, samples=4)
    (command,) = mtlpy_nb.capture.load(tmp_path / "drawn.metalcapture").commands
    text = str(command)
    assert "2 draws" in text
    assert "'pulled and half_seen x 2'" in text
    assert text.count("pulled and half_seen: triangle, 3 vertices") == 2


# ---- what is refused ----


def refused(kind, text, call):
    with pytest.raises(kind) as caught:
        call()
    assert text in str(caught.value)


def test_functions_that_do_not_fit(library, device):
    numbered, plain = library["numbered"], library["plain"]
    refused(ValidationError, "plain is a fragment function, expected a vertex function", lambda: draw(plain, numbered))
    refused(ArgumentError, "twice is a kernel, which is called", lambda: draw(library["twice"], plain))
    refused(ArgumentError, "vertex must be a vertex function of Metal's, got the text 'numbered'",
            lambda: render("numbered", plain, size=2))  # fmt: skip
    refused(ArgumentError, "is drawn without a fragment function", lambda: render(numbered, size=2, vertices=3))
    refused(ArgumentError, "several of each are draw", lambda: render(numbered, plain, plain, size=2))
    refused(PipelineError, "normal", lambda: render(numbered, library["lit"], size=2, vertices=3))
    other = mtlpy_nb.Device(cache_path=False).library(SOURCE)
    refused(ValidationError, "functions of different Devices", lambda: draw(numbered, other["plain"], vertices=3))
    refused(ValidationError, "is of another Device than", lambda: render(whole(library, colour=(1, 1, 1, 1)),
            whole(other, colour=(1, 1, 1, 1)), size=2))  # fmt: skip
    one = whole(library, colour=(1, 1, 1, 1))
    refused(ArgumentError, "must be what draw(...) makes", lambda: render(one, plain, size=2))
    refused(ArgumentError, "colour belongs to one of the draws", lambda: render(one, size=2, colour=(1, 1, 1, 1)))
    refused(ValidationError, "draw with it: render(numbered, a fragment function", numbered)
    refused(ValidationError, "draw with it: render(a vertex function, plain", plain)


def test_arguments_that_do_not_fit(library):
    numbered, tinted = library["numbered"], library["tinted"]

    def call(**arguments):
        return lambda: render(numbered, tinted, size=2, vertices=3, **arguments)

    refused(ArgumentError, "tinted: tint is missing\n\n    tinted(\n-->     constant float3& tint\n    )\n\n"
            "    add tint=(0, 0, 0), or another float3", call())  # fmt: skip
    refused(ArgumentError, "tinted: tint is float3, got the int 1", call(tint=1))
    refused(ArgumentError, "no argument is called 'tnt'; did you mean 'tint'?", call(tnt=(1, 1, 1)))
    refused(ArgumentError, "no argument is called 'sample'; did you mean 'samples'?", call(tint=(1, 1, 1), sample=4))
    refused(
        ArgumentError, "got an output", lambda: render(whole(library, fragment="counting", count=output(1)), size=2)
    )
    refused(ValidationError, "sized: an argument is called size, as an option of draw or render is",
            lambda: render(numbered, library["sized"], size=2, vertices=3))  # fmt: skip
    refused(ValidationError, "clashing: an attribute is called size", lambda: draw(library["clashing"], vertices=3))


def test_vertices_that_do_not_fit(library, corners, device):
    fetched, plain = library["fetched"], library["plain"]

    def call(**arguments):
        return lambda: draw(fetched, plain, shift=(0, 0), **{"colour": (1, 1, 1, 1), **arguments})

    refused(ArgumentError, "fetched: place is missing, the float4 of each vertex\n\n    fetched(\n"
            "-->     float4 place,\n        float4 colour\n    )\n\n    add place=..., an array by name, or a field",
            call())  # fmt: skip
    refused(
        ArgumentError, "place is float4 of each vertex, got an array of dtype float64", call(place=np.zeros((3, 4)))
    )
    refused(ArgumentError, "so the array's shape is (vertices, 4)",
            call(place=np.zeros((3, 5), np.float32)))  # fmt: skip
    refused(ArgumentError, "place has no elements", call(place=np.zeros((0, 4), np.float32)))
    refused(ArgumentError, "place is needed, got None", call(place=None))
    refused(ArgumentError, "without fields, which does not say which attribute it is for\n\n"
            "    pass it by the attribute's name, place=..., or make fields: [('place', np.float32, 4), ...]",
            call(vertices=WHOLE))  # fmt: skip
    refused(ArgumentError, "the function has no attributes: vertices is a number, and the array goes by an argument's",
            lambda: draw(library["pulled"], library["plain"], vertices=WHOLE))  # fmt: skip
    refused(ArgumentError, "draw: vertices is the text 'x'", call(vertices="x"))
    refused(ArgumentError, "has shape (1, 3)", call(vertices=corners[None]))
    refused(ArgumentError, "has a field place of 2 x float64, the function takes float4\n\n"
            "    make the field ('place', np.float32, 4)",
            call(vertices=np.zeros(3, [("place", np.float64, 2)])))  # fmt: skip
    refused(ValidationError, "vertices is 0, must be 1 to", call(vertices=0))
    refused(ValidationError, "draws 4 vertices, but place has elements for 3", call(vertices=4, place=WHOLE))
    refused(ValidationError, "has no array that tells the number of vertices",
            lambda: draw(library["numbered"], plain))  # fmt: skip
    other = mtlpy_nb.Device(cache_path=False).buffer(corners)
    refused(ArgumentError, "is a Buffer of another Device", call(vertices=other))
    packed = device.buffer(np.zeros(3, [("odd", np.uint8), ("place", np.float32, 2)]))
    refused(ArgumentError, "no multiples of 4 bytes", call(vertices=packed))


def test_indices_that_do_not_fit(library):
    def call(indices, **options):
        return lambda: draw(library["fetched"], library["plain"], place=WHOLE, colour=(1, 1, 1, 1), shift=(0, 0),
                            indices=indices, **options)  # fmt: skip

    refused(ValidationError, "indices holds 3, but there are 3 vertices, from 0", call([0, 1, 3]))
    refused(ValidationError, "indices holds -1, which is negative", call([0, 1, -1]))
    refused(ValidationError, "indices has no elements", call(np.zeros(0, np.uint16)))
    refused(ArgumentError, "must be an array of whole numbers", call(WHOLE))
    refused(ArgumentError, "must be an array of whole numbers, got the text 'x'", call("x"))
    refused(
        ArgumentError, "must be an array of whole numbers, got the list [[0, 1, 2], [1, 2]]", call([[0, 1, 2], [1, 2]])
    )
    refused(ArgumentError, "must be uint16 or uint32", call(library.device.buffer(WHOLE)))
    refused(ValidationError, "indices holds 65535", call(np.uint16([0, 1, 2, 65535])))
    call(np.uint16([0, 1, 2, 65535]), primitive="triangle_strip")()  # ends the strip


@pytest.mark.parametrize(
    ("options", "kind", "text"),
    [
        ({"size": (1, 2, 3)}, ValidationError, "size is (1, 2, 3), must be a width and a height"),
        ({"size": 0}, ValidationError, "width is 0, must be 1 to 16384"),
        ({"size": (4, 20000)}, ValidationError, "height is 20000"),
        ({"size": "big"}, ArgumentError, "size must be a sequence of ints"),
        ({"samples": 3}, ValidationError, "samples is 3, must be one of 1, 2, 4"),
        ({"samples": 16}, ValidationError, "samples is 16"),
        ({"samples": 4, "pixel_format": "depth32Float"}, ValidationError, "depths are not mixed"),
        ({"pixel_format": "stencil8"}, ValidationError, "only depths and colours"),
        ({"pixel_format": "rgba8"}, ValidationError, "Unknown pixel format"),
        ({"pixel_format": 3}, ArgumentError, "pixel_format must be a str"),
        ({"clear": 1}, ArgumentError, "clear is a colour, (red, green, blue), got the int 1"),
        ({"clear": (1, 2)}, ValidationError, "clear has 2 numbers"),
        ({"clear": (1, float("nan"), 0)}, ValidationError, "clear holds nan, must be finite"),
        ({"clear": "red"}, ArgumentError, "clear is a colour"),
        ({"clear": (1, "x", 0)}, ArgumentError, "clear holds the text 'x'"),
        ({"clear": np.array(["1", "0", "0"])}, ArgumentError, "clear holds"),
        ({"clear": np.zeros(3, [("red", np.float32)])}, ArgumentError, "clear holds"),
        ({"depth_write": np.zeros(2)}, ArgumentError, "depth_write must be True or False"),
        ({"depth_write": "no"}, ArgumentError, "depth_write must be True or False, got str"),
        ({"depth": "no"}, ArgumentError, "depth must be True or False"),
        ({"depth": "no", "pixel_format": "depth32Float"}, ArgumentError, "depth must be True or False"),
        ({"wait": [1, 2]}, ArgumentError, "wait must be True or False"),
        ({"clear": 2, "pixel_format": "depth32Float"}, ValidationError, "a depth must be 0 to 1"),
        ({"primitive": "quad"}, ValidationError, "primitive is 'quad', must be one of point, line, line_strip"),
        ({"primitive": 3}, ArgumentError, "primitive must be one of"),
        ({"cull": "both"}, ValidationError, "cull is 'both', must be one of front, back"),
        ({"winding": "left"}, ValidationError, "winding is 'left'"),
        ({"fill": "dots"}, ValidationError, "fill is 'dots'"),
        ({"blend": "screen"}, ValidationError, "blend is 'screen'"),
        ({"blend": "add", "pixel_format": "depth32Float"}, ValidationError, "is blended, which depths are not"),
        ({"depth_compare": "nearer"}, ValidationError, "depth_compare is 'nearer'"),
        ({"instances": 0}, ValidationError, "instances is 0"),
    ],
)
def test_options_that_do_not_fit(library, options, kind, text):
    refused(kind, text, lambda: render(library["numbered"], library["plain"], **{"size": 2, "vertices": 3, **options}))


def test_a_refused_call_changes_nothing(library):
    count = np.zeros(1, np.uint32)
    good = whole(library, fragment="counting", count=count)
    refused(ArgumentError, "colour is missing", lambda: render(good, whole(library), size=2))
    assert count[0] == 0
    assert render(good, size=2).shape == (2, 2, 4)
