# SPDX-License-Identifier: MIT
"""Scenes of commands in memory, for debug_layer_program.py."""

from __future__ import annotations

from debug_layer_draws import library as stages
from debug_layer_draws import look_at, places, render, target
from debug_layer_stage import buffer, command_buffer, compute, device, run, scene

import mtlpy_nb.metal as pm

library = device.new_library_with_source("""
#include <metal_stdlib>
using namespace metal;
kernel void raise(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] += 1; }
""")


def raising():
    form = pm.ComputePipelineDescriptor()
    form.compute_function = library.new_function("raise")
    form.support_indirect_command_buffers = True
    return device.new_compute_pipeline_state(form)


def commands_in_memory(types, count=4, label="commands", **settings):
    form = pm.IndirectCommandBufferDescriptor()
    form.command_types = types
    form.inherit_buffers = form.inherit_pipeline_state = False
    form.max_kernel_buffer_bind_count = form.max_vertex_buffer_bind_count = 2
    for name, value in settings.items():
        setattr(form, name, value)
    made = device.new_indirect_command_buffer(form, count, 0)
    made.label = label
    return made


def dispatches(*buffers):
    made = commands_in_memory(pm.IndirectCommandTypeConcurrentDispatchThreads)
    for index, bound in enumerate(buffers):
        command = made.indirect_compute_command(index)
        command.set_compute_pipeline_state(raising())
        command.set_kernel_buffer(bound, 0, 0)
        command.concurrent_dispatch_threads(4, 4)
    return made


@scene
def dispatches_in_memory():
    x, y = buffer("x"), buffer("y")
    form = pm.HeapDescriptor()
    form.size, form.storage_mode = 1 << 16, pm.StorageMode.Shared
    heap = device.new_heap(form)
    z = heap.new_buffer(64, 0)
    z.label = "z"
    made = dispatches(x, y, z)
    commands = command_buffer()
    with compute(commands) as encoder:
        encoder.use_resources([x, y], pm.ResourceUsage.Read | pm.ResourceUsage.Write)
        encoder.use_heaps([heap])
        encoder.execute_commands_in_buffer(made, (0, 4))
    run(commands)


@scene
def dispatches_of_what_nobody_named():
    x, y = buffer("x"), buffer("y")
    commands = command_buffer()
    with compute(commands) as encoder:
        encoder.use_resource(x, pm.ResourceUsage.Read | pm.ResourceUsage.Write)
        encoder.execute_commands_in_buffer(dispatches(x, y), (0, 2))
    run(commands)


@scene
def dispatches_that_are_empty():
    commands = command_buffer()
    with compute(commands) as encoder:
        encoder.execute_commands_in_buffer(dispatches(buffer("x")), (1, 3))
    run(commands)


@scene
def dispatches_that_the_device_copies():
    x = buffer("x")
    source, copy = dispatches(x), dispatches()
    commands = command_buffer()
    with commands.blit_command_encoder() as encoder:
        encoder.label = "copy"
        encoder.copy_indirect_command_buffer(source, (0, 1), copy, 0)
    with compute(commands) as encoder:
        encoder.use_resource(x, pm.ResourceUsage.Read | pm.ResourceUsage.Write)
        encoder.execute_commands_in_buffer(copy, (0, 1))
    run(commands)


@scene
def dispatches_of_a_command_buffer_under_way():
    x = buffer("x")
    source, copy, event = dispatches(x), dispatches(), device.new_shared_event()
    first, second = command_buffer(), command_buffer()
    first.encode_wait_for_event(event, 1)
    with first.blit_command_encoder() as encoder:
        encoder.label = "copy"
        encoder.copy_indirect_command_buffer(source, (0, 1), copy, 0)
    first.commit()
    with compute(second) as encoder:
        encoder.use_resource(x, pm.ResourceUsage.Read | pm.ResourceUsage.Write)
        encoder.execute_commands_in_buffer(copy, (0, 1))
    event.signaled_value = 1
    run(second)


def draws(vertices, inherits=False):
    form = pm.RenderPipelineDescriptor()
    form.vertex_function, form.fragment_function = stages.new_function("pulled"), stages.new_function("white")
    form.color_attachment(0).pixel_format = pm.PixelFormat.RGBA8Unorm
    form.support_indirect_command_buffers = True
    form.label = "in memory"
    made = commands_in_memory(pm.IndirectCommandTypeDraw, inherit_buffers=inherits)
    command = made.indirect_render_command(1)
    command.set_render_pipeline_state(device.new_render_pipeline_state(form))
    if not inherits:
        command.set_vertex_buffer(vertices, 0, 0)
    command.draw_primitives(pm.PrimitiveType.Triangle, 0, 3)
    return made


@scene
def draws_in_memory():
    vertices, picture = places(), target()
    commands = command_buffer()
    with render(commands, picture) as encoder:
        encoder.use_resource(vertices, pm.ResourceUsage.Read)
        encoder.execute_commands_in_buffer(draws(vertices), (0, 4))
        encoder.set_vertex_buffer(vertices, 0, 0)
        encoder.execute_commands_in_buffer(draws(vertices, inherits=True), (0, 4))
    run(commands)
    look_at(picture)


@scene
def draws_of_what_nobody_named():
    vertices, picture = places(), target()
    commands = command_buffer()
    with render(commands, picture) as encoder:
        encoder.execute_commands_in_buffer(draws(vertices), (0, 4))
    run(commands)
    look_at(picture)


@scene
def commands_that_meet_in_an_untracked_buffer():
    x = buffer("x", pm.ResourceHazardTrackingModeUntracked)
    made = dispatches(x)
    commands = command_buffer()
    for label in ("first", "second"):
        with compute(commands, label) as encoder:
            encoder.use_resource(x, pm.ResourceUsage.Read | pm.ResourceUsage.Write)
            encoder.execute_commands_in_buffer(made, (0, 1))
    run(commands)
