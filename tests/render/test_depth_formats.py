# SPDX-License-Identifier: MIT
"""Every format of depths and stencils: what passes store, keep and resolve, and what blits copy of it."""

import numpy as np
import pytest

import mtlpy_nb.metal as pm

from .painting import read

WIDTH, HEIGHT = 13, 6
SOURCE = """
#include <metal_stdlib>
using namespace metal;

// Depths of chosen samples.
struct Deep {
    float depth [[depth(any)]];
    uint samples [[sample_mask]];
};
fragment Deep deepen(float4 position [[position]], constant float* depths [[buffer(0)]],
                     constant uint& width [[buffer(1)]], constant uint& samples [[buffer(2)]])
{
    return {depths[uint(position.y) * width + uint(position.x)], samples};
}
"""
# Of a texel: its type, where its depth and its stencil begin (bits), and how many the depth has.
LAYOUTS = {
    "Depth16Unorm": (np.uint16, 0, None, 16),
    "Depth32Float": (np.uint32, 0, None, 32),
    "Stencil8": (np.uint8, None, 0, 0),
    "Depth24Unorm_Stencil8": (np.uint32, 0, 24, 24),
    "Depth32Float_Stencil8": (np.uint64, 0, 32, 32),
}
DEPTHS = [name for name, layout in LAYOUTS.items() if layout[1] is not None]
STENCILS = [name for name, layout in LAYOUTS.items() if layout[2] is not None]
BOTH = [name for name in DEPTHS if name in STENCILS]


def stored_depths(name, depths):
    """Depths as the format has them."""
    bits = LAYOUTS[name][3]
    if bits == 32:
        return depths.astype(np.float32).view(np.uint32)
    return np.rint(depths.astype(np.float64) * (2**bits - 1)).astype(np.uint32)


def parts(name, texels):
    """The depths, as they are stored, and the stencils of texels."""
    _, depth, stencil, bits = LAYOUTS[name]
    texels = texels[..., 0].astype(np.uint64)
    depths = None if depth is None else texels & np.uint64(2**bits - 1)
    return depths, None if stencil is None else texels >> np.uint64(stencil) & np.uint64(255)


@pytest.fixture(scope="module")
def deepening(painter):
    """Make pipelines that draw depths and stencils: `deepening(name, samples)`."""
    fragment, made = painter.device.new_library_with_source(SOURCE).new_function("deepen"), {}

    def pipeline(name, samples=1):
        if (name, samples) not in made:
            descriptor = pm.RenderPipelineDescriptor()
            descriptor.vertex_function, descriptor.fragment_function = painter.function("cover"), fragment
            descriptor.input_primitive_topology = pm.PrimitiveTopologyClass.Triangle
            descriptor.raster_sample_count = samples
            if name in DEPTHS:
                descriptor.depth_attachment_pixel_format = pm.PixelFormat[name]
            if name in STENCILS:
                descriptor.stencil_attachment_pixel_format = pm.PixelFormat[name]
            made[name, samples] = painter.device.new_render_pipeline_state(descriptor)
        return made[name, samples]

    return pipeline


@pytest.fixture(scope="module")
def writing(painter):
    """Make states that write each depth that is less, and the reference as its stencil: `writing(name)`."""

    def state(name):
        descriptor = pm.DepthStencilDescriptor()
        if name in DEPTHS:
            descriptor.depth_compare_function = pm.CompareFunction.Less
            descriptor.depth_write_enabled = True
        if name in STENCILS:
            face = pm.StencilDescriptor()
            face.depth_stencil_pass_operation = pm.StencilOperation.Replace
            descriptor.front_face_stencil = descriptor.back_face_stencil = face
        return painter.device.new_depth_stencil_state(descriptor)

    return state


def attach(painter, name, texture, **actions):
    """A pass on a texture's depths, stencils or both."""
    return painter.pass_on(
        depth=texture if name in DEPTHS else None, stencil=texture if name in STENCILS else None, **actions
    )


def deepen(painter, encoder, pipeline, state, depths, *, stencil=0, samples=0xFF):
    encoder.set_depth_stencil_state(state)
    encoder.set_stencil_reference_value(stencil)
    encoder.set_fragment_bytes(np.uint32(samples).tobytes(), 2)
    painter.cover(encoder, pipeline, depths)


def some_depths(seed):
    return np.random.default_rng(seed).random((HEIGHT, WIDTH), np.float32)


@pytest.mark.parametrize("name", LAYOUTS)
def test_what_is_drawn_is_stored_and_loaded_again(painter, deepening, writing, name):
    texture = painter.texture(pm.PixelFormat[name], WIDTH, HEIGHT)
    first, second = some_depths(1), some_depths(2)
    clear = attach(painter, name, texture, load=pm.LoadAction.Clear)
    clear.depth_attachment.clear_depth = 0.75
    clear.stencil_attachment.clear_stencil = 0x111  # of which a stencil has 8 bits
    painter.run(clear, lambda encoder: deepen(painter, encoder, deepening(name), writing(name), first, stencil=0x2A5))
    again = attach(painter, name, texture)
    painter.run(again, lambda encoder: deepen(painter, encoder, deepening(name), writing(name), second, stencil=7))
    stored, stencils = stored_depths("Depth32Float" if name == "Stencil8" else name, np.full_like(first, 0.75)), 0x11
    for depths, reference in (first, 0xA5), (second, 7):
        fresh = stored_depths("Depth32Float" if name == "Stencil8" else name, depths)
        passes = np.ones_like(depths, bool) if name == "Stencil8" else fresh < stored
        stored, stencils = np.where(passes, fresh, stored), np.where(passes, reference, stencils)
    depths, found = parts(name, read(texture, LAYOUTS[name][0], 1))
    if depths is not None:
        np.testing.assert_array_equal(depths, stored)
    if found is not None:
        np.testing.assert_array_equal(found, stencils)


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("drawn", ["depth", "stencil"])
def test_a_pass_on_one_part_leaves_the_other(painter, name, drawn):
    kind = LAYOUTS[name][0]
    texture = painter.texture(pm.PixelFormat[name], WIDTH, HEIGHT)
    before = np.random.default_rng(3).integers(0, np.iinfo(kind).max, (HEIGHT, WIDTH, 1), kind)
    texture.upload(before)
    descriptor = painter.pass_on(**{drawn: texture}, load=pm.LoadAction.Clear)
    descriptor.depth_attachment.clear_depth = 0.5
    descriptor.stencil_attachment.clear_stencil = 99
    painter.run(descriptor, lambda encoder: None)
    depths, stencils = parts(name, read(texture, kind, 1))
    old_depths, old_stencils = parts(name, before)
    half = stored_depths(name, np.full((HEIGHT, WIDTH), 0.5, np.float32))
    np.testing.assert_array_equal(depths, half if drawn == "depth" else old_depths)
    np.testing.assert_array_equal(stencils, np.full_like(stencils, 99) if drawn == "stencil" else old_stencils)


FILTERS = {
    "Sample0": lambda depths: 0 * depths[0].astype(int),
    "Min": lambda d: d.argmin(0),
    "Max": lambda d: d.argmax(0),
}


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("filter", FILTERS)
def test_samples_are_resolved_to_one_of_them(painter, deepening, writing, name, filter):
    samples = 4
    texture = painter.multisampled(pm.PixelFormat[name], WIDTH, HEIGHT, samples)
    resolved = painter.texture(pm.PixelFormat[name], WIDTH, HEIGHT)
    depths = np.stack([some_depths(10 + sample) for sample in range(samples)])
    descriptor = attach(painter, name, texture, load=pm.LoadAction.Clear, store=pm.StoreAction.MultisampleResolve)
    descriptor.depth_attachment.depth_resolve_filter = pm.MultisampleDepthResolveFilter[filter]
    follows = name in BOTH
    if follows:
        descriptor.stencil_attachment.stencil_resolve_filter = pm.MultisampleStencilResolveFilter.DepthResolvedSample
    for attachment in descriptor.depth_attachment, descriptor.stencil_attachment:
        attachment.resolve_texture = resolved if attachment.texture is not None else None

    def draw(encoder):
        for sample in range(samples):
            deepen(painter, encoder, deepening(name, samples), writing(name), depths[sample], stencil=sample + 1,
                   samples=1 << sample)  # fmt: skip

    painter.run(descriptor, draw)
    stored = np.stack([stored_depths(name if name in DEPTHS else "Depth32Float", one) for one in depths])
    chosen = FILTERS[filter](stored)
    found, stencils = parts(name, read(resolved, LAYOUTS[name][0], 1))
    if found is not None:
        np.testing.assert_array_equal(found, np.take_along_axis(stored, chosen[None], 0)[0])
    if stencils is not None:
        np.testing.assert_array_equal(stencils, chosen + 1 if follows else 1)


@pytest.mark.parametrize("name", BOTH)
def test_blits_copy_depths_or_stencils(painter, name):
    kind, _, place, _ = LAYOUTS[name]
    texture = painter.texture(pm.PixelFormat[name], WIDTH, HEIGHT)
    random = np.random.default_rng(5)
    before = random.integers(0, np.iinfo(kind).max, (HEIGHT, WIDTH, 1), kind)
    before &= kind(2 ** (place + 8) - 1)  # the bytes that no part has are nobody's
    texture.upload(before)
    depths, stencils = parts(name, before)
    region, origin = (7, 4, 1), (2, 1, 0)
    rows, columns = slice(1, 5), slice(2, 9)
    options = pm.BlitOption
    taken = {part: painter.buffer(np.full(400, 0xEE, np.uint8)) for part in ("depth", "stencil")}
    commands = painter.queue.command_buffer()
    blit = commands.blit_command_encoder()
    for part, option, row in (
        ("depth", options.DepthFromDepthStencil, 36),
        ("stencil", options.StencilFromDepthStencil, 9),
    ):
        blit.copy_from_texture_to_buffer(texture, 0, 0, origin, region, taken[part], 8, row, 4 * row, options=option)
    # And back into other pixels, each from the other end.
    blit.copy_from_buffer_to_texture(
        taken["depth"], 8, 36, 144, region, texture, 0, 0, (6, 2, 0), options=options.DepthFromDepthStencil
    )
    blit.copy_from_buffer_to_texture(
        taken["stencil"], 8, 9, 36, region, texture, 0, 0, (0, 0, 0), options=options.StencilFromDepthStencil
    )
    blit.end_encoding()
    commands.commit()
    commands.wait_until_completed()
    assert commands.status == pm.CommandBufferStatus.Completed, commands.error

    def rows_of(part, dtype, row):
        memory = np.frombuffer(bytes(taken[part].contents()), np.uint8)
        texels = np.stack([memory[8 + y * row : 8 + y * row + 7 * np.dtype(dtype).itemsize] for y in range(4)])
        gap = memory[8 + 7 * np.dtype(dtype).itemsize : 8 + row]
        assert (gap == 0xEE).all()
        return texels.view(dtype)

    np.testing.assert_array_equal(rows_of("depth", np.uint32, 36), depths[rows, columns])
    np.testing.assert_array_equal(rows_of("stencil", np.uint8, 9), stencils[rows, columns])
    after_depths, after_stencils = parts(name, read(texture, kind, 1))
    expected_depths, expected_stencils = depths.copy(), stencils.copy()
    expected_depths[2:6, 6:13], expected_stencils[0:4, 0:7] = depths[rows, columns], stencils[rows, columns]
    np.testing.assert_array_equal(after_depths, expected_depths)
    np.testing.assert_array_equal(after_stencils, expected_stencils)


def test_parts_that_a_texture_has_not_are_refused(painter):
    plain, both = (painter.texture(pm.PixelFormat[name], 8, 8) for name in ("Depth16Unorm", "Depth32Float_Stencil8"))
    memory = painter.buffer(np.zeros(512, np.uint8))
    blit = painter.queue.command_buffer().blit_command_encoder()

    def copy(texture, option, row):
        blit.copy_from_texture_to_buffer(texture, 0, 0, (0, 0, 0), (8, 8, 1), memory, 0, row, 8 * row, options=option)

    with pytest.raises(pm.ValidationError, match="have not both depths and stencils"):
        copy(plain, pm.BlitOption.DepthFromDepthStencil, 32)
    with pytest.raises(pm.ValidationError, match="options is 4, must be BlitOption"):
        copy(both, pm.BlitOption.RowLinearPVRTC, 64)
    with pytest.raises(pm.ValidationError, match="bytes_per_row is 16, must be 32"):
        copy(both, pm.BlitOption.DepthFromDepthStencil, 16)
    with pytest.raises(pm.ValidationError, match="64 bytes at offset 500"):
        blit.copy_from_buffer_to_texture(
            memory, 500, 8, 64, (8, 8, 1), both, 0, 0, (0, 0, 0), options=pm.BlitOption.StencilFromDepthStencil
        )
    blit.end_encoding()


def test_the_device_says_that_it_has_depths_of_24_bits(painter):
    assert painter.device.is_depth24_stencil8_pixel_format_supported
