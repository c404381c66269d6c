# SPDX-License-Identifier: MIT
"""GLSL vertex and fragment shaders by way of SPIR-V and spirv-cross, each beside what the GLSL means, in NumPy."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from .translate import metal_source

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "stages"))

from stage_functions import quads, run_fragment, run_vertex

F = np.float32


def close(got, wanted, tolerance=1e-4):
    np.testing.assert_allclose(got, wanted, rtol=tolerance, atol=tolerance)


def picture(width=16, height=8):
    """Pixels in the order of quads, and their places from -1 to 1."""
    at = quads(width, height)
    return at, ((at + 0.5) / [width, height] * 2 - 1).astype(F)


def test_plasma():
    _, uv = picture()
    frame = np.array([0.75, 0, 0, 0, 0.9, 0.5, 0.2, 0], F)
    color = run_fragment(metal_source("plasma.frag"), "main0", {"uv": uv}, buffers={0: frame})["color"]
    x, y = uv.T.astype(float)
    v = np.sin(x * 10 + 0.75) + np.cos(y * 8 - 0.75) + np.sin(np.hypot(x - 0.5, y - 0.5) * 20)
    wanted = [0.9, 0.5, 0.2] * (0.5 + 0.5 * np.sin(v[:, None] + [0, 2, 4]))
    close(color[:, :3], wanted, 1e-3)
    assert (color[:, 3] == 1).all()


def test_circle_with_derivatives():
    _, uv = picture()
    color = run_fragment(metal_source("circle.frag"), "main0", {"uv": uv})["color"]
    quad = uv.astype(float).reshape(-1, 4, 2)
    distance = np.linalg.norm(quad, axis=2) - 0.5
    right, down = np.zeros_like(distance), np.zeros_like(distance)
    for i in range(4):
        right[:, i] = distance[:, i | 1] - distance[:, i & 2]
        down[:, i] = distance[:, i | 2] - distance[:, i & 1]
    width = (abs(right) + abs(down)).ravel()
    t = np.clip((distance.ravel() - width) / (-2 * width), 0, 1)
    close(color[:, 1], width)
    close(color[:, 0], t * t * (3 - 2 * t), 1e-3)
    close(color[:, 2:], np.broadcast_to([2 / 16, 2 / 8], color[:, 2:].shape))


def test_checker_that_discards():
    _, uv = picture()
    count = len(uv)
    inputs = {"uv": uv, "cells": np.full(count, 3), "front_facing": np.arange(count) % 2}
    outputs = run_fragment(metal_source("checker.frag"), "main0", inputs)
    cell = np.floor(uv * F(3)).astype(int)
    odd = (cell.sum(1) & 1) == 1
    np.testing.assert_array_equal(outputs["coverage"], ~odd)
    close(outputs["color"][~odd][:, :2], cell[~odd] / 3)
    np.testing.assert_array_equal(outputs["color"][~odd][:, 2], (np.arange(count) % 2)[~odd])


def test_two_targets_and_the_place_of_the_fragment():
    rng = np.random.default_rng(4)
    normal, ids = rng.normal(size=(32, 3)).astype(F), np.arange(32, dtype=np.uint32) * 3
    place = np.column_stack([np.arange(32) + 0.5, np.full(32, 7.5), np.full(32, 0.25), np.ones(32)]).astype(F)
    inputs = {"normal": normal, "id": ids, "position": place}
    outputs = run_fragment(metal_source("two_targets.frag"), "main0", inputs)
    n = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    palette = np.array([(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0)])
    wanted = palette[ids % 4] * np.maximum(n[:, 2:], 0.1)
    close(outputs["color"], np.column_stack([wanted, n[:, 0]]))
    np.testing.assert_array_equal(outputs["object"], np.column_stack([ids, ids * ids]))
    close(np.squeeze(outputs["depth"]), 0.25 + place[:, 0] * 0.001)


def test_sphere():
    _, uv = picture(24, 16)
    color = run_fragment(metal_source("sphere.frag"), "main0", {"uv": uv})["color"]
    direction = np.column_stack([uv, np.full(len(uv), 1.5)]).astype(float)
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    along = direction[:, 2] * 3
    inside = along**2 - 8
    with np.errstate(invalid="ignore", divide="ignore"):
        ball = np.where(inside > 0, along - np.sqrt(inside), np.inf)
        ground = np.where(direction[:, 1] < 0, -1 / direction[:, 1], np.inf)
    t = np.minimum(ball, ground)
    hit = (t < 8) & (abs(inside) > 0.2) & ~np.isclose(ball, ground, atol=0.1)
    missed = np.isinf(t) & (abs(inside) > 0.5) & (direction[:, 1] > 0.05)
    assert hit.sum() > 100
    assert missed.sum() > 50
    np.testing.assert_allclose(color[hit, 0], t[hit], atol=0.02, rtol=0.01)
    assert (color[missed][:, [0, 3]] == [-1, 0]).all()
    close(color[hit, 2], color[hit, 0] % 1, 1e-3)


def test_structs_and_arrays_of_interpolants():
    rng = np.random.default_rng(6)
    base, rough, tangent, weights = (rng.uniform(0, 1, (16, n)).astype(F) for n in (4, 2, 3, 2))
    inputs = {"surface_base": base, "surface_rough": rough, "tangent": tangent,
              "weights_0": weights[:, 0], "weights_1": weights[:, 1]}  # fmt: skip
    color = run_fragment(metal_source("interpolants.frag"), "main0", inputs)["color"]
    shaded = base * rough[:, :1] + rough[:, 1:]
    turned = np.column_stack([tangent[:, ::-1], np.ones(16)])
    close(color, (shaded * (1 - weights[:, :1]) + turned * weights[:, :1]) * weights[:, 1:])


def test_vertices_projected():
    rng = np.random.default_rng(8)
    view, projection = (rng.uniform(-1, 1, (4, 4)).astype(F) + 2 * np.eye(4, dtype=F) for _ in range(2))
    position, uv = rng.uniform(-1, 1, (12, 3)).astype(F), rng.uniform(0, 1, (12, 2)).astype(F)
    inputs = {"position": position, "uv": uv, "vertex_id": np.arange(12)}
    outputs = run_vertex(
        metal_source("project.vert"), "main0", inputs, buffers={0: np.concatenate([view.ravel(), projection.ravel()])}
    )
    whole = projection.T.astype(float) @ view.T
    close(outputs["gl_Position"], np.column_stack([position, np.ones(12)]) @ whole.T)
    close(outputs["passed"], uv + np.arange(12)[:, None])
    close(outputs["normal"], position @ np.linalg.inv(view[:3, :3].T.astype(float)), 1e-3)
