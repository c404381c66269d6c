# SPDX-License-Identifier: MIT
"""Scenes of render passes and draws, for debug_layer_program.py."""

from __future__ import annotations

import threading

import numpy as np
from debug_layer_stage import buffer, command_buffer, compute, device, queue, run, scene

import mtlpy_nb.metal as pm

SOURCE = """
#include <metal_stdlib>
using namespace metal;

struct In { float4 position [[attribute(0)]]; };
struct Out { float4 position [[position]]; };
vertex Out fetched(In in [[stage_in]]) { return {in.position}; }
vertex Out pulled(device const float4* places [[buffer(0)]], uint i [[vertex_id]]) { return {places[i]}; }

fragment float4 white() { return 1; }
fragment float4 picked(texture2d<float> picture [[texture(0)]], Out in [[stage_in]])
{ return picture.read(uint2(in.position.xy)); }
fragment float4 counted(device atomic_uint& count [[buffer(1)]])
{ atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); return 1; }
fragment float4 scaled(device const float& scale [[buffer(1)]]) { return scale; }

kernel void sum(texture2d<float> picture [[texture(0)]], device float* out [[buffer(0)]])
{ out[0] = picture.read(uint2(0)).x; }
"""

SIDE = 16
library = device.new_library_with_source(SOURCE)
COLOR = pm.PixelFormat.RGBA8Unorm
ALL = np.float32([[-1, -1, 0, 1], [3, -1, 0, 1], [-1, 3, 0, 1]])
_pipelines = {}


def pipeline(fragment, vertex="pulled", *, label="lit", color=COLOR, samples=1):
    key = fragment, vertex, label, color, samples
    if key not in _pipelines:
        form = pm.RenderPipelineDescriptor()
        form.vertex_function, form.fragment_function = library.new_function(vertex), library.new_function(fragment)
        form.color_attachment(0).pixel_format, form.raster_sample_count = color, samples
        form.label = label
        if vertex == "fetched":
            form.vertex_descriptor.attribute(0).format = pm.VertexFormat.Float4
            form.vertex_descriptor.layout(0).stride = 16
        _pipelines[key] = device.new_render_pipeline_state(form)
    return _pipelines[key]


def target(label="target", untracked=False):
    form = pm.TextureDescriptor.texture2d_descriptor(COLOR, SIDE, SIDE, False)
    if untracked:
        form.hazard_tracking_mode = pm.HazardTrackingMode.Untracked
    made = device.new_texture(form)
    made.label = label
    return made


def pass_on(texture, load=pm.LoadAction.Clear, store=pm.StoreAction.Store):
    form = pm.RenderPassDescriptor()
    color = form.color_attachment(0)
    color.texture, color.load_action, color.store_action = texture, load, store
    return form


def render(commands, texture, label="draws", **actions):
    encoder = commands.render_command_encoder(pass_on(texture, **actions))
    encoder.label = label
    return encoder


def places(label="places"):
    made = device.new_buffer_with_data(ALL)
    made.label = label
    return made


def draw(encoder, fragment, *, picture=None, data=None, state=None):
    encoder.set_render_pipeline_state(state or pipeline(fragment))
    encoder.set_vertex_buffer(places(), 0, 0)
    if picture is not None:
        encoder.set_fragment_texture(picture, 0)
    if data is not None:
        encoder.set_fragment_buffer(data, 0, 1)
    encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 3)


def look_at(texture):
    texture.download(np.empty((SIDE, SIDE, 4), np.uint8))


@scene
def draws_that_are_right():
    first, second = target("first"), target("second")
    commands = command_buffer()
    with render(commands, first, "one") as encoder:
        draw(encoder, "white", state=pipeline("white", label="the usual vertex function"))
        draw(encoder, "counted", data=buffer("count"))
        draw(encoder, "counted", data=buffer("other count"))
    with render(commands, second, "two") as encoder:
        draw(encoder, "picked", picture=first)
    with render(commands, second, "three", load=pm.LoadAction.Load) as encoder:
        encoder.set_viewport(-8, -8, 32, 32, 0, 1)
        encoder.set_scissor_rect(4, 4, 4, 4)
        draw(encoder, "white")
    run(commands)
    look_at(second)


@scene
def counts_of_one_pass_may_be_one():
    count = buffer("count")
    commands = command_buffer()
    picture = target()
    with render(commands, picture) as encoder:
        draw(encoder, "counted", data=count)
        draw(encoder, "counted", data=count)
    run(commands)
    look_at(picture)


def draws_meet(barrier):
    count, picture = buffer("count"), target()
    commands = command_buffer()
    with render(commands, picture) as encoder:
        draw(encoder, "counted", data=count)
        if barrier:
            encoder.memory_barrier([count], pm.RenderStages.Fragment, pm.RenderStages.Fragment)
        draw(encoder, "scaled", data=count)
    run(commands)
    look_at(picture)


@scene
def draws_of_one_pass_meet():
    draws_meet(barrier=False)


@scene
def draws_with_a_barrier():
    draws_meet(barrier=True)


@scene
def reads_its_target():
    picture = target()
    picture.replace_region(bytes(SIDE * SIDE * 4), SIDE * 4, 0, 0, SIDE, SIDE)
    commands = command_buffer()
    with render(commands, picture) as encoder:
        draw(encoder, "picked", picture=picture)
    run(commands)
    look_at(picture)


def passes_meet(fenced):
    picture, seen, fence = target("shadow", untracked=True), target("seen"), device.new_fence()
    commands = command_buffer()
    with render(commands, picture, "shadow pass") as encoder:
        draw(encoder, "white")
        if fenced:
            encoder.update_fence(fence)
    with render(commands, seen, "main pass") as encoder:
        if fenced:
            encoder.wait_for_fence(fence)
        draw(encoder, "picked", picture=picture)
    run(commands)
    look_at(seen)


@scene
def passes_without_a_fence():
    passes_meet(fenced=False)


@scene
def passes_with_a_fence():
    passes_meet(fenced=True)


@scene
def levels_of_one_texture_are_apart():
    form = pm.TextureDescriptor.texture2d_descriptor(COLOR, SIDE, SIDE, True)
    picture = device.new_texture(form)
    picture.label = "mips"
    picture.replace_region(bytes(SIDE * SIDE * 4), SIDE * 4, 0, 0, SIDE, SIDE)
    above = picture.new_texture_view(COLOR, pm.TextureType.Type2D, pm.Range(0, 1), pm.Range(0, 1))
    commands = command_buffer()
    form = pass_on(picture)
    form.color_attachment(0).level = 1
    with commands.render_command_encoder(form) as encoder:
        encoder.label = "level 1"
        draw(encoder, "picked", picture=above)
    run(commands)
    picture.download(np.empty((8, 8, 4), np.uint8), level=1)


@scene
def loads_what_was_never_written():
    picture = target()
    commands = command_buffer()
    with render(commands, picture, load=pm.LoadAction.Load) as encoder:
        draw(encoder, "white")
    run(commands)
    look_at(picture)


@scene
def loads_what_was_thrown_away():
    picture = target()
    commands = command_buffer()
    with render(commands, picture, "first", store=pm.StoreAction.DontCare) as encoder:
        draw(encoder, "white")
    with render(commands, picture, "second", load=pm.LoadAction.Load) as encoder:
        draw(encoder, "white")
    run(commands)
    look_at(picture)


@scene
def reads_what_was_never_written():
    picture = target()
    commands = command_buffer()
    with render(commands, picture) as encoder:
        draw(encoder, "picked", picture=target("nothing"))
    run(commands)
    look_at(picture)


@scene
def stores_for_nobody():
    picture = target()
    commands = command_buffer()
    for label in ("first", "second"):
        with render(commands, picture, label) as encoder:
            draw(encoder, "white")
    run(commands)
    look_at(picture)


@scene
def what_a_kernel_read_was_not_for_nobody():
    picture = target()
    commands = command_buffer()
    with render(commands, picture, "first") as encoder:
        draw(encoder, "white")
    with compute(commands) as encoder:
        encoder.set_compute_pipeline_state(device.new_compute_pipeline_state(library.new_function("sum")))
        encoder.set_texture(picture, 0)
        encoder.set_buffer(buffer("sum"), 0, 0)
        encoder.dispatch_threads(1, 1)
    with render(commands, picture, "second") as encoder:
        draw(encoder, "white")
    run(commands)
    look_at(picture)


def seen_through(viewport, scissor=None):
    picture = target()
    commands = command_buffer()
    with render(commands, picture) as encoder:
        encoder.set_viewport(viewport)
        if scissor is not None:
            encoder.set_scissor_rect(scissor)
        draw(encoder, "white")
        draw(encoder, "white")  # each state is looked at once
    run(commands)
    look_at(picture)


@scene
def viewport_outside():
    seen_through((20, 0, 16, 16, 0, 1))


@scene
def viewport_empty():
    seen_through((0, 0, 16, 0, 0, 1))


@scene
def scissor_empty():
    seen_through((0, 0, 16, 16, 0, 1), (2, 3, 0, 4))


@scene
def viewport_and_scissor_apart():
    seen_through((0, 0, 4, 4, 0, 1), (8, 8, 4, 4))


@scene
def index_without_vertex():
    order = device.new_buffer_with_data(np.uint16([0, 1, 2, 0xFFFF, 2, 3]))
    order.label = "order"
    picture = target()
    commands = command_buffer()
    with render(commands, picture) as encoder:
        encoder.set_render_pipeline_state(pipeline("white", "fetched", label="by index"))
        encoder.set_vertex_buffer(places(), 0, 0)
        kind = pm.PrimitiveType.TriangleStrip
        encoder.draw_indexed_primitives(kind, 3, pm.IndexType.UInt16, order, 0)
        encoder.draw_indexed_primitives(kind, 6, pm.IndexType.UInt16, order, 0)
        encoder.draw_indexed_primitives(kind, 3, pm.IndexType.UInt16, order, 0, 1, 5, 0)
    run(commands)
    look_at(picture)


@scene
def misaligned_vertices():
    picture = target()
    commands = command_buffer()
    with render(commands, picture) as encoder:
        encoder.set_render_pipeline_state(pipeline("white"))
        encoder.set_vertex_buffer(buffer("places"), 4, 0)
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 3)
    run(commands)


@scene
def formats_differ():
    commands = command_buffer()
    with render(commands, target()) as encoder:
        encoder.set_render_pipeline_state(pipeline("white", color=pm.PixelFormat.BGRA8Unorm))
    run(commands)


@scene
def sample_counts_differ():
    commands = command_buffer()
    with render(commands, target()) as encoder:
        encoder.set_render_pipeline_state(pipeline("white", label="smooth", samples=4))
    run(commands)


@scene
def scissor_outside():
    commands = command_buffer()
    with render(commands, target()) as encoder:
        encoder.set_scissor_rect(8, 0, 9, 16)
    run(commands)


@scene
def no_pipeline():
    encoder = render(command_buffer(), target())
    encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 3)


@scene
def missing_vertices():
    encoder = render(command_buffer(), target())
    encoder.set_render_pipeline_state(pipeline("white"))
    encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 3)


@scene
def ended_twice():
    commands = command_buffer()
    encoder = render(commands, target())
    encoder.end_encoding()
    encoder.end_encoding()


@scene
def draws_without_labels():
    commands = queue.command_buffer()
    commands.label = "frame"
    form = pm.TextureDescriptor.texture2d_descriptor(COLOR, SIDE, SIDE, False)
    picture = device.new_texture(form)
    for _ in range(2):  # each is said once
        with commands.render_command_encoder(pass_on(picture)) as encoder:
            draw(encoder, "white", state=pipeline("white", label=""))
        with commands.blit_command_encoder() as blit:
            blit.label = "out"
            out = buffer("out")
            blit.copy_from_texture_to_buffer(
                picture, 0, 0, (0, 0, 0), (SIDE, SIDE, 1), out, 0, SIDE * 4, SIDE * SIDE * 4
            )
    run(commands)


@scene
def several_threads_draw_in_one_pass():
    picture, count = target(), buffer("count")
    commands = command_buffer()
    parallel = commands.parallel_render_command_encoder(pass_on(picture))
    parallel.label = "all"
    for state in "white", "counted":
        pipeline(state)
    parts = [parallel.render_command_encoder() for _ in range(4)]

    def encode(part):
        for _ in range(50):
            draw(part, "counted", data=count)
        part.end_encoding()

    threads = [threading.Thread(target=encode, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    parallel.end_encoding()
    run(commands)
    look_at(picture)
