# SPDX-License-Identifier: MIT
"""[[required_threads_per_threadgroup]] and [[user_annotation]], on functions and their pipelines."""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb
import mtlpy_nb.metal as pm

SOURCE = """#include <metal_stdlib>
using namespace metal;
constant constexpr uint width = 8;
[[required_threads_per_threadgroup(width, 4), user_annotation("of tiles")]]
kernel void tiles(device uint2* out, uint2 p [[thread_position_in_grid]], uint2 n [[threads_per_grid]],
                  uint2 size [[dispatch_threads_per_threadgroup]]) { out[p.y * n.x + p.x] = size; }
kernel void any(device uint* out, uint i [[thread_position_in_grid]]) { out[i] = 1; }
[[kernel, required_threads_per_threadgroup(64, 64)]] void tooMany(device uint* out) { out[0] = 1; }
template <typename T> [[user_annotation("for all"), kernel]] void fill(device T* out) { out[0] = 1; }
template [[host_name("fill_int")]] [[kernel]] void fill<int>(device int*);
template [[host_name("fill_float"), user_annotation("for floats"), kernel]] void fill<float>(device float*);
"""


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


@pytest.fixture(scope="module")
def library(device):
    return device.library(SOURCE)


def test_a_call_takes_the_size_that_the_kernel_requires(library) -> None:
    out = np.zeros((8, 16, 2), np.uint32)
    library["tiles"](out, grid=(16, 8))
    np.testing.assert_array_equal(out, np.broadcast_to([8, 4], out.shape))


@pytest.mark.parametrize("size", [32, (4, 8), (8, 4, 2)])
def test_a_call_with_another_size_is_refused(library, size) -> None:
    with pytest.raises(
        mtlpy_nb.ValidationError, match=r"tiles: threadgroup is \(.*\), this kernel requires \(8, 4, 1\)"
    ):
        library["tiles"](np.zeros((8, 16, 2), np.uint32), grid=(16, 8), threadgroup=size)


def test_run_takes_it_too(device) -> None:
    pipeline = device.compile(SOURCE, "tiles")
    out = device.buffer(np.zeros((8, 16, 2), np.uint32))
    pipeline.run([out], grid=(16, 8))
    np.testing.assert_array_equal(out.numpy(), np.broadcast_to([8, 4], (8, 16, 2)))
    with pytest.raises(mtlpy_nb.ValidationError, match=r"threadgroup is \(32, 1\), this kernel requires \(8, 4, 1\)"):
        pipeline.run([out], grid=(16, 8), threadgroup=(32, 1))


@pytest.fixture(scope="module")
def native():
    device = pm.create_system_default_device()
    return device, device.new_library_with_source(SOURCE)


def test_an_encoder_refuses_other_sizes(native) -> None:
    device, library = native
    pipeline = device.new_compute_pipeline_state(library.new_function("tiles"))
    assert pipeline.required_threads_per_threadgroup == pm.Size(8, 4, 1)
    out = device.new_buffer(16 * 8 * 8)
    encoder = device.new_command_queue().command_buffer().compute_command_encoder()
    encoder.set_compute_pipeline_state(pipeline)
    encoder.set_buffer(out, 0, 0)
    for dispatch in (encoder.dispatch_threads, encoder.dispatch_threadgroups):
        with pytest.raises(mtlpy_nb.ValidationError, match=r"is \(4, 8, 1\), kernel tiles requires \(8, 4, 1\)"):
            dispatch((16, 8, 1), (4, 8, 1))
        dispatch((16, 8, 1), (8, 4, 1))
    encoder.end_encoding()


def test_the_host_may_require_a_size(native) -> None:
    device, library = native
    descriptor = pm.ComputePipelineDescriptor()
    descriptor.compute_function = library.new_function("any")
    assert descriptor.required_threads_per_threadgroup == pm.Size(0, 0, 0)
    descriptor.required_threads_per_threadgroup = (16, 2, 1)
    assert device.new_compute_pipeline_state(descriptor).required_threads_per_threadgroup == pm.Size(16, 2, 1)
    descriptor.compute_function = library.new_function("tiles")
    with pytest.raises(mtlpy_nb.PipelineError, match=r"is \(16, 2, 1\), but function 'tiles' requires \(8, 4, 1\)"):
        device.new_compute_pipeline_state(descriptor)


def test_more_threads_than_a_threadgroup_can_have(native) -> None:
    device, library = native
    with pytest.raises(
        mtlpy_nb.PipelineError, match=r"'tooMany' requires threadgroups of \(64, 64, 1\).*product <= 1024"
    ):
        device.new_compute_pipeline_state(library.new_function("tooMany"))


@pytest.mark.parametrize("sizes", ["0", "8, 0", "-1", "8, 8.5"])
def test_sizes_are_positive_integers(device, sizes) -> None:
    with pytest.raises(mtlpy_nb.CompileError, match="attribute requires a positive integral constant expression"):
        device.library(f"[[kernel, required_threads_per_threadgroup({sizes})]] void f(device int* p) {{ p[0] = 1; }}")


def test_annotations_are_told_and_inherited(native) -> None:
    _, library = native
    told = {name: library.new_function(name).info.user_annotation for name in library.function_names}
    assert told == {
        "tiles": "of tiles", "any": "", "tooMany": "", "fill_int": "for all", "fill_float": "for floats",
    }  # fmt: skip


@pytest.mark.parametrize("attribute", ['user_annotation("x")', "required_threads_per_threadgroup(8)"])
def test_older_languages_have_neither(device, attribute) -> None:
    source = f"[[kernel, {attribute}]] void f(device int* p) {{ p[0] = 1; }}"
    assert device.library(source, options={"std": "4.0"}).functions == ("f",)
    name = attribute.partition("(")[0]
    with pytest.raises(mtlpy_nb.CompileError, match=f"'{name}' attribute requires Metal language standard metal4.0 or"):
        device.library(source, options={"std": "3.2"})
