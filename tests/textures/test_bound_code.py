# SPDX-License-Identifier: MIT
"""Code for the formats and sampler states that are bound gives the same bits as code for any."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mtlpy_nb
from mtlpy_nb._pixel_formats import can_be_written
from mtlpy_nb.utils import PIXEL_FORMATS

SOURCE = """
// {policy}
#include <metal_stdlib>
using namespace metal;
kernel void access(texture2d<{scalar}, access::read> from, device const uint2* at, device {scalar}4* out,
                   uint i [[thread_position_in_grid]])
{{
    out[i] = from.read(at[i]);
}}
kernel void row(texture2d<{scalar}, access::read> from, device {scalar}4* out, uint2 p [[thread_position_in_grid]],
                uint2 size [[threads_per_grid]])
{{
    out[p.y * size.x + p.x] = from.read(p - uint2(1, 2));
}}
kernel void put(texture2d<{scalar}, access::write> to, device const {scalar}4* in,
                uint2 p [[thread_position_in_grid]], uint2 size [[threads_per_grid]])
{{
    to.write(in[p.y * size.x + p.x], p);
}}
"""
SAMPLE = """
// {policy}
#include <metal_stdlib>
using namespace metal;
kernel void look(texture{kind}<float> from, sampler s, device const float4* at, device float4* out,
                 uint i [[thread_position_in_grid]])
{{
    const float4 p = at[i];
    out[i] = from.sample(s, {place});
}}
"""
PLACES = {
    "1d": "p.x",
    "1d_array": "p.x, uint(p.w)",
    "2d": "p.xy, level(p.w), int2(-1, 2)",
    "2d_array": "p.xy, uint(p.w), level(p.w)",
    "3d": "p.xyz, level(p.w)",
}
SHAPES = {"1d": (37,), "1d_array": (3, 37), "2d": (13, 37), "2d_array": (3, 13, 37), "3d": (5, 13, 37)}
WIDTH, HEIGHT = 38, 13
POLICIES = ("never", "now")


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


@pytest.fixture(scope="module")
def call(device):
    """Run a kernel of a source under a policy; its pipelines are kept."""
    kernels = {}

    def run(policy, text, name, *arguments, grid, **words):
        source = text.format(policy=policy, **words)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("MTLPY_BOUND_CODE", policy)
            if (source, name) not in kernels:
                kernels[source, name] = device.library(source)[name]
            kernels[source, name](*arguments, grid=grid)

    return run


def filled(device, rng, shape, pixel_format, **options):
    """A texture of random bytes, so that there are infinities and what is no number among floats."""
    texture = device.empty_texture(shape, pixel_format, **options)
    pixels = np.zeros_like(texture.numpy())
    texture.upload(rng.integers(0, 256, pixels.nbytes, np.uint8).view(pixels.dtype).reshape(pixels.shape))
    return texture


def bits(array):
    return np.ascontiguousarray(array).view(np.uint8)


SCALARS = {"float": np.float32, "int": np.int32, "uint": np.uint32}
EDGES = np.array([0, 1, 2, 12, 13, 36, 37, 38, 39, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF], np.uint32)
NUMBERS = np.array(
    [0, -0.0, 0.5, 1, -1, 2, -2, np.nan, np.inf, -np.inf, 1e-40, 65504, 65520, 1e38, 0.00392, 0.25, 1e-7, 6e-8],
    np.float32,
)


@pytest.mark.parametrize("name", PIXEL_FORMATS)
def test_reading_and_writing(device, call, rng, name):
    scalar = PIXEL_FORMATS[name].msl_scalar_type
    kind = SCALARS[scalar]
    texture = filled(device, rng, (HEIGHT, WIDTH), name)
    inside = np.stack([rng.integers(0, WIDTH, 200), rng.integers(0, HEIGHT, 200)], -1).astype(np.uint32)
    at = np.concatenate([np.stack(np.meshgrid(EDGES, EDGES), -1).reshape(-1, 2), inside])
    values = rng.normal(0, 1, (HEIGHT + 1, WIDTH + 3, 4)).astype(np.float32)
    values.reshape(-1)[: 4 * len(NUMBERS)] = np.repeat(NUMBERS, 4)
    if scalar != "float":
        values = rng.integers(-(2**31), 2**31, values.shape).astype(np.int32).view(kind)
        values[1:3] >>= 24
    results = {}
    for policy in POLICIES:
        scattered, rows = np.zeros((len(at), 4), kind), np.zeros((HEIGHT + 4, WIDTH + 4, 4), kind)
        call(policy, SOURCE, "access", texture, at, scattered, grid=len(at), scalar=scalar)
        call(policy, SOURCE, "row", texture, rows, grid=rows.shape[1::-1], scalar=scalar)
        results[policy] = [bits(scattered), bits(rows)]
        if can_be_written(name):
            to = device.empty_texture((HEIGHT, WIDTH), name)
            call(policy, SOURCE, "put", to, values, grid=values.shape[1::-1], scalar=scalar)
            results[policy].append(bits(to.numpy()))
    for general, bound in zip(*results.values(), strict=True):
        assert np.array_equal(general, bound)


ADDRESSES = ["clamp_to_edge", "repeat", "mirrored_repeat", "mirror_clamp_to_edge", "clamp_to_zero", "clamp_to_border"]
FORMATS = ["r8Unorm", "rgba8Unorm", "bgra8Unorm_srgb", "r16Float", "rgba16Float", "r32Float", "rgba32Float"]
COORDINATES = [0, 1, -1, 0.5, 1.5, -0.001, 1e-6, 36.5, 37, 1e9, -1e9, 3e38, np.nan, np.inf, -np.inf, 0.999999, 2.25]


@settings(max_examples=25)
@given(
    kind=st.sampled_from(list(PLACES)),
    pixel_format=st.sampled_from(FORMATS),
    linear=st.booleans(),
    address=st.tuples(*[st.sampled_from(ADDRESSES)] * 3),
    mip_filter=st.sampled_from(["none", "nearest", "linear"]),
    border=st.sampled_from(["transparent_black", "opaque_black", "opaque_white"]),
    normalized=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_sampling(device, call, kind, pixel_format, linear, address, mip_filter, border, normalized, seed):
    rng = np.random.default_rng(seed)
    if not normalized:
        mip_filter, address = "none", ("clamp_to_edge", "clamp_to_zero", "clamp_to_border")
    has_levels = normalized and kind in ("2d", "2d_array", "3d")
    texture = filled(device, rng, SHAPES[kind], pixel_format, kind=kind, mipmaps=3 if has_levels else 1)
    for level in range(1, 3 if has_levels else 1):
        texture.upload(texture.download()[tuple(slice(0, n) for n in texture.level_shape(level))], level)
    sampler = device.sampler(linear, address=address, mip_filter=mip_filter, border_color=border, normalized=normalized)
    at = rng.choice(np.array(COORDINATES, np.float32), (130, 4))
    at[64:] = rng.uniform(-0.5, 1.5, at[64:].shape) * (1 if normalized else WIDTH)
    at[:, 3] = rng.uniform(0, 2.5, len(at))
    results = []
    for policy in POLICIES:
        out = np.zeros((len(at), 4), np.float32)
        call(policy, SAMPLE, "look", texture, sampler, at, out, grid=len(at), kind=kind, place=PLACES[kind])
        results.append(bits(out))
    assert np.array_equal(*results)


PROGRAM = """
import os, re, sys, time
import numpy as np, mtlpy_nb
device = mtlpy_nb.Device()
kernel = device.library('''
#include <metal_stdlib>
using namespace metal;
kernel void doubled(texture2d<float, access::read> from, texture2d<float, access::write> to,
                    uint2 p [[thread_position_in_grid]])
{
    to.write(2 * from.read(p), p);
}
''')["doubled"]
side = int(sys.argv[1])
pixels = np.arange(side * side, dtype=np.float32).reshape(side, side)
from_, to = device.texture(pixels, "r32Float"), device.empty_texture((side, side), "r32Float")
def loaded():
    return sum("memfd" in line and "r-xp" in line for line in open("/proc/self/maps"))
before = loaded()
kernel(from_, to, grid=(side, side))
assert (to.numpy() == 2 * pixels).all()
first, wait = loaded(), time.monotonic() + 60
while len(sys.argv) > 2 and loaded() - before < int(sys.argv[2]) and time.monotonic() < wait:
    kernel(from_, to, grid=(side, side))
assert (to.numpy() == 2 * pixels).all()
print(first - before, loaded() - before)
"""


THREADS_AND_FORKS = """
import os, sys, threading, warnings
import numpy as np, mtlpy_nb
SOURCE = '''
#include <metal_stdlib>
using namespace metal;
kernel void raised(texture2d<float, access::read> from, texture2d<float, access::write> to,
                   uint2 p [[thread_position_in_grid]])
{
    to.write(from.read(p) + 1, p);
}
'''
side = 700
pixels = np.random.default_rng(0).integers(0, 100, (side, side)).astype(np.float32)
def check(device, kernel, pixel_format):
    from_, to = device.texture(pixels, pixel_format), device.empty_texture((side, side), pixel_format)
    for _ in range(6):
        kernel(from_, to, grid=(side, side))
        assert (to.numpy() == pixels + 1).all()
device = mtlpy_nb.Device()
kernel = device.library(SOURCE)["raised"]
failed = []
def work(number):
    try:
        check(device, kernel, ("r32Float", "r16Float")[number % 2])
    except BaseException as error:
        failed.append(error)
threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
warnings.simplefilter("ignore")
child = os.fork()
if child == 0:
    code = 1
    try:
        own = mtlpy_nb.Device()
        check(own, own.library(SOURCE)["raised"], "r32Float")
        code = 0
    finally:
        os._exit(code)
check(device, kernel, "r32Float")
print(len(failed), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def run(folder, policy, *arguments, program=PROGRAM):
    environment = {**os.environ, "MTLPY_CACHE_DIR": str(folder), "MTLPY_BOUND_CODE": policy}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return tuple(int(number) for number in done.stdout.split())


@pytest.mark.parametrize("policy", ["", "now"])
def test_threads_and_forks(tmp_path, policy):
    assert run(tmp_path, policy, program=THREADS_AND_FORKS) == (0, 0)


def test_when_there_is_such_code(tmp_path):
    """What is loaded besides the general code, by the first call and in the end."""

    def besides(general, *arguments):
        return tuple(number - general for number in run(*arguments))

    large, small = run(tmp_path / "a", "never", "1000")[1], run(tmp_path / "a", "never", "16")[1]
    assert besides(small, tmp_path / "a", "", "16") == (0, 0)  # so little work is not worth it
    assert besides(small, tmp_path / "a", "now", "16") == (1, 1)
    assert besides(small, tmp_path / "a", "", "16") == (1, 1)  # it lies in the cache
    assert besides(large, tmp_path / "b", "", "1000", str(large + 1)) == (0, 1)
