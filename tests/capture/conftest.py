# SPDX-License-Identifier: MIT
"""Captures of a block of code, read again."""

from __future__ import annotations

import contextlib

import pytest

mtlpy_nb = pytest.importorskip("mtlpy_nb")


class Captured:
    """Stands for the file until the block has ended."""

    file: mtlpy_nb.capture.CaptureFile

    def __init__(self, path):
        self.path = path

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __getitem__(self, number):
        return self.file[number]


@pytest.fixture(scope="session")
def device():
    return mtlpy_nb.Device(cache_path=False)


@pytest.fixture
def capturing(device, tmp_path):
    """Capture what runs in a block: `with capturing() as c: ...`, then `c.commands`."""

    @contextlib.contextmanager
    def run(**options):
        captured = Captured(tmp_path / "c.metalcapture")
        with device.start_capture(captured.path, **options):
            yield captured
        captured.file = mtlpy_nb.capture.load(captured.path)

    yield run
    if device.is_capturing:
        mtlpy_nb.metal.shared_capture_manager().stop_capture(wait=False)


@pytest.fixture(scope="session")
def kernels(device):
    """The kernels of `SOURCE`, by name."""
    return device.library(SOURCE)


SOURCE = """
#include <metal_stdlib>
using namespace metal;

struct Particle { float3 position; float mass; uchar kind; };
struct Settings { float scale; int2 shift; };

kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }
kernel void add(device const float* a, device const float* b, device float* sum, uint i [[thread_position_in_grid]])
{
    sum[i] = a[i] + b[i];
}
kernel void move_all(device Particle* particles, constant Settings& settings, uint i [[thread_position_in_grid]])
{
    particles[i].position = particles[i].position * settings.scale + float3(settings.shift.x, settings.shift.y, 0);
    particles[i].kind += 1;
}
kernel void invert(texture2d<float, access::read> source, texture2d<float, access::write> result,
                   uint2 p [[thread_position_in_grid]])
{
    result.write(1 - source.read(p), p);
}
kernel void sampled(texture2d<float> image, sampler how, device float4* result, uint i [[thread_position_in_grid]])
{
    result[i] = image.sample(how, float2(0.5));
}
constant int amount [[function_constant(3)]];
constant bool is_loud [[function_constant(4)]];
kernel void add_amount(device int* x, uint i [[thread_position_in_grid]]) { x[i] += is_loud ? 10 * amount : amount; }
kernel void with_memory(threadgroup int* shared, device int* x, uint i [[thread_position_in_threadgroup]])
{
    shared[i] = x[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    x[i] = shared[31 - i];
}
kernel void wild(device int* x, device ulong* far, uint i [[thread_position_in_grid]])
{
    x[0] = 7;
    *(device int*)(ulong(far) - 0x700000000000ul) = int(i);
}
kernel void look(device const uint* x, device uint* first) { first[0] = x[0]; }
kernel void for_ever(device atomic_int* x) { while (atomic_load_explicit(x, memory_order_relaxed) == 0) {} }
"""
