# SPDX-License-Identifier: MIT
"""Pipeline.run: what it takes, what it gives, and what it refuses."""

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb.pipeline import Pipeline, _pad_dims

HEADER = "#include <metal_stdlib>\nusing namespace metal;\n"
SQUARE = (
    HEADER
    + """
kernel void square(device const float* a [[buffer(0)]], device float* b [[buffer(1)]],
                   uint i [[thread_position_in_grid]])
{
    b[i] = a[i] * a[i];
}
"""
)
PLACES = (
    HEADER
    + """
kernel void places(device uint* count [[buffer(0)]], device uint* group [[buffer(1)]],
                   uint3 size [[threads_per_threadgroup]], uint3 grid [[threads_per_grid]],
                   uint3 p [[thread_position_in_grid]])
{
    count[(p.z * grid.y + p.y) * grid.x + p.x] += 1;
    if (all(p == 0)) { group[0] = size.x; group[1] = size.y; group[2] = size.z; }
}
"""
)
SAMPLED = (
    HEADER
    + """
kernel void sampled(texture2d<float> source [[texture(0)]], sampler s [[sampler(0)]],
                    device float* out [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    out[i] = source.sample(s, float2((i + 0.5f) / 4, 0.5f)).r;
}
"""
)
FOREVER = HEADER + "kernel void wild(device int* x [[buffer(0)]], device long& at [[buffer(1)]]) { x[at] = 1; }\n"


@pytest.fixture
def square(device):
    return device.compile(SQUARE, "square")


@pytest.fixture
def four(device):
    return [device.buffer(np.array([1, 2, 3, 4], np.float32)), device.buffer(np.zeros(4, np.float32))]


def test_the_quick_start(square, four):
    assert isinstance(square, Pipeline)
    square.run(four, grid=4)
    assert four[1].contents.tolist() == [1, 4, 9, 16]


def test_times_are_seconds_on_the_device(square, four):
    start, end = square.run(four, 4)
    assert 0 < start <= end
    again, _ = square.run(four, grid=4, wait=True)
    assert again >= end


def test_no_times_without_waiting(device, square, four):
    assert square.run(four, 4, wait=False) == (0.0, 0.0)
    with device.command_buffer() as cb:
        assert square.run(four, 4, cb=cb) == (0.0, 0.0)
    assert four[1].contents.tolist() == [1, 4, 9, 16]


def test_wait_and_a_batch_exclude_each_other(device, square, four):
    cb = device.command_buffer()
    for wait in (True, False):
        with pytest.raises(ValueError, match="wait has no effect when cb is given"):
            square.run(four, 4, wait=wait, cb=cb)


@pytest.mark.parametrize("grid", [7, (7,), (5, 3), [5, 3, 1], (3, 4, 5), (33, 3, 2)])
def test_a_grid_counts_threads_exactly(device, grid):
    sizes = [grid] if isinstance(grid, int) else grid
    count = device.buffer(np.zeros(int(np.prod(sizes)) + 64, np.uint32))
    device.compile(PLACES, "places").run([count, device.buffer(3, np.uint32)], grid)
    values = count.contents
    assert (values[: int(np.prod(sizes))] == 1).all()
    assert not values[int(np.prod(sizes)) :].any()


def test_sizes_are_padded():
    assert _pad_dims(4) == [4, 1, 1]
    assert _pad_dims((4, 5)) == [4, 5, 1]
    assert _pad_dims([4, 5, 6]) == [4, 5, 6]


@pytest.mark.parametrize("name", ["grid", "threadgroup"])
def test_numpys_integers_are_not_sizes(square, four, name):
    for size in (np.int64(32), (np.int64(32), 1, 1)):
        with pytest.raises(TypeError):
            square.run(four, **{"grid": 4, name: size})


@pytest.mark.parametrize("grid", [0, (4, 0), (1, 2, 3, 4), ()])
def test_grids_that_there_are_not(square, four, grid):
    with pytest.raises(ValueError, match="grid"):
        square.run(four, grid)
    assert not four[1].contents.any()


def test_the_usual_threadgroups(device):
    pipeline = device.compile(PLACES, "places")
    width, most = pipeline.thread_execution_width, pipeline.max_threads_per_threadgroup
    assert most >= width >= 1
    assert most <= device.max_threads_per_threadgroup
    rows = most // width
    height = int(rows**0.5)
    for grid, expected in (
        (5000, (most // width * width, 1, 1)),
        ((100, 100), (width, rows, 1)),
        ((40, 40, 40), (width, height, rows // height)),
    ):
        count = device.empty(int(np.prod(grid)), np.uint32)
        group = device.buffer(3, np.uint32)
        pipeline.run([count, group], grid)
        assert tuple(group.contents.tolist()) == expected


def test_threadgroups_of_ones_own(device):
    pipeline = device.compile(PLACES, "places")
    group = device.buffer(3, np.uint32)
    for size, expected in ((64, (64, 1, 1)), ((8, 4), (8, 4, 1)), ([4, 4, 2], (4, 4, 2))):
        pipeline.run([device.empty(64 * 8 * 8, np.uint32), group], (64, 8, 8), threadgroup=size)
        assert tuple(group.contents.tolist()) == expected
    most = pipeline.max_threads_per_threadgroup
    for size in (0, (32, 0), most + pipeline.thread_execution_width, pipeline.thread_execution_width + 1):
        with pytest.raises(RuntimeError, match="threadgroup"):
            pipeline.run([device.empty(64, np.uint32), group], 64, threadgroup=size)


def test_missing_arguments(device, square, four):
    message = r"Kernel reads buffer argument\(s\) up to index 1, but only 1 buffer\(s\) were passed to run\(\) -- "
    with pytest.raises(RuntimeError, match=message):
        square.run(four[:1], 4)
    sampled, out = device.compile(SAMPLED, "sampled"), [device.buffer(4)]
    texture, sampler = device.texture(np.array([[0, 255, 0, 255]], np.uint8), "r8Unorm"), device.sampler(linear=False)
    with pytest.raises(
        RuntimeError, match=r"Kernel reads texture argument\(s\) up to index 0, but only 0 texture\(s\)"
    ):
        sampled.run(out, 4, samplers=[sampler])
    with pytest.raises(
        RuntimeError, match=r"Kernel reads sampler argument\(s\) up to index 0, but only 0 sampler\(s\)"
    ):
        sampled.run(out, 4, textures=[texture])
    sampled.run(out, 4, textures=[texture], samplers=[sampler])
    assert out[0].contents.tolist() == [0, 1, 0, 1]


def test_further_buffers_are_allowed(square, four):
    square.run([*four, four[0]], 4)
    assert four[1].contents.tolist() == [1, 4, 9, 16]


def test_fences(device, other_device, square, four):
    fence, last = device.fence(), device.buffer(np.zeros(4, np.float32))
    square.run(four, 4, wait=False, signal_fences=[fence])
    start, end = square.run([four[1], last], 4, wait=True, wait_fences=[fence])
    assert 0 < start <= end
    assert last.contents.tolist() == [1, 16, 81, 256]
    with device.command_buffer() as cb:
        square.run(four, 4, cb=cb, signal_fences=[fence])
        square.run([four[1], last], 4, cb=cb, wait_fences=[fence])
    for option in ("wait_fences", "signal_fences"):
        with pytest.raises(ValueError, match="Fence belongs to a different Device instance"):
            square.run(four, 4, **{option: [other_device.fence()]})


def test_a_failure_on_the_device(device):
    if not device.is_software:
        pytest.skip("a GPU may let a wild write pass")
    wild = device.compile(FOREVER, "wild")
    buffers = [device.buffer(4, np.int32), device.buffer(np.array([-(1 << 40)], np.int64))]
    with pytest.raises(RuntimeError, match="GPU execution failed: "):
        wild.run(buffers, 1)
    assert (device.buffer(np.ones(2, np.float32)) + 1).contents.tolist() == [2, 2]


def test_what_cannot_be_compiled(device):
    with pytest.raises(RuntimeError, match=r"Shader compilation failed: .*error"):
        device.compile(HEADER + "kernel void k() { nothing; }", "k")
    with pytest.raises(RuntimeError, match="Function not found in shader: missing"):
        device.compile(SQUARE, "missing")
    with pytest.raises(RuntimeError, match="Failed to create pipeline state: "):
        device.compile(HEADER + "vertex float4 v(uint i [[vertex_id]]) { return i; }", "v")


def test_whole_simdgroups_are_promised_to_the_compiler(device, square, four):
    """The flag of the pipeline's descriptor: below mtlpy's own checks, such a pipeline refuses other threadgroups."""
    native, buffers = mtlpy_nb._native, [buffer._buf for buffer in four]
    function = device.library(SQUARE)["square"]
    function(four[0], four[1], grid=4, threadgroup=3)
    with pytest.raises(RuntimeError, match="must be a multiple of threadExecutionWidth"):
        native.dispatch(device._queue, square._pipeline, buffers, grid=(4, 1, 1), threadgroup=(33, 1, 1))


def test_pipelines_are_compiled_once(device):
    assert device.pipeline_cache_size == 0
    first = device.compile(SQUARE, "square")
    assert device.pipeline_cache_size == 1
    second = device.compile(SQUARE, "square")
    assert device.pipeline_cache_size == 1
    assert first._pipeline is second._pipeline
    device.compile(SQUARE + "\n", "square")
    assert device.pipeline_cache_size == 2
