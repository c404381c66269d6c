# SPDX-License-Identifier: MIT
"""What passes load, clear, store and resolve, in every kind of texture."""

import numpy as np
import pytest

import mtlpy_nb.metal as pm

from .painting import read

WIDTH, HEIGHT = 20, 11
RGBA8 = pm.PixelFormat.RGBA8Unorm
FLOAT = pm.PixelFormat.RGBA32Float


def colors(seed=0, width=WIDTH, height=HEIGHT):
    return np.random.default_rng(seed).random((height, width, 4), np.float32)


def test_a_pass_without_draws_clears(painter):
    target = painter.texture(FLOAT, WIDTH, HEIGHT)
    descriptor = painter.pass_on(target, load=pm.LoadAction.Clear)
    descriptor.color_attachment(0).clear_color = pm.ClearColor(0.25, -2, 3, 0.5)
    painter.run(descriptor, lambda encoder: None)
    np.testing.assert_array_equal(read(target, np.float32, 4), np.broadcast_to([0.25, -2, 3, 0.5], (HEIGHT, WIDTH, 4)))


def test_what_is_not_stored_is_not_changed(painter):
    target = painter.texture(FLOAT, WIDTH, HEIGHT)
    before = colors()
    target.upload(before)
    pipeline = painter.pipeline("paint", [FLOAT])
    descriptor = painter.pass_on(target, store=pm.StoreAction.DontCare)
    painter.run(descriptor, lambda encoder: painter.cover(encoder, pipeline, colors(1)))
    np.testing.assert_array_equal(read(target, np.float32, 4), before)


def test_eight_attachments_of_different_formats(painter):
    names = [
        "RGBA8Unorm",
        "RGBA32Float",
        "RGBA16Float",
        "RGBA16Unorm",
        "RGBA8Snorm",
        "R32Float",
        "RG32Float",
        "R8Unorm",
    ]
    formats = [pm.PixelFormat[name] for name in names]
    targets = [painter.texture(pixel_format, WIDTH, HEIGHT) for pixel_format in formats]
    descriptor = painter.pass_on(*targets, load=pm.LoadAction.Clear)
    for index in range(8):
        descriptor.color_attachment(index).clear_color = pm.ClearColor(index / 8, 0, 0, 1)
    pipeline = painter.pipeline("paint", formats)  # writes the first only
    values = colors()
    painter.run(descriptor, lambda encoder: painter.cover(encoder, pipeline, values))
    np.testing.assert_array_equal(read(targets[0], np.uint8, 4), np.rint(values * np.float32(255)).astype(np.uint8))
    assert (read(targets[1], np.float32, 4)[..., 0] == 1 / 8).all()
    assert (read(targets[2], np.float16, 4)[..., 0] == 2 / 8).all()
    assert (read(targets[5], np.float32, 1) == 5 / 8).all()
    assert (read(targets[7], np.uint8, 1) == round(7 / 8 * 255)).all()


@pytest.mark.parametrize(
    ("kind", "settings", "place"),
    [
        ("Type2D", {"mipmap_level_count": 3}, {"level": 2}),
        ("Type2DArray", {"array_length": 4}, {"slice": 3}),
        ("TypeCube", {}, {"slice": 4}),
        ("Type3D", {"depth": 5}, {"depth_plane": 2}),
    ],
)
def test_one_image_of_many_is_drawn_into(painter, kind, settings, place):
    height = WIDTH if kind == "TypeCube" else HEIGHT
    target = painter.texture(RGBA8, WIDTH, height, texture_type=pm.TextureType[kind], **settings)
    level = place.get("level", 0)
    images = range(settings.get("array_length", 6 if kind == "TypeCube" else 1))
    levels = range(settings.get("mipmap_level_count", 1))
    for slice in images:
        for one in levels:
            target.upload(np.full_like(read(target, np.uint8, 4, level=one), 9), level=one, slice=slice)
    values = colors(3, WIDTH >> level, height >> level)
    descriptor = painter.pass_on(target, load=pm.LoadAction.DontCare)
    for name, number in place.items():
        setattr(descriptor.color_attachment(0), name, number)
    pipeline = painter.pipeline("paint", [RGBA8])
    painter.run(descriptor, lambda encoder: painter.cover(encoder, pipeline, values))
    drawn = np.rint(values * np.float32(255)).astype(np.uint8)
    for slice in images:
        for one in levels:
            texels = read(target, np.uint8, 4, level=one, slice=slice)
            if kind == "Type3D":
                np.testing.assert_array_equal(texels[2], drawn)
                assert (np.delete(texels, 2, 0) == 9).all()
            elif slice == place.get("slice", 0) and one == level:
                np.testing.assert_array_equal(texels, drawn)
            else:
                assert (texels == 9).all()


def test_instances_draw_into_layers(painter):
    target = painter.texture(RGBA8, WIDTH, HEIGHT, texture_type=pm.TextureType.Type2DArray, array_length=4)
    descriptor = painter.pass_on(target, load=pm.LoadAction.Clear)
    descriptor.render_target_array_length = 4
    values = colors(4)
    pipeline = painter.pipeline("paint", [RGBA8])
    painter.run(descriptor, lambda encoder: painter.cover(encoder, pipeline, values, instances=3))
    drawn = np.rint(values * np.float32(255)).astype(np.uint8)
    for layer in range(4):
        expected = drawn if layer < 3 else np.broadcast_to(np.uint8([0, 0, 0, 255]), drawn.shape)
        np.testing.assert_array_equal(read(target, np.uint8, 4, slice=layer), expected)


@pytest.mark.parametrize("samples", [2, 4, 8])
@pytest.mark.parametrize("storage", ["Private", "Memoryless"])
def test_samples_are_resolved_to_their_mean(painter, samples, storage):
    if not painter.device.supports_texture_sample_count(samples):
        pytest.skip(f"no textures of {samples} samples here")
    target = painter.multisampled(RGBA8, WIDTH, HEIGHT, samples, storage_mode=pm.StorageMode[storage])
    resolved = painter.texture(RGBA8, WIDTH, HEIGHT)
    descriptor = painter.pass_on(target, load=pm.LoadAction.Clear, store=pm.StoreAction.MultisampleResolve)
    attachment = descriptor.color_attachment(0)
    attachment.resolve_texture = resolved
    attachment.clear_color = pm.ClearColor(0, 0, 0, 0)
    pipeline = painter.pipeline("paint", [RGBA8], samples=samples)
    values = colors(5)
    painter.run(descriptor, lambda encoder: painter.cover(encoder, pipeline, values))
    np.testing.assert_array_equal(read(resolved, np.uint8, 4), np.rint(values * np.float32(255)).astype(np.uint8))


def test_nothing_is_resolved_to_what_keeps_nothing(painter):
    target = painter.multisampled(RGBA8, WIDTH, HEIGHT, 4)
    descriptor = painter.pass_on(target, load=pm.LoadAction.Clear, store=pm.StoreAction.MultisampleResolve)
    lost = painter.texture(RGBA8, WIDTH, HEIGHT, storage_mode=pm.StorageMode.Memoryless)
    descriptor.color_attachment(0).resolve_texture = lost
    with pytest.raises(pm.ValidationError, match="resolveTexture: the texture is memoryless"):
        painter.queue.command_buffer().render_command_encoder(descriptor)


def test_the_store_action_may_be_said_later(painter):
    target = painter.texture(FLOAT, WIDTH, HEIGHT)
    target.upload(np.zeros((HEIGHT, WIDTH, 4), np.float32))
    pipeline = painter.pipeline("paint", [FLOAT])
    for action, is_stored in (pm.StoreAction.DontCare, False), (pm.StoreAction.Store, True):
        values = colors(6)
        descriptor = painter.pass_on(target, store=pm.StoreAction.Unknown)

        def draw(encoder, values=values, action=action):
            painter.cover(encoder, pipeline, values)
            encoder.set_color_store_action(action, 0)

        painter.run(descriptor, draw)
        expected = values if is_stored else np.zeros_like(values)
        np.testing.assert_array_equal(read(target, np.float32, 4), expected)
