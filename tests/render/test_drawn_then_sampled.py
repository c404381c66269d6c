# SPDX-License-Identifier: MIT
"""Passes that sample what passes before them drew, against NumPy."""

import numpy as np
import pytest

import mtlpy_nb.metal as pm

from .painting import read

WIDTH, HEIGHT = 24, 12
FLOAT = pm.PixelFormat.RGBA32Float
SOURCE = """
#include <metal_stdlib>
using namespace metal;

struct Corner {
    float4 position [[position]];
    float2 place;  // 0 to 1 over the target, from the top left
};
vertex Corner corner(uint vertex_id [[vertex_id]])
{
    const float2 place = float2(vertex_id == 1 ? 2.0 : 0.0, vertex_id == 2 ? 2.0 : 0.0);
    return {float4(place.x * 2.0 - 1.0, 1.0 - place.y * 2.0, 0.0, 1.0), place};
}

fragment float4 magnified(Corner in [[stage_in]], texture2d<float> image [[texture(0)]],
                          constant float& lod [[buffer(0)]])
{
    constexpr sampler smooth(filter::linear, mip_filter::nearest, address::clamp_to_edge);
    return image.sample(smooth, in.place, level(lod));
}

// The level that the derivatives ask for.
fragment float4 minified(Corner in [[stage_in]], texture2d<float> image [[texture(0)]])
{
    constexpr sampler rough(filter::nearest, mip_filter::nearest);
    return image.sample(rough, in.place);
}

fragment float4 deep(Corner in [[stage_in]], depth2d<float> depths [[texture(0)]],
                     texture2d<uint> stencils [[texture(1)]], constant float& limit [[buffer(0)]])
{
    constexpr sampler compared(filter::nearest, compare_func::less);
    constexpr sampler rough(filter::nearest);
    const uint2 texel = uint2(in.position.xy);
    return float4(depths.sample(rough, in.place), depths.sample_compare(compared, in.place, limit),
                  stencils.read(texel).x, depths.read(texel));
}
"""


@pytest.fixture(scope="module")
def sampling(painter):
    """Make pipelines that draw over all of an RGBA32Float target: `sampling(name)`."""
    library = painter.device.new_library_with_source(SOURCE)
    vertex, made = library.new_function("corner"), {}

    def pipeline(name):
        if name not in made:
            descriptor = pm.RenderPipelineDescriptor()
            descriptor.vertex_function, descriptor.fragment_function = vertex, library.new_function(name)
            descriptor.color_attachment(0).pixel_format = FLOAT
            made[name] = painter.device.new_render_pipeline_state(descriptor)
        return made[name]

    return pipeline


def draw(painter, commands, descriptor, pipeline, *textures, number=None, values=None):
    """Encode a pass of one draw, of texels that are sampled or of values that are painted."""
    encoder = commands.render_command_encoder(descriptor)
    if values is not None:
        painter.cover(encoder, pipeline, values)
    else:
        encoder.set_render_pipeline_state(pipeline)
        for index, texture in enumerate(textures):
            encoder.set_fragment_texture(texture, index)
        if number is not None:
            encoder.set_fragment_bytes(np.float32(number).tobytes(), 0)
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 3)
    encoder.end_encoding()


def commit(commands):
    commands.commit()
    commands.wait_until_completed()
    assert commands.status == pm.CommandBufferStatus.Completed, commands.error


def some_colors(seed):
    return np.random.default_rng(seed).random((HEIGHT, WIDTH, 4), np.float32)


def enlarged(image, height, width):
    """What a linear sampler gives, clamped to the edge."""

    def axis(length, texels):
        place = (np.arange(length) + 0.5) / length * texels - 0.5
        first = np.floor(place)
        return [np.clip(first + i, 0, texels - 1).astype(int) for i in (0, 1)], place - first

    (top, bottom), down = axis(height, image.shape[0])
    (left, right), across = axis(width, image.shape[1])
    across, down = across[None, :, None], down[:, None, None]
    upper = image[top][:, left] * (1 - across) + image[top][:, right] * across
    lower = image[bottom][:, left] * (1 - across) + image[bottom][:, right] * across
    return upper * (1 - down) + lower * down


@pytest.mark.parametrize("together", [True, False], ids=["one command buffer", "two command buffers"])
@pytest.mark.parametrize("storage", ["Shared", "Private"])
def test_a_pass_samples_what_the_one_before_drew(painter, sampling, together, storage):
    values = some_colors(1)
    image = painter.texture(FLOAT, WIDTH, HEIGHT, storage_mode=pm.StorageMode[storage])
    target = painter.texture(FLOAT, 50, 31)
    commands = painter.queue.command_buffer()
    draw(painter, commands, painter.pass_on(image), painter.pipeline("paint", [FLOAT]), values=values)
    if not together:
        commands.commit()  # what a queue runs later sees it without a wait
        commands = painter.queue.command_buffer()
    draw(painter, commands, painter.pass_on(target), sampling("magnified"), image, number=0)
    commit(commands)
    np.testing.assert_allclose(read(target, np.float32, 4), enlarged(values, 31, 50), atol=1e-5)


def test_each_pass_sees_the_last_picture_of_a_texture(painter, sampling):
    image, pictures = painter.texture(FLOAT, WIDTH, HEIGHT), [some_colors(seed) for seed in (2, 3)]
    targets = [painter.texture(FLOAT, WIDTH, HEIGHT) for _ in pictures]
    commands = painter.queue.command_buffer()
    for picture, target in zip(pictures, targets, strict=True):
        draw(painter, commands, painter.pass_on(image), painter.pipeline("paint", [FLOAT]), values=picture)
        draw(painter, commands, painter.pass_on(target), sampling("magnified"), image, number=0)
    commit(commands)
    for picture, target in zip(pictures, targets, strict=True):
        np.testing.assert_allclose(read(target, np.float32, 4), picture, atol=1e-6)


def test_smaller_levels_of_a_drawn_picture(painter, sampling):
    values = np.random.default_rng(4).random((32, 64, 4), np.float32)
    image = painter.texture(FLOAT, 64, 32, mipmap_level_count=4)
    named, found = (painter.texture(FLOAT, 8, 4) for _ in range(2))
    commands = painter.queue.command_buffer()
    draw(painter, commands, painter.pass_on(image), painter.pipeline("paint", [FLOAT]), values=values)
    blit = commands.blit_command_encoder()
    blit.generate_mipmaps(image)
    blit.end_encoding()
    draw(painter, commands, painter.pass_on(named), sampling("magnified"), image, number=3)
    draw(painter, commands, painter.pass_on(found), sampling("minified"), image)
    commit(commands)
    means = values.reshape(4, 8, 8, 8, 4).mean((1, 3))
    np.testing.assert_allclose(read(named, np.float32, 4), means, atol=1e-5)
    np.testing.assert_allclose(read(found, np.float32, 4), means, atol=1e-5)


def test_a_level_is_drawn_from_the_one_above(painter, sampling):
    values = some_colors(5)
    image = painter.texture(
        FLOAT,
        WIDTH,
        HEIGHT,
        mipmap_level_count=2,
        usage=pm.TextureUsage.RenderTarget | pm.TextureUsage.ShaderRead | pm.TextureUsage.PixelFormatView,
    )
    above = image.new_texture_view(FLOAT, level_range=(0, 1))
    smaller = painter.pass_on(image)
    smaller.color_attachment(0).level = 1
    commands = painter.queue.command_buffer()
    draw(painter, commands, painter.pass_on(image), painter.pipeline("paint", [FLOAT]), values=values)
    draw(painter, commands, smaller, sampling("magnified"), above, number=0)
    commit(commands)
    means = values.reshape(HEIGHT // 2, 2, WIDTH // 2, 2, 4).mean((1, 3))
    np.testing.assert_allclose(read(image, np.float32, 4, level=1), means, atol=1e-5)


def test_resolved_samples_are_sampled(painter, sampling):
    values = some_colors(6)
    samples = painter.multisampled(FLOAT, WIDTH, HEIGHT, 4, storage_mode=pm.StorageMode.Memoryless)
    image, target = (painter.texture(FLOAT, WIDTH, HEIGHT) for _ in range(2))
    descriptor = painter.pass_on(samples, load=pm.LoadAction.Clear, store=pm.StoreAction.MultisampleResolve)
    descriptor.color_attachment(0).resolve_texture = image
    commands = painter.queue.command_buffer()
    draw(painter, commands, descriptor, painter.pipeline("paint", [FLOAT], samples=4), values=values)
    draw(painter, commands, painter.pass_on(target), sampling("magnified"), image, number=0)
    commit(commands)
    np.testing.assert_allclose(read(target, np.float32, 4), values, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "stencil_name", "ones"),
    [("Depth32Float_Stencil8", "X32_Stencil8", None), ("Depth24Unorm_Stencil8", "X24_Stencil8", 2**24 - 1)],
)
def test_depths_and_stencils_are_sampled(painter, sampling, name, stencil_name, ones):
    format = pm.PixelFormat[name]
    both = painter.texture(format, WIDTH, HEIGHT)
    stencils = both.new_texture_view(pm.PixelFormat[stencil_name])
    target = painter.texture(FLOAT, WIDTH, HEIGHT)
    depths = np.random.default_rng(7).random((HEIGHT, WIDTH), np.float32)
    lost = painter.texture(pm.PixelFormat.R8Unorm, WIDTH, HEIGHT)
    deep = painter.pipeline("paint_deep", [lost.pixel_format], depth=format, stencil=format)
    face = pm.StencilDescriptor()
    face.depth_stencil_pass_operation = pm.StencilOperation.Replace
    state = pm.DepthStencilDescriptor()
    state.depth_write_enabled = True
    state.front_face_stencil = state.back_face_stencil = face
    commands = painter.queue.command_buffer()
    encoder = commands.render_command_encoder(painter.pass_on(lost, depth=both, stencil=both, load=pm.LoadAction.Clear))
    encoder.set_depth_stencil_state(painter.device.new_depth_stencil_state(state))
    encoder.set_stencil_reference_value(201)
    encoder.set_scissor_rect((0, 0, WIDTH // 2, HEIGHT))
    painter.cover(encoder, deep, np.repeat(depths[..., None], 4, -1))
    encoder.end_encoding()
    draw(painter, commands, painter.pass_on(target), sampling("deep"), both, stencils, number=0.5)
    commit(commands)
    expected = np.ones_like(depths)  # what a depth is cleared to
    expected[:, : WIDTH // 2] = depths[:, : WIDTH // 2]
    if ones:
        expected = np.rint(expected.astype(np.float64) * ones).astype(np.float32) / np.float32(ones)
    sampled, passed, stencil, direct = np.moveaxis(read(target, np.float32, 4), -1, 0)
    np.testing.assert_array_equal(sampled, expected)
    np.testing.assert_array_equal(direct, expected)
    np.testing.assert_array_equal(passed, expected > 0.5)
    np.testing.assert_array_equal(stencil, np.where(np.arange(WIDTH) < WIDTH // 2, 201, 0) + np.zeros((HEIGHT, 1)))
