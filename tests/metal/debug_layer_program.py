# SPDX-License-Identifier: MIT
"""What test_debug_layer.py runs with MTL_DEBUG_LAYER=1: one scene after the other, each with its messages below it."""

from __future__ import annotations

import sys

import numpy as np
from debug_layer_stage import SCENES, buffer, command_buffer, compute, device, run, scene

import mtlpy_nb.metal as pm

SOURCE = """
#include <metal_stdlib>
using namespace metal;

kernel void fill(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = i; }

kernel void add(device const float* a [[buffer(0)]], device float* out [[buffer(1)]],
                uint i [[thread_position_in_grid]]) { out[i] += a[i]; }

kernel void blur(texture2d<float, access::read> from [[texture(0)]],
                 texture2d<float, access::write> to [[texture(1)]],
                 uint2 p [[thread_position_in_grid]]) { to.write(from.read(p), p); }
"""

library = device.new_library_with_source(SOURCE)
fill, add, blur = (device.new_compute_pipeline_state(library.new_function(name)) for name in ("fill", "add", "blur"))


def texture(label):
    descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.RGBA8Unorm, 16, 16, False)
    descriptor.usage = pm.TextureUsage.ShaderRead | pm.TextureUsage.ShaderWrite
    made = device.new_texture(descriptor)
    made.label = label
    return made


def dispatch(encoder, pipeline, *buffers, offset=0):
    encoder.set_compute_pipeline_state(pipeline)
    for i, bound in enumerate(buffers):
        encoder.set_buffer(bound, offset if i == 0 else 0, i)
    encoder.dispatch_threads((16, 1, 1), (16, 1, 1))


@scene
def correct():
    x, y = buffer("x"), buffer("y")
    commands = command_buffer()
    with compute(commands) as encoder:
        encoder.push_debug_group("both")
        dispatch(encoder, fill, x)
        dispatch(encoder, add, x, y)
        encoder.pop_debug_group()
    run(commands)
    assert y.contents().view(np.float32)[3] == 3


@scene
def concurrent_dispatches_meet():
    x, y = buffer("x"), buffer("y")
    commands = command_buffer()
    with compute(commands, concurrent=True) as encoder:
        dispatch(encoder, fill, x)
        dispatch(encoder, add, x, y)
    run(commands)


@scene
def concurrent_dispatches_both_write():
    x = buffer("x")
    commands = command_buffer()
    with compute(commands, concurrent=True) as encoder:
        dispatch(encoder, fill, x)
        dispatch(encoder, fill, x)
    run(commands)


@scene
def concurrent_dispatches_with_a_barrier():
    x, y = buffer("x"), buffer("y")
    commands = command_buffer()
    with compute(commands, concurrent=True) as encoder:
        dispatch(encoder, fill, x)
        encoder.memory_barrier(pm.BarrierScope.Buffers)
        dispatch(encoder, add, x, y)
    run(commands)


@scene
def concurrent_dispatches_with_the_wrong_barrier():
    x, y = buffer("x"), buffer("y")
    commands = command_buffer()
    with compute(commands, concurrent=True) as encoder:
        dispatch(encoder, fill, x)
        encoder.memory_barrier(pm.BarrierScope.Textures)
        dispatch(encoder, add, x, y)
    run(commands)


@scene
def concurrent_dispatches_apart():
    x, y = buffer("x"), buffer("y")
    commands = command_buffer()
    with compute(commands, concurrent=True) as encoder:
        dispatch(encoder, fill, x)
        dispatch(encoder, fill, y)
        dispatch(encoder, fill, x, offset=1024)
    run(commands)


def untracked(fenced):
    x, y = buffer("x", pm.ResourceHazardTrackingModeUntracked), buffer("y")
    fence = device.new_fence()
    commands = command_buffer()
    with compute(commands, "writer") as encoder:
        dispatch(encoder, fill, x)
        if fenced:
            encoder.update_fence(fence)
    with compute(commands, "reader") as encoder:
        if fenced:
            encoder.wait_for_fence(fence)
        dispatch(encoder, add, x, y)
    run(commands)


@scene
def untracked_without_a_fence():
    untracked(fenced=False)


@scene
def untracked_with_a_fence():
    untracked(fenced=True)


@scene
def untracked_blit_without_a_fence():
    x, y = buffer("x", pm.ResourceHazardTrackingModeUntracked), buffer("y")
    commands = command_buffer()
    with compute(commands, "writer") as encoder:
        dispatch(encoder, fill, x)
    with commands.blit_command_encoder() as encoder:
        encoder.label = "copies"
        encoder.copy_from_buffer(x, 0, y, 0, 64)
    run(commands)


@scene
def one_texture_read_and_written():
    picture = texture("picture")
    commands = command_buffer()
    with compute(commands) as encoder:
        encoder.set_compute_pipeline_state(blur)
        encoder.set_texture(picture, 0)
        encoder.set_texture(picture, 1)
        encoder.dispatch_threads((16, 16, 1), (16, 16, 1))
    run(commands)


@scene
def misaligned_offset():
    commands = command_buffer()
    with compute(commands) as encoder:
        dispatch(encoder, fill, buffer("x"), offset=2)
    run(commands)


@scene
def open_groups():
    commands = command_buffer()
    with compute(commands) as encoder:
        encoder.push_debug_group("never popped")
        dispatch(encoder, fill, buffer("x"))
    run(commands)


@scene
def open_groups_of_the_command_buffer():
    commands = command_buffer()
    commands.push_debug_group("never popped")
    with compute(commands) as encoder:
        dispatch(encoder, fill, buffer("x"))
    run(commands)


@scene
def empty_encoder():
    commands = command_buffer()
    compute(commands, "idle").end_encoding()
    run(commands)


@scene
def never_committed():
    commands = command_buffer("forgotten")
    with compute(commands) as encoder:
        dispatch(encoder, fill, buffer("x"))


@scene
def changed_in_flight():
    x, y = buffer("x"), buffer("y")
    event = device.new_shared_event()
    commands = command_buffer()
    commands.encode_wait_for_event(event, 1)
    with compute(commands) as encoder:
        dispatch(encoder, add, x, y)
    commands.commit()
    x.contents().view(np.float32)[5] = 1
    event.signaled_value = 1
    commands.wait_until_completed()


@scene
def changed_by_the_device():
    x, y = buffer("x"), buffer("y")
    event, other = device.new_shared_event(), device.new_command_queue()
    other.label = "other"
    commands = command_buffer()
    commands.encode_wait_for_event(event, 1)
    with compute(commands) as encoder:
        dispatch(encoder, add, x, y)
    commands.commit()
    writing = other.command_buffer()
    writing.label = "writing"
    with compute(writing) as encoder:
        dispatch(encoder, fill, x)
    run(writing)
    event.signaled_value = 1
    commands.wait_until_completed()


@scene
def replaced_in_flight():
    source, target = texture("source"), texture("target")
    event = device.new_shared_event()
    commands = command_buffer()
    commands.encode_wait_for_event(event, 1)
    with compute(commands) as encoder:
        encoder.set_compute_pipeline_state(blur)
        encoder.set_texture(source, 0)
        encoder.set_texture(target, 1)
        encoder.dispatch_threads((16, 16, 1), (16, 16, 1))
    commands.commit()
    rows = np.full((16, 16, 4), 7, np.uint8)
    target.replace_region((0, 0, 0), (16, 16, 1), 0, rows.tobytes(), 64)
    event.signaled_value = 1
    commands.wait_until_completed()
    target.replace_region((0, 0, 0), (16, 16, 1), 0, rows.tobytes(), 64)  # nobody uses it any more


@scene
def missing_argument():
    commands = command_buffer()
    with compute(commands) as encoder:
        dispatch(encoder, add, buffer("x"))
    run(commands)


@scene
def no_labels():
    queue = device.new_command_queue()
    x = buffer(None)
    for _ in range(2):  # each is said once
        commands = queue.command_buffer()
        with commands.compute_command_encoder() as encoder:
            dispatch(encoder, fill, x)
        run(commands)


def main() -> None:
    """Run the scenes, with a line before each."""
    import debug_layer_draws  # noqa: F401 - which adds its scenes
    import debug_layer_executions  # noqa: F401

    for function in SCENES:
        print(f"== {function.__name__}", file=sys.stderr, flush=True)
        try:
            function()
        except pm.MetalError as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
