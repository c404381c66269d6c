# SPDX-License-Identifier: MIT
"""Devices side by side: which there are, that each has its own, and that none takes what is another's."""

import os
import re
import subprocess
import sys

import pytest

import mtlpy_nb

from .conftest import Process

KERNELS = """
SOURCE = '''
#include <metal_stdlib>
using namespace metal;
kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }
kernel void shade(texture2d<float, access::sample> t, sampler s, device float* x, uint i [[thread_position_in_grid]])
{ x[i] = t.sample(s, float2(0)).r; }
[[visible]] float half_of(float x) { return x / 2; }
kernel void calls(visible_function_table<float(float)> f, device float* x, uint i [[thread_position_in_grid]])
{ x[i] = f[0](x[i]); }
struct Given { device float* x [[id(0)]]; texture2d<float> t [[id(1)]]; sampler s [[id(2)]]; };
kernel void given(constant Given& g [[buffer(0)]]) { g.x[0] = 1; }
struct Corner { float4 position [[position]]; };
vertex Corner corner(uint i [[vertex_id]]) { return {float4(i)}; }
'''
"""


@pytest.fixture(scope="module")
def pair(two):
    """The same objects of both devices, in Python's API and in Metal's own."""
    two.run(KERNELS)
    two.run("""
def drawing_with(vertex, linked=None):
    descriptor = pm.RenderPipelineDescriptor()
    descriptor.vertex_function = vertex
    descriptor.vertex_linked_functions = linked
    descriptor.color_attachment(0).pixel_format = pm.PixelFormat.R8Unorm
    return descriptor

def pass_on(target, visible=None):
    descriptor = pm.RenderPassDescriptor()
    descriptor.color_attachment(0).texture = target
    descriptor.visibility_result_buffer = visible
    return descriptor

def everything(device):
    made = {"device": device}
    made["buffer"] = device.buffer(np.ones(64, np.float32))
    made["texture"] = device.empty_texture((8, 8), "rgba8Unorm")
    made["bytes"] = device.buffer(np.zeros(256, np.uint8))
    made["small"] = device.empty_texture((8, 8), "rgba8Unorm", mipmaps=True)
    made["managed"] = device.empty(64, np.float32, mtlpy_nb.StorageMode.MANAGED)
    made["sampler"] = device.sampler()
    made["queue"] = device.queue()
    made["event"] = device.event()
    made["shared"] = device.shared_event()
    made["fence"] = device.fence()
    made["archive"] = device.binary_archive()
    made["library"] = device.library(SOURCE)
    made["twice"] = device.compile(SOURCE, "twice")
    made["shade"] = device.compile(SOURCE, "shade")
    native = made["native"] = device._native
    library = made["native_library"] = native.new_library_with_source(SOURCE)
    for name in ("twice", "half_of", "calls", "given", "corner"):
        made["function_" + name] = library.new_function(name)
    linked = pm.LinkedFunctions()
    linked.functions = [made["function_half_of"]]
    made["linked"] = linked
    descriptor = made["calls_descriptor"] = pm.ComputePipelineDescriptor()
    descriptor.compute_function = made["function_calls"]
    descriptor.linked_functions = linked
    made["calls"] = native.new_compute_pipeline_state(descriptor)
    size = pm.VisibleFunctionTableDescriptor()
    size.function_count = 1
    made["table"] = made["calls"].new_visible_function_table(size)
    made["handle"] = made["calls"].function_handle(made["function_half_of"])
    made["encoder"] = made["function_given"].new_argument_encoder(0)
    made["native_queue"] = native.new_command_queue()
    made["plain"] = native.new_compute_pipeline_state(made["function_twice"])
    target = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.R8Unorm, 4, 4, False)
    target.usage = pm.TextureUsage.RenderTarget
    made["target"] = native.new_texture(target)
    made["drawing"] = native.new_render_pipeline_state(drawing_with(made["function_corner"]))
    made["depth_state"] = native.new_depth_stencil_state(pm.DepthStencilDescriptor())
    return type("Everything", (), made)

A, B, O = everything(a), everything(b), everything(a)

def compute():
    A.open = A.native_queue.command_buffer()
    return A.open.compute_command_encoder()

def blit():
    A.open = A.native_queue.command_buffer()
    return A.open.blit_command_encoder()

def render():
    A.open = A.native_queue.command_buffer()
    return A.open.render_command_encoder(pass_on(A.target))

def archive_with(function, archive):
    descriptor = pm.ComputePipelineDescriptor()
    descriptor.compute_function = function
    descriptor.binary_archives = [archive]
    return descriptor

def linked_with(function, linked):
    descriptor = pm.ComputePipelineDescriptor()
    descriptor.compute_function = function
    descriptor.linked_functions = linked
    return descriptor

zero, eight = pm.Origin(0, 0, 0), pm.Size(8, 8, 1)
""")
    return two


# What A is asked to do with something of B's.
HIGH = [
    "A.twice.run([B.buffer], 64)",
    "A.twice.run([A.buffer], 64, signal_fences=[B.fence])",
    "A.twice.run([A.buffer], 64, wait_fences=[B.fence])",
    "A.twice.run([A.buffer], 64, cb=b.command_buffer())",
    "A.shade.run([A.buffer], 64, textures=[B.texture], samplers=[A.sampler])",
    "A.shade.run([A.buffer], 64, textures=[A.texture], samplers=[B.sampler])",
    "A.library['twice'](B.buffer)",
    "A.library['shade'](B.texture, A.sampler, A.buffer)",
    "A.library['shade'](A.texture, B.sampler, A.buffer)",
    "a.copy_buffer(A.buffer, B.buffer)",
    "a.copy_buffer(B.buffer, A.buffer)",
    "a.blit_upload_texture(B.bytes, A.texture)",
    "a.blit_upload_texture(A.bytes, B.texture)",
    "a.blit_download_texture(B.texture, A.bytes)",
    "a.blit_download_texture(A.texture, B.bytes)",
    "a.command_buffer(B.queue)",
    "a.command_buffer().wait_for_event(B.event, 1)",
    "a.command_buffer().signal_event(B.event, 1)",
    "a.command_buffer().signal_event(B.shared, 1)",
    "a.compile(SOURCE, 'twice', archive=B.archive)",
    "A.buffer + B.buffer",
    "A.buffer < B.buffer",
    "A.buffer.__iadd__(B.buffer)",
]
NATIVE = [
    "compute().set_compute_pipeline_state(B.plain)",
    "compute().set_buffer(B.buffer._buf, 0, 0)",
    "compute().set_texture(B.texture._tex, 0)",
    "compute().set_sampler_state(B.sampler._sampler, 0)",
    "compute().set_visible_function_table(B.table, 0)",
    "compute().set_stage_in_region_indirect(B.buffer._buf, 0)",
    "e = compute(); e.set_compute_pipeline_state(A.plain); e.set_buffer(A.buffer._buf, 0, 0); "
    "e.dispatch_threadgroups_indirect(B.buffer._buf, 0, 32)",
    "compute().update_fence(B.fence._fence)",
    "compute().wait_for_fence(B.fence._fence)",
    "blit().copy_from_buffer_to_buffer(A.buffer._buf, 0, B.buffer._buf, 0, 4)",
    "blit().copy_from_buffer_to_buffer(B.buffer._buf, 0, A.buffer._buf, 0, 4)",
    "blit().fill_buffer(B.buffer._buf, pm.Range(0, 4), 0)",
    "blit().synchronize_resource(B.managed._buf)",
    "blit().copy_from_buffer_to_texture(B.bytes._buf, 0, 32, 256, eight, A.texture._tex, 0, 0, zero)",
    "blit().copy_from_buffer_to_texture(A.bytes._buf, 0, 32, 256, eight, B.texture._tex, 0, 0, zero)",
    "blit().copy_from_texture_to_buffer(B.texture._tex, 0, 0, zero, eight, A.bytes._buf, 0, 32, 256)",
    "blit().copy_from_texture_to_buffer(A.texture._tex, 0, 0, zero, eight, B.bytes._buf, 0, 32, 256)",
    "blit().copy_from_texture_to_texture(A.texture._tex, 0, 0, zero, eight, B.texture._tex, 0, 0, zero)",
    "blit().copy_from_texture_to_texture(B.texture._tex, 0, 0, zero, eight, A.texture._tex, 0, 0, zero)",
    "blit().generate_mipmaps(B.small._tex)",
    "blit().synchronize_texture(B.texture._tex, 0, 0)",
    "blit().optimize_contents_for_gpu_access(B.texture._tex)",
    "blit().optimize_contents_for_cpu_access(B.texture._tex)",
    "blit().update_fence(B.fence._fence)",
    "blit().wait_for_fence(B.fence._fence)",
    "render().set_render_pipeline_state(B.drawing)",
    "render().set_depth_stencil_state(B.depth_state)",
    "render().set_vertex_buffer(B.buffer._buf, 0, 0)",
    "render().set_fragment_texture(B.texture._tex, 0)",
    "render().set_fragment_sampler_state(B.sampler._sampler, 0)",
    "render().use_resource(B.buffer._buf, pm.ResourceUsage.Read)",
    "A.native_queue.command_buffer().render_command_encoder(pass_on(B.target))",
    "A.native_queue.command_buffer().render_command_encoder(pass_on(A.target, B.buffer._buf))",
    "A.native_queue.command_buffer().parallel_render_command_encoder(pass_on(B.target))",
    "A.native.new_render_pipeline_state(drawing_with(B.function_corner))",
    "A.native.new_render_pipeline_state(drawing_with(A.function_corner, B.linked))",
    "A.native_queue.command_buffer().encode_signal_event(B.event._event, 1)",
    "A.native_queue.command_buffer().encode_wait_for_event(B.event._event, 1)",
    "A.native.new_compute_pipeline_state(B.function_twice)",
    "A.native.new_compute_pipeline_state(archive_with(A.function_twice, B.archive._archive))",
    "A.native.new_compute_pipeline_state(linked_with(A.function_calls, B.linked))",
    "A.archive._archive.add_compute_pipeline_functions(archive_with(B.function_twice, A.archive._archive))",
    "A.calls.function_handle(B.function_half_of)",
    "A.table.set_function(B.handle, 0)",
    "A.encoder.set_argument_buffer(B.bytes._buf, 0)",
    "A.encoder.set_argument_buffer(A.bytes._buf, 0); A.encoder.set_buffer(B.buffer._buf, 0, 0)",
    "A.encoder.set_argument_buffer(A.bytes._buf, 0); A.encoder.set_texture(B.texture._tex, 1)",
    "A.encoder.set_argument_buffer(A.bytes._buf, 0); A.encoder.set_sampler_state(B.sampler._sampler, 2)",
    "pm.dispatch(A.native_queue, B.plain, [A.buffer._buf], grid=64, threadgroup=32)",
    "pm.dispatch(A.native_queue, A.plain, [B.buffer._buf], grid=64, threadgroup=32)",
    "pm.copy(A.native_queue, A.buffer._buf, 0, B.buffer._buf, 0, 4)",
    "pm.copy_to_texture(A.native_queue, B.bytes._buf, 0, 0, 0, A.texture._tex)",
    "pm.copy_from_texture(A.native_queue, A.texture._tex, B.bytes._buf, 0, 0, 0)",
]


@pytest.mark.parametrize("code", [*HIGH, *NATIVE])
def test_what_is_another_devices_is_refused(pair, code):
    pair.run(re.sub(r"\bB\.", "O." if "copy" in code else "A.", code).replace("b.command_buffer", "a.command_buffer"))
    classes, text = pair.fails(code)
    assert "ValueError" in classes, text
    assert "another device" in text.lower() or "different Device" in text, text


def test_both_go_on_afterwards(pair):
    for device in "AB":
        pair.run(f"{device}.buffer.fill(3); {device}.twice.run([{device}.buffer], 64)")
        pair.run(f"assert ({device}.buffer.numpy() == 6).all()")


def test_each_has_a_name_and_an_identity(two):
    two.run("assert mtlpy_nb.list_devices() == [a.name, b.name]")
    two.run("assert '1 of 2' in a.name and '2 of 2' in b.name and a._native.registry_id != b._native.registry_id")
    two.run("assert '2 threads' in a.name and '1 thread)' in b.name")
    two.run("assert mtlpy_nb.Device().name == mtlpy_nb.Device(-1).name == mtlpy_nb.Device(-7).name == a.name")
    two.run("assert a.mtl_ptr != b.mtl_ptr")


def test_index_out_of_range():
    count = len(mtlpy_nb.list_devices())
    with pytest.raises(RuntimeError, match=rf"GPU index {count} out of range \(see mtlpy_nb.list_devices\(\)"):
        mtlpy_nb.Device(count)


@pytest.mark.parametrize("index", ["1", 1.5, True, [0]])
def test_index_of_a_wrong_type(index):
    with pytest.raises(TypeError, match="index must be an int or None"):
        mtlpy_nb.Device(index)


def test_worker_threads_are_split(two):
    code = "from mtlpy_nb import _native as n\n"
    two.run(code + "assert [n.device_thread_count(d._native) for d in (a, b)] == [2, 1] and n.thread_count() == 3")
    two.run("n.set_thread_count(8); assert [n.device_thread_count(d._native) for d in (a, b)] == [4, 4]")
    two.run("n.set_thread_count(1); assert [n.device_thread_count(d._native) for d in (a, b)] == [1, 1]")
    two.run("n.set_thread_count(3)")


def test_a_kernel_that_never_ends_does_not_hold_up_the_other_device(two):
    two.run(KERNELS)
    two.run("""
endless = '''
#include <metal_stdlib>
using namespace metal;
kernel void endless(device atomic_uint* a) { while (atomic_load_explicit(a, memory_order_relaxed) == 0) {} }
'''
flag = a.buffer(np.zeros(256, np.uint32))
handle = a.library(endless)["endless"](flag, grid=(4, 4), threadgroup=1, wait=False)
x = b.library(SOURCE)["twice"](np.ones(100_000, np.float32))
assert (x == 2).all() and not handle.done()
flag.fill(1)
handle.wait()
""")


def test_each_counts_its_own_memory(two):
    two.run("gc.collect(); before = a.current_allocated_size, b.current_allocated_size")
    two.run("x = a.buffer(1 << 20); assert a.current_allocated_size == before[0] + (4 << 20)")
    two.run("t = b.empty_texture((512, 512), 'rgba8Unorm'); assert b.current_allocated_size >= before[1] + (1 << 20)")
    two.run("assert a.current_allocated_size == before[0] + (4 << 20)")
    two.run("del x, t; assert (a.current_allocated_size, b.current_allocated_size) == before")


def test_each_has_its_own_pipelines(two):
    two.run(KERNELS)
    two.run("c, d = mtlpy_nb.Device(0, cache_path=False), mtlpy_nb.Device(1, cache_path=False)")
    two.run("c.compile(SOURCE, 'twice'); assert (c.pipeline_cache_size, d.pipeline_cache_size) == (1, 0)")
    two.run("d.compile(SOURCE, 'twice'); assert (c.pipeline_cache_size, d.pipeline_cache_size) == (1, 1)")
    two.run("assert c.compile(SOURCE, 'twice')._pipeline.device is c._native")


def test_a_shared_event_goes_from_one_device_to_the_other(two):
    two.run("""
event = a.shared_event()
there = b.import_shared_event(event.export_handle())
first, second = a.command_buffer(), b.command_buffer()
second.wait_for_event(there, 1)
second.signal_event(there, 2)
second.commit(wait=False)
first.signal_event(event, 1)
first.commit()
assert event.wait(2)
""")


def test_the_notebook_chooses(two):
    two.run("""
from IPython.core.interactiveshell import InteractiveShell
import contextlib, io
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "mtlpy_nb")
with contextlib.redirect_stdout(io.StringIO()) as said:
    shell.run_line_magic("metal", "devices")
    shell.run_line_magic("metal", "use 1")
    shell.run_line_magic("metal", "devices")
lines = said.getvalue().splitlines()
assert [line[:4] for line in lines] == ["* 0 ", "  1 ", "mtlp", "  0 ", "* 1 "], lines
shell.run_cell_magic("metal", "", "kernel void one(device float* x) { x[0] = 1; }")
assert shell.user_ns["one"].device.name == b.name == mtlpy_nb.default_device().name
mtlpy_nb.set_default_device(None)
""")


@pytest.mark.parametrize(
    ("count", "shown"), [("2", ["1 of 2", "2 of 2"]), ("many", ["MTLPY_SOFTWARE_DEVICES is 'many'", "from 1 to 64"])]
)
def test_doctor_shows_them(count, shown):
    environment = {**os.environ, "MTLPY_SOFTWARE_DEVICES": count}
    command = [sys.executable, "-m", "mtlpy_nb", "doctor"]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False).stdout
    for text in shown:
        assert text in said


@pytest.mark.parametrize("count", ["0", "65", "two", "1.5", "-1", ""])
def test_a_number_of_devices_that_is_none_is_not_followed(count):
    process = Process(MTLPY_SOFTWARE_DEVICES=count)
    process.run("import mtlpy_nb; names = mtlpy_nb.list_devices(); assert len(names) == 1 and ' of ' not in names[0]")
    process.end()
