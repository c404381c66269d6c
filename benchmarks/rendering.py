# SPDX-License-Identifier: MIT
"""Times render passes: a procedural shader over a whole picture, and a net of 100,000 triangles.

    python benchmarks/rendering.py [--frames 30] [--size 1920x1080] [--json FILE]

Each figure is the time of one frame from its encoding to its pixels being there, least and median of all, and the
processors' time beside it, which other programs on the machine change less.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import mtlpy_nb.metal as pm

SOURCE = """
#include <metal_stdlib>
using namespace metal;

struct Corner { float4 position [[position]]; float2 place; };
vertex Corner cover(uint v [[vertex_id]])
{
    const float2 place = float2(v == 1 ? 3 : -1, v == 2 ? 3 : -1);
    return {float4(place, 0, 1), place};
}

// Coloured rings that move: some thirty operations a pixel, with two sines.
fragment half4 rings(Corner in [[stage_in]], constant float& time [[buffer(0)]])
{
    const float2 place = in.place * float2(1.7778, 1);
    float wave = 0;
    for (int i = 0; i < 2; ++i) {
        const float2 from = place - 0.5 * float2(cos(time + i), sin(time * 0.7 + i));
        wave += sin(20 * length(from) - 3 * time);
    }
    const float3 color = 0.5 + 0.5 * float3(wave, wave * wave - 0.5, -wave);
    return half4(half3(color), 1);
}

struct Point { float3 place [[attribute(0)]]; float3 normal [[attribute(1)]]; };
struct Lit { float4 position [[position]]; float3 normal; };
vertex Lit turn(Point in [[stage_in]], constant float4x4& view [[buffer(1)]])
{
    return {view * float4(in.place, 1), in.normal};
}
fragment half4 light(Lit in [[stage_in]])
{
    const float shade = saturate(dot(normalize(in.normal), normalize(float3(1, 2, 3))));
    return half4(half3(0.1 + 0.9 * shade), 1);
}
"""


def sphere(columns: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a bumpy sphere's vertices (place and normal) and the indices of its 2 * columns * rows triangles."""
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, columns + 1), np.linspace(0.01, np.pi - 0.01, rows + 1))
    normal = np.stack([np.cos(u) * np.sin(v), np.cos(v), np.sin(u) * np.sin(v)], -1)
    place = normal * (1 + 0.05 * np.sin(9 * u) * np.sin(9 * v))[..., None]
    numbers = np.arange(u.size).reshape(u.shape)
    a, b, c, d = numbers[:-1, :-1], numbers[:-1, 1:], numbers[1:, :-1], numbers[1:, 1:]
    indices = np.stack([a, b, c, c, b, d], -1).ravel()
    return np.concatenate([place, normal], -1).astype(np.float32).reshape(-1, 6), indices.astype(np.uint32)


def view(turned: float, ratio: float) -> np.ndarray:
    """Return a matrix, by columns: turn about the y axis, step back, project."""
    c, s = np.cos(turned), np.sin(turned)
    turn = np.array([[c, 0, s, 0], [0, 1, 0, 0], [-s, 0, c, 3], [0, 0, 0, 1]])
    near, far = 1, 10
    project = np.array([[2 / ratio, 0, 0, 0], [0, 2, 0, 0], [0, 0, far / (far - near), -near * far / (far - near)],
                        [0, 0, 1, 0]])  # fmt: skip
    return np.ascontiguousarray((project @ turn).T, np.float32)


class Scenes:
    """What is measured; each scene is a function of the frame's number."""

    def __init__(self, width: int, height: int) -> None:
        self.device = pm.create_system_default_device()
        self.queue = self.device.new_command_queue()
        self.library = self.device.new_library_with_source(SOURCE)
        self.ratio = width / height
        usage = pm.TextureUsage.RenderTarget | pm.TextureUsage.ShaderRead
        self.color, self.depth = (
            self._texture(format, width, height, usage)
            for format in (pm.PixelFormat.BGRA8Unorm, pm.PixelFormat.Depth32Float)
        )
        self.rings = self._pipeline("cover", "rings")
        vertices = pm.VertexDescriptor.vertex_descriptor()
        for index in range(2):
            vertices.attribute(index).format = pm.VertexFormat.Float3
            vertices.attribute(index).offset = 12 * index
        vertices.layout(0).stride = 24
        self.light = self._pipeline("turn", "light", vertices, pm.PixelFormat.Depth32Float)
        state = pm.DepthStencilDescriptor()
        state.depth_compare_function = pm.CompareFunction.Less
        state.depth_write_enabled = True
        self.nearest = self.device.new_depth_stencil_state(state)
        points, indices = sphere(250, 200)
        self.points, self.indices = (self.device.new_buffer_with_data(array) for array in (points, indices))
        self.index_count = len(indices)

    def _texture(self, format: object, width: int, height: int, usage: object) -> pm.Texture:
        descriptor = pm.TextureDescriptor.texture2d_descriptor(format, width, height, False)
        descriptor.usage = usage
        return self.device.new_texture(descriptor)

    def _pipeline(self, vertex: str, fragment: str, vertices: object = None, depth: object = None) -> object:
        descriptor = pm.RenderPipelineDescriptor.render_pipeline_descriptor()
        descriptor.vertex_function = self.library.new_function(vertex)
        descriptor.fragment_function = self.library.new_function(fragment)
        descriptor.color_attachment(0).pixel_format = pm.PixelFormat.BGRA8Unorm
        if vertices is not None:
            descriptor.vertex_descriptor = vertices
        if depth is not None:
            descriptor.depth_attachment_pixel_format = depth
        return self.device.new_render_pipeline_state(descriptor)

    def _run(self, draw: Callable[[pm.RenderCommandEncoder], None], has_depth: bool) -> None:
        descriptor = pm.RenderPassDescriptor.render_pass_descriptor()
        color = descriptor.color_attachment(0)
        color.texture = self.color
        color.load_action, color.store_action = pm.LoadAction.Clear, pm.StoreAction.Store
        if has_depth:
            descriptor.depth_attachment.texture = self.depth
            descriptor.depth_attachment.load_action = pm.LoadAction.Clear
            descriptor.depth_attachment.store_action = pm.StoreAction.DontCare
        commands = self.queue.command_buffer()
        encoder = commands.render_command_encoder(descriptor)
        draw(encoder)
        encoder.end_encoding()
        commands.commit()
        commands.wait_until_completed()

    def procedural(self, frame: int) -> None:
        """A shader over the whole picture."""

        def draw(encoder: pm.RenderCommandEncoder) -> None:
            encoder.set_render_pipeline_state(self.rings)
            encoder.set_fragment_bytes(np.float32(frame / 60).tobytes(), 0)
            encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 3)

        self._run(draw, has_depth=False)

    def net(self, frame: int) -> None:
        """100,000 triangles, half of them on the far side."""

        def draw(encoder: pm.RenderCommandEncoder) -> None:
            encoder.set_render_pipeline_state(self.light)
            encoder.set_depth_stencil_state(self.nearest)
            encoder.set_vertex_buffer(self.points, 0, 0)
            encoder.set_vertex_bytes(view(frame / 30, self.ratio).tobytes(), 1)
            encoder.draw_indexed_primitives(
                pm.PrimitiveType.Triangle, self.index_count, pm.IndexType.UInt32, self.indices, 0
            )

        self._run(draw, has_depth=True)


def measure(scene: Callable[[int], None], frames: int) -> dict[str, float]:
    """Time frames; milliseconds."""
    for frame in range(3):
        scene(frame)
    walls, busy = [], []
    for frame in range(frames):
        start, used = time.perf_counter(), time.process_time()
        scene(frame)
        walls.append(1e3 * (time.perf_counter() - start))
        busy.append(1e3 * (time.process_time() - used))
    return {"least": min(walls), "median": statistics.median(walls), "processors": min(busy)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=30)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    width, height = (int(number) for number in options.size.split("x"))
    scenes = Scenes(width, height)
    print(f"{width} x {height}, load before {os.getloadavg()[0]:.1f}")
    results = {}
    for name in ("procedural", "net"):
        results[name] = figures = measure(getattr(scenes, name), options.frames)
        print(
            f"{name:12} least {figures['least']:7.2f} ms, median {figures['median']:7.2f} ms, "
            f"of processors {figures['processors']:7.2f} ms: {1e3 / figures['median']:.0f} frames a second"
        )
    if options.json:
        options.json.write_text(json.dumps({"size": options.size, "frames": options.frames, **results}, indent=1))


if __name__ == "__main__":
    main()
