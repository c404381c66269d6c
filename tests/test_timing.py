# SPDX-License-Identifier: MIT
"""Timing: what is counted where, checked against clocks of this test's own."""

from __future__ import annotations

import json
import re
import time
import xml.dom.minidom

import numpy as np
import pytest
from settling import settled_size

import mtlpy_nb
from mtlpy_nb import Timing, _recording, output
from mtlpy_nb.notebook.timing_text import histogram, seconds
from mtlpy_nb.timing import KernelTime, Samples, measure

pytestmark = pytest.mark.alone

SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void add(device const float* a, device const float* b, device float* out, uint i [[thread_position_in_grid]])
{
    out[i] = a[i] + b[i];
}
kernel void spin(device float* x, constant int& turns, uint i [[thread_position_in_grid]])
{
    float v = x[i];
    for (int k = 0; k < turns; ++k) v = v * 0.999f + 1;
    x[i] = v;
}
kernel void tint(texture2d<float, access::read> source, texture2d<float, access::write> result,
                 uint2 p [[thread_position_in_grid]])
{
    result.write(source.read(p), p);
}
"""


@pytest.fixture
def library(device):
    return device.library(SOURCE)


@pytest.fixture
def x():
    return np.ones(4096, np.float32)


# ---- agreement with other clocks ----


def test_time_on_the_device_is_within_the_time_that_passed(library, x):
    start = time.perf_counter()
    timing = library["spin"].time(x, 3000, repeat=8)
    passed = time.perf_counter() - start
    assert 0 < timing.gpu.min <= timing.gpu.median <= timing.gpu.max
    assert timing.gpu.total + timing.overhead.total + sum(timing.warmup) + timing.compile <= passed


def test_more_work_takes_longer(library, x):
    short, long = (library["spin"].time(x, turns, repeat=5) for turns in (500, 50_000))
    assert long.gpu.min > short.gpu.min


def test_agrees_with_the_command_buffers_times(device, x):
    """mtlpy's own way: Pipeline.run gives start and end on the device."""
    pipeline = device.compile(SOURCE, "add")
    buffers = [device.buffer(x) for _ in range(3)]
    times = []

    def run() -> None:
        times.append(pipeline.run(buffers, x.size))

    timing = measure(run, "add", repeat=6, warmup=0)
    assert timing.gpu.seconds == pytest.approx([end - start for start, end in times], abs=1e-12)
    assert [k.name for k in timing.kernels] == ["add"]


def test_command_buffers_times_are_on_the_clock_of_this_process(device, x):
    pipeline = device.compile(SOURCE, "spin")
    turns = device.buffer(np.array([1000], np.int32))
    before = time.monotonic()
    start, end = pipeline.run([device.buffer(x), turns], x.size)
    after = time.monotonic()
    if device.is_software:
        assert before <= start < end <= after
    assert end - start <= after - before


def test_what_the_processor_does_is_overhead(library, x):
    def run() -> None:
        library["add"](x, x, output.like(x))
        time.sleep(0.02)

    timing = measure(run, "sleepy", repeat=3, warmup=0)
    assert timing.overhead.min >= 0.019


def test_compiling_is_counted_apart(device, x):
    def run() -> object:
        time.sleep(0.001)
        return device.library(SOURCE.replace("0.999f", f"0.{next(numbers)}f"))["add"](x, x, output.like(x))

    numbers = iter(range(100, 200))
    start = time.perf_counter()
    timing = measure(run, "compiles", repeat=3, warmup=1)
    passed = time.perf_counter() - start
    assert timing.compile > 0
    assert timing.compile + timing.gpu.total + timing.overhead.total + sum(timing.warmup) <= passed


def test_what_counts_as_compiling(device, x):
    with _recording.recording() as recorder:
        library = device.library(SOURCE)
        assert len(recorder.compilations) == 1
        kernel = library["add"]
        kernel(x, x, output.like(x))
        kernel(x, x, output.like(x))
        assert len(recorder.compilations) == 2, "the source, then the kernel, each once"
        device.compile(SOURCE, "add")
        assert len(recorder.compilations) == 4
    assert all(seconds > 0 for seconds in recorder.compilations)


def test_first_call_compiles_and_later_ones_do_not(library, x):
    kernel = library["add"]
    assert kernel.time(x, x, output.like(x), repeat=2).compile > 0
    assert kernel.time(x, x, output.like(x), repeat=2).compile == 0


# ---- what is counted ----


def test_work_that_is_not_waited_for_is_timed_to_its_end(library, x):
    timing = measure(lambda: library["spin"](x, 20_000, wait=False), "async", repeat=3)
    waited = measure(lambda: library["spin"](x, 20_000), "sync", repeat=3)
    assert timing.gpu.min > 0
    assert timing.kernels[0].calls == waited.kernels[0].calls == 1


def test_several_kernels_are_told_apart(library, x):
    def run() -> None:
        library["add"](x, x, output.like(x))
        library["spin"](x, 10)
        library["add"](x, x, output.like(x))

    timing = measure(run, "three", repeat=3)
    assert [(k.name, k.calls, k.gpu.n) for k in timing.kernels] == [("add", 2, 3), ("spin", 1, 3)]
    sums = [sum(k.gpu.seconds[i] for k in timing.kernels) for i in range(3)]
    assert timing.gpu.seconds == pytest.approx(sums), "one queue runs one at a time"


def test_queues_side_by_side_count_once(library, x):
    from mtlpy_nb.timing import covered

    assert covered([(0, 2), (1, 3), (5, 6), (5, 5.5)]) == 4
    assert covered([]) == 0


def test_batches_and_copies_are_seen(device, x):
    pipeline = device.compile(SOURCE, "add")
    buffers = [device.buffer(x) for _ in range(3)]
    private = device.buffer(x, storage=mtlpy_nb.StorageMode.PRIVATE)

    def run() -> None:
        with device.command_buffer() as batch:
            pipeline.run(buffers, x.size, cb=batch)
            pipeline.run(buffers, x.size, cb=batch)
        device.copy_buffer(private, buffers[0])

    timing = measure(run, "batch", repeat=2)
    assert [(k.name, k.calls) for k in timing.kernels] == [("add", 2), ("copy", 1)]
    # Each add: two arrays read, `device float*` taken to be read and written; the copy: read and written.
    assert timing.bytes == 2 * 4 * x.nbytes + 2 * x.nbytes


def test_nothing_on_the_device_is_no_time():
    with pytest.raises(mtlpy_nb.ValidationError, match="idle: nothing ran on the device"):
        measure(lambda: None, "idle", repeat=1)


def test_a_call_that_fails_leaves_no_one_looking(library, x):
    before = _recording.recorders
    with pytest.raises(mtlpy_nb.ArgumentError, match="missing: out"):
        library["add"].time(x, x)
    assert _recording.recorders == before


def test_no_memory_of_the_runs_is_kept(device, library, x):
    library["add"].time(x, x, output.like(x), repeat=2)
    before = settled_size(device)
    timing = library["add"].time(x, x, output.like(x), repeat=20)
    assert timing.n == 20
    assert device.current_allocated_size == before


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"repeat": 0}, "repeat is 0"),
        ({"repeat": 2.5}, "repeat is 2.5"),
        ({"warmup": -1}, "warmup is -1"),
        ({"bytes": -5}, "bytes is -5"),
        ({"flops": "many"}, "flops is 'many'"),
    ],
)
def test_numbers_that_make_no_sense(library, x, options, words):
    with pytest.raises(mtlpy_nb.ValidationError, match=words):
        library["add"].time(x, x, output.like(x), **options)


# ---- rates ----


def test_bytes_are_inferred_from_the_arguments(library, x):
    timing = library["add"].time(x, x, output.like(x), repeat=2)
    assert timing.bytes == 3 * x.nbytes
    assert timing.bytes_from == "if each element is touched once: a read, b read, out written"
    assert timing.gb_per_s == pytest.approx(timing.bytes / timing.gpu.median * 1e-9)
    in_place = library["spin"].time(x, 3, repeat=2)
    assert in_place.bytes == 2 * x.nbytes, "the one number is no array"
    assert in_place.bytes_from.endswith("x read and written")


def test_bytes_of_a_part_of_a_buffer(device, library, x):
    part = device.buffer(x)[:1024]
    assert library["spin"].time(part, 3, repeat=2).bytes == 2 * 4096
    pipeline = device.compile(SOURCE, "add")
    assert measure(lambda: pipeline.run([part, part, part], 1024), "parts", repeat=1).bytes == 4 * 4096


def test_arithmetic_with_buffers_is_seen(device, x):
    buffer = device.buffer(x)
    timing = measure(lambda: buffer + buffer, "sum", repeat=2)
    assert [(k.name, k.calls) for k in timing.kernels] == [("add", 1)]
    assert timing.bytes is None


def test_bytes_of_textures(library):
    picture = np.zeros((16, 8, 4), np.uint8)
    timing = library["tint"].time(picture, output.like(picture), repeat=2)
    assert timing.bytes == 2 * picture.nbytes


def test_rates_given(library, x):
    timing = library["add"].time(x, x, output.like(x), repeat=2, bytes=1000, flops=2000)
    assert (timing.bytes, timing.bytes_from) == (1000, "as given")
    assert timing.gflop_per_s == pytest.approx(2000 / timing.gpu.median * 1e-9)


# ---- what it shows ----


def made(gpu=(0.001, 0.002, 0.004), **others) -> Timing:
    return Timing("blur", Samples(tuple(gpu)), Samples((0.0001,) * len(gpu)), **others)


def test_one_line():
    assert repr(made()) == "blur: 2.00 ms (1.50 ms to 3.00 ms) on the device (n = 3), 100 µs overhead"
    assert repr(made(bytes=2_000_000, flops=4e6)).endswith("100 µs overhead, 1.00 GB/s, 2.00 GFLOP/s")
    assert "\n" not in repr(Timing("a\nb" * 100, Samples((1.0,)), Samples((1.0,))))


def test_several_lines():
    timing = made(
        warmup=(0.01,),
        compile=0.05,
        bytes=12_000_000,
        bytes_from="as given",
        kernels=(KernelTime("blur", 2, Samples((1e-3, 1e-3, 3e-3))), KernelTime("copy", 1, Samples((0.0, 0.0, 0.0)))),
    )
    assert str(timing) == (
        "blur\n"
        "  on the device  2.00 ms (1.50 ms to 3.00 ms), n = 3\n"
        "    blur         1.00 ms (1.00 ms to 2.00 ms), 2 calls a run\n"
        "    copy         0 s (0 s to 0 s), 1 call a run\n"
        "  overhead       100 µs (100 µs to 100 µs)\n"
        "  warm-up        10.0 ms\n"
        "  compiling      50.0 ms\n"
        "  memory         6.00 GB/s: 12.0 MB, as given"
    )


def test_html_has_a_histogram_and_no_markup_of_the_name():
    timing = Timing("<script>&", Samples(tuple(np.linspace(1e-3, 2e-3, 50))), Samples((1e-4,) * 50))
    html = timing._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;&amp;" in html
    document = xml.dom.minidom.parseString(f"<html>{html}</html>")
    (svg,) = document.getElementsByTagName("svg")
    heights = [float(bar.getAttribute("height")) for bar in svg.getElementsByTagName("rect")]
    assert len(heights) == 24
    assert max(heights) == 36
    assert "50 runs, 1.00 ms to" in svg.getElementsByTagName("title")[0].firstChild.data


@pytest.mark.parametrize("values", [(), (1e-3,), (1e-3, 1e-3), (0.0, 0.0), (1e-9, 10.0)])
def test_histogram_of_few_values(values):
    drawn = histogram(Samples(values))
    if values:
        xml.dom.minidom.parseString(drawn)
    assert ("<rect" in drawn) == bool(values)


def test_one_run_that_was_held_up_does_not_hide_the_others():
    drawn = histogram(Samples((*np.linspace(1e-3, 2e-3, 99), 5.0)))
    assert len(re.findall("<rect", drawn)) > 10
    assert "and more" in drawn


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0 s"), (1.5, "1.50 s"), (0.0123, "12.3 ms"), (9.9996e-4, "1.00 ms"), (4.2e-7, "420 ns"), (123.4, "123 s")],
)
def test_times_have_three_digits(value, text):
    assert seconds(value) == text


def test_to_dict_is_plain(library, x):
    timing = library["add"].time(x, x, output.like(x), repeat=3, flops=x.size)
    plain = json.loads(json.dumps(timing.to_dict()))
    assert plain["n"] == 3
    assert plain["gpu"]["seconds"] == list(timing.gpu.seconds)
    assert plain["kernels"][0]["name"] == "add"
    assert plain["gflop_per_s"] == timing.gflop_per_s
