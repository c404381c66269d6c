# SPDX-License-Identifier: MIT
"""Slang's own features, each compiled to Metal and run."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import mtlpy_nb

from .translate import device, kernel, metal_source, run

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "stages"))

from stage_functions import quads, run_fragment, run_vertex

F, S, U = np.float32, np.int32, np.uint32


def close(got: np.ndarray, wanted: np.ndarray, tolerance: float = 1e-5) -> None:
    np.testing.assert_allclose(got, wanted, rtol=tolerance, atol=tolerance)


def picks(entry: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    made = np.zeros(64, kernel("shapes.slang", entry).arguments["picks_1"].element.dtype)
    kinds, numbers = rng.integers(0, 2, 64), rng.uniform(0, 2, (64, 4)).astype(F)
    for name, values in zip(made.dtype.names, (kinds, numbers), strict=True):
        made[name] = values
    return made, kinds, numbers


def test_generics() -> None:
    made, _, numbers = picks("generic")
    out = np.zeros((64, 3), F)
    run("shapes.slang", "generic", 64, 32, picks=made, result=out)
    x, y, r, f = numbers.T.astype(float)
    once = np.stack([f * x, f * y, 3 * r * r * f * f], 1)
    close(out, once + once * [2, 2, 4])


def test_objects_whose_type_is_chosen_at_run_time() -> None:
    made, kinds, numbers = picks("dynamic")
    out = np.zeros((64, 3), F)
    run("shapes.slang", "dynamic", 64, 32, picks=made, result=out)
    a, b, c, d = numbers.T.astype(float)
    disc = np.stack([a, b, 3 * c * c], 1)
    box = np.stack([(a + c) / 2, (b + d) / 2, (c - a) * (d - b)], 1)
    close(out, np.where(kinds[:, None] == 0, disc, box))


def test_derivatives_forwards_and_backwards() -> None:
    x = np.linspace(-1, 1.5, 48).astype(F)
    out = np.zeros((48, 4), F)
    run("gradient.slang", "differentiate", 48, 16, points=x, slopes=out)
    t, y = x.astype(float), 0.5 + x.astype(float) ** 2
    i = np.arange(1, 5)[:, None]
    total, by_x, by_y = (
        (terms / i).sum(0) for terms in (np.sin(t * i) * y, i * np.cos(t * i) * y, np.sin(t * i) + 0 * y)
    )
    value = total**2 + np.where(x > 0.5, t * t * y, t)
    dx = 2 * total * by_x + np.where(x > 0.5, 2 * t * y, 1)
    dy = 2 * total * by_y + np.where(x > 0.5, t * t, 0)
    close(out, np.stack([value, dx, 2 * dx, 2 * dy], 1), 2e-5)


def test_layouts() -> None:
    rng = np.random.default_rng(2)
    made = np.zeros(8, kernel("memory.slang", "read").arguments["constants_1"].element.dtype)
    assert made.itemsize == 184
    raw = made.view(np.uint8).reshape(8, 184)

    def put(at: int, values: np.ndarray) -> np.ndarray:
        raw[:, at : at + values[0].nbytes] = values.reshape(8, -1).view(np.uint8)
        return values

    rows, columns = (put(at, rng.normal(size=(8, 3, 4)).astype(F)).astype(float) for at in (0, 48))
    directions = np.stack([put(at, rng.normal(size=(8, 3)).astype(F)) for at in (96, 136)], 1)
    weights = np.stack([put(at, rng.normal(size=(8, 1)).astype(np.float16)) for at in (108, 148)], 1)
    counts = np.stack([put(at, rng.integers(0, 9, (8, 3, 2)).astype(S)) for at in (112, 152)], 1)
    flags, small = put(176, rng.integers(0, 2, (8, 1)).astype(np.uint8)), put(178, np.full((8, 1), 60000, np.uint16))
    tail = put(180, rng.normal(size=(8, 1)).astype(F))
    out = np.zeros((8, 4), F)
    run("memory.slang", "read", 8, 8, constants=made, result=out)
    for k in range(8):
        v = np.array([k, 1, 2, 3.0])
        wanted = rows[k] @ v + columns[k] @ v + directions[k, k % 2] * float(weights[k, k % 2, 0])
        close(out[k, :3], wanted, 1e-4)
        last = counts[k, k % 2, 2, 1] + (100 if flags[k, 0] else 200) + int(small[k, 0]) + tail[k, 0]
        close(out[k, 3], last)


def test_bytes_and_bits() -> None:
    memory = np.zeros(16 + 32 * 8, np.uint8).view(U)
    run("memory.slang", "write", 8, 8, bytes=memory)
    assert memory[0] == 36
    assert memory[1] == max(k * 7 % 5 for k in range(8))
    assert memory[2] == 9
    for k, row in enumerate(memory[4:].reshape(8, 8).tolist()):
        wide = (k * 5000000000 - 7) & (1 << 64) - 1
        bits = k * 77
        wanted = [
            int(F(1.5 * k).view(U)), k, ~k & 0xFFFFFFFF, 3 * k, wide >> 32,
            wide & 0xFFFFFFFF,
            bits.bit_count() + 100 * ((k + 1).bit_length() - 1) + 10000 * (((k + 8) & -(k + 8)).bit_length() - 1),
            int(f"{k:032b}"[::-1], 2) ^ int(np.float16(k).view(np.uint16)),
        ]  # fmt: skip
        assert row == wanted


def test_what_threads_do_together() -> None:
    values = np.random.default_rng(3).integers(-100, 100, 192, dtype=S)
    out = np.zeros((192, 4), S)
    run("groups.slang", "main", 192, 64, values=values, result=out)
    groups, waves = values.reshape(3, 64), values.reshape(6, 32)
    sums = groups.cumsum(1)
    tally = np.stack([np.bincount(row & 3, minlength=4) for row in groups])
    lane = np.arange(32)
    first = sums + np.take_along_axis(tally, np.arange(64)[None] & 3, 1)
    odd = np.where(waves & 1, (waves * (waves & 1)).sum(1, keepdims=True), 0)
    second = odd + waves.max(1, keepdims=True) * 1000
    third = waves.cumsum(1) - waves + waves[:, lane ^ 5]
    fourth = (waves < 0).sum(1, keepdims=True) + np.where((waves > 90).any(1, keepdims=True), 500, 0) + 0 * waves
    wanted = np.stack([part.reshape(-1) for part in (first, second, third, fourth)], 1)
    np.testing.assert_array_equal(out, wanted)


def test_pictures() -> None:
    rng = np.random.default_rng(4)
    source, layers = rng.uniform(0, 1, (8, 16, 4)).astype(F), rng.uniform(0, 1, (2, 8, 16)).astype(F)
    target = device().texture(np.zeros((8, 16, 4), F))
    out = np.zeros((8 * 16, 4), F)
    run(
        "pictures.slang", "main", (16, 8), (8, 4), source=source, layers=device().texture(layers, kind="2d_array"),
        nearest=device().sampler(linear=False), target=target, result=out,
    )  # fmt: skip
    close(np.asarray(target), source[..., [2, 1, 0, 3]] * F(0.5))
    y, x = np.mgrid[:8, :16]
    # Texels by their places from 0 to 1, the axes exchanged.
    sampled = source[((x + 0.5) / 16 * 8).astype(int), ((y + 0.5) / 8 * 16).astype(int)]
    right, below = np.minimum(x + 1, 15), np.minimum(y + 1, 7)
    red = source[..., 0]
    gathered = np.stack([red[below, x], red[below, right], red[y, right], red[y, x]], -1)
    close(out.reshape(8, 16, 4), sampled + gathered + layers[1][..., None])


def test_vertex_and_fragment() -> None:
    rng = np.random.default_rng(5)
    matrix, light = rng.normal(size=(4, 4)).astype(F), np.array([0.25, 0.75, 0, 0], F)
    view = np.concatenate([matrix.T.ravel(), light])
    position, uv = rng.normal(size=(12, 3)).astype(F), rng.uniform(size=(12, 2)).astype(F)
    inputs = {"attribute(0)": position, "attribute(1)": uv, "vertex_id": np.arange(12)}
    outputs = run_vertex(metal_source("surface.slang", "project", "vertex"), "project", inputs, buffers={0: view})
    close(outputs["position"], np.column_stack([position, np.ones(12)]) @ matrix.T, 1e-4)
    close(outputs["user(TEXCOORD)"], uv * 2 + light[:2])
    np.testing.assert_array_equal(outputs["user(ID)"], np.arange(12) * 3)
    at = quads(8, 4)
    across = ((at + 0.5) / [4, 2] - 1).astype(F)
    inputs = {"user(TEXCOORD)": across, "user(ID)": np.arange(32, dtype=U)}
    outputs = run_fragment(metal_source("surface.slang", "shade", "fragment"), "shade", inputs, buffers={0: view})
    np.testing.assert_array_equal(outputs["coverage"], across[:, 0] >= 0)
    lit = 0.25 + 0.5 * np.clip(across[:, 1], 0, 1)
    wanted = np.column_stack([across - np.floor(across), lit, np.full(32, 0.25)])
    shown = across[:, 0] >= 0
    close(outputs["color(0)"][shown], wanted[shown])
    np.testing.assert_array_equal(outputs["color(1)"][shown], np.stack([np.arange(32), np.arange(32) ** 2], 1)[shown])


def test_names_are_those_of_slang() -> None:
    arguments = kernel("pictures.slang", "main").arguments
    assert {name: argument.kind for name, argument in arguments.items()} == {
        "source_1": "texture", "nearest_1": "sampler", "layers_1": "texture", "target_1": "texture",
        "result_1": "buffer",
    }  # fmt: skip
    assert isinstance(kernel("pictures.slang", "main"), mtlpy_nb.Kernel)
