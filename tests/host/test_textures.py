# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (kernels are kept dense)
"""The run-time library's texture functions against NumPy."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from host_kernels import HostKernel
from kernel_records import Level, TextureRecord

R8UNORM, R32FLOAT, RGBA8UNORM, BGRA8UNORM, RGBA16FLOAT, RGBA32FLOAT, RG8UNORM, R32UINT, RGBA8SINT = (
    10, 55, 70, 80, 115, 125, 30, 53, 74)  # fmt: skip
CLAMP, MIRROR_CLAMP, REPEAT, MIRROR, ZERO, BORDER = range(6)


def texture(pixel_format: int, *images: np.ndarray) -> np.ndarray:
    """What an argument slot points at: the address of a texture, as an array of one number (it keeps the texture alive)."""
    record = TextureRecord(pixel_format, 2, images[0][0, 0].nbytes, 1, len(images), 1)
    for level, image in enumerate(images):
        record.levels[level] = Level(
            image.ctypes.data, image.nbytes, image.strides[0], image.shape[1], image.shape[0], 1
        )
    handle = np.array([ctypes.addressof(record)], np.uint64).view(Handle)
    handle.record = record
    return handle


class Handle(np.ndarray):
    """An array that can carry attributes."""


DECLARATIONS = """
typedef float float4 __attribute__((ext_vector_type(4))); typedef int int4 __attribute__((ext_vector_type(4)));
struct metal_texture; typedef const metal_texture* Handle;
extern "C" float4 __metal_texture_read_f32(Handle, uint kind, uint, uint, uint, uint, uint);
extern "C" int4 __metal_texture_read_i32(Handle, uint kind, uint, uint, uint, uint, uint);
extern "C" void __metal_texture_write_f32(Handle, uint kind, float4, uint, uint, uint, uint, uint);
extern "C" void __metal_texture_write_i32(Handle, uint kind, int4, uint, uint, uint, uint, uint);
extern "C" float4 __metal_texture_sample_2d_f32(Handle, uint kind, ulong, float, float, float, uint, int, int, int, float, float);
extern "C" uint __metal_texture_width(Handle, uint);
static Handle handle(int slot) { return *(const Handle*)__metal_argument(slot); }
"""
READ = (
    DECLARATIONS
    + """
KERNEL(test) { int x = gid(0), y = gid(1), w = gridSize(0);
  float4 v = __metal_texture_read_f32(handle(1), 2, x - 1, y - 1, 0, 0, 0);
  for (int k = 0; k < 4; k++) device<float>(0)[(y * w + x) * 4 + k] = v[k]; }"""
)
COPY = (
    DECLARATIONS
    + """
KERNEL(test) { int x = gid(0), y = gid(1);
  float4 v = __metal_texture_read_f32(handle(1), 2, x, y, 0, 0, 0) * 0.5f + 0.25f;
  __metal_texture_write_f32(handle(0), 2, v, x + 1, y, 0, 0, 0); }"""
)
SAMPLE = (
    DECLARATIONS
    + """
KERNEL(test) { int x = gid(0), y = gid(1), w = gridSize(0), h = gridSize(1);
  float u = (x + 0.3f) / w * 3 - 1, v = (y + 0.6f) / h * 3 - 1;
  float4 c = __metal_texture_sample_2d_f32(handle(1), 2, *constant<ulong>(2), u, v, 0, 0, 1, -2, 0, 0, 0);
  for (int k = 0; k < 4; k++) device<float>(0)[(y * w + x) * 4 + k] = c[k]; }"""
)

SHAPES = {R8UNORM: 1, RG8UNORM: 2, R32FLOAT: 1, RGBA8UNORM: 4, BGRA8UNORM: 4, RGBA16FLOAT: 4, RGBA32FLOAT: 4}


def image(pixel_format: int, height: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """An image as stored and as read: four floats a pixel."""
    random = np.random.default_rng(pixel_format)
    shape = (height, width, SHAPES[pixel_format])
    if pixel_format in (R8UNORM, RG8UNORM, RGBA8UNORM, BGRA8UNORM):
        stored = random.integers(0, 256, shape).astype(np.uint8)
        values = stored.astype(np.float32) / np.float32(255)
    else:
        stored = random.random(shape, np.float32).astype(np.float16 if pixel_format == RGBA16FLOAT else np.float32)
        values = stored.astype(np.float32)
    if pixel_format == BGRA8UNORM:
        values = values[..., [2, 1, 0, 3]]
    read = np.zeros((height, width, 4), np.float32)
    read[..., 3] = 1
    read[..., : values.shape[2]] = values
    return stored, read


@pytest.mark.parametrize("pixel_format", SHAPES)
def test_read_inside_and_outside(pixel_format, tmp_path_factory):
    stored, read = image(pixel_format, 7, 45)
    out = np.zeros((9, 47, 4), np.float32)
    HostKernel(READ, tmp_path_factory.getbasetemp()).run([out, texture(pixel_format, stored)], (47, 9), (32, 4))
    expected = np.zeros_like(out)
    expected[..., 3] = 0 if SHAPES[pixel_format] == 4 else 1
    expected[1:-1, 1:-1] = read
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("pixel_format", SHAPES)
def test_write_converts_and_drops_what_is_outside(pixel_format, tmp_path_factory):
    stored, read = image(pixel_format, 6, 40)
    target = np.zeros_like(stored)
    arguments = [texture(pixel_format, target), texture(pixel_format, stored)]
    HostKernel(COPY, tmp_path_factory.getbasetemp()).run(arguments, (40, 6), (32, 2))
    values = (read * np.float32(0.5) + np.float32(0.25))[:, :-1]
    if pixel_format == BGRA8UNORM:
        values = values[..., [2, 1, 0, 3]]
    values = values[..., : SHAPES[pixel_format]]
    expected = np.zeros_like(stored)
    expected[:, 1:] = np.rint(values * 255) if stored.dtype == np.uint8 else values
    np.testing.assert_array_equal(target, expected)


def wrapped(index: np.ndarray, size: int, mode: int) -> np.ndarray:
    """Texel indices, -1 for none."""
    if mode == CLAMP:
        return np.clip(index, 0, size - 1)
    if mode == MIRROR_CLAMP:
        return np.clip(np.where(index < 0, -1 - index, index), 0, size - 1)
    if mode == REPEAT:
        return index % size
    if mode == MIRROR:
        rest = index % (2 * size)
        return np.where(rest < size, rest, 2 * size - 1 - rest)
    return np.where((index < 0) | (index >= size), -1, index)


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("mode", [CLAMP, MIRROR_CLAMP, REPEAT, MIRROR, ZERO, BORDER])
@pytest.mark.parametrize("pixel_format", [RGBA8UNORM, R32FLOAT])
def test_sample(pixel_format, mode, linear, tmp_path_factory):
    stored, read = image(pixel_format, 11, 13)
    width, height = 70, 21
    out = np.zeros((height, width, 4), np.float32)
    state = np.array([mode | mode << 3 | (0b11 << 9 if linear else 0) | 2 << 17], np.uint64)
    kernel = HostKernel(SAMPLE, tmp_path_factory.getbasetemp())
    kernel.run([out, texture(pixel_format, stored), state], (width, height), (32, 4))

    u = ((np.arange(width, dtype=np.float64) + 0.3) / width * 3 - 1) * 13
    v = ((np.arange(height, dtype=np.float64) + 0.6) / height * 3 - 1) * 11
    empty = np.array([1, 1, 1, 1] if mode == BORDER else [0, 0, 0, 0 if pixel_format == RGBA8UNORM else 1], np.float64)

    def fetch(columns: np.ndarray, rows: np.ndarray) -> np.ndarray:
        x, y = np.meshgrid(wrapped(columns + 1, 13, mode), wrapped(rows - 2, 11, mode))
        return np.where(((x < 0) | (y < 0))[..., None], empty, read[y, x].astype(np.float64))

    if linear:
        u, v = u - 0.5, v - 0.5
        left, top = np.floor(u).astype(int), np.floor(v).astype(int)
        a, b = (u - left)[None, :, None], (v - top)[:, None, None]
        upper = fetch(left, top) * (1 - a) + fetch(left + 1, top) * a
        lower = fetch(left, top + 1) * (1 - a) + fetch(left + 1, top + 1) * a
        expected = upper * (1 - b) + lower * b
    else:
        expected = fetch(np.floor(u).astype(int), np.floor(v).astype(int))
    np.testing.assert_allclose(out, expected, atol=2e-5)
