# SPDX-License-Identifier: MIT
"""Profiles: what is counted for which kernel, checked against the command buffers' own times."""

from __future__ import annotations

import json
import re
import threading
import xml.dom.minidom

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb import _native as mtl
from mtlpy_nb import _recording, output
from mtlpy_nb.notebook.profile_text import as_html
from mtlpy_nb.profile import KernelProfile, Profile, profiling

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
kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }
kernel void wild(device float* x, uint i [[thread_position_in_grid]]) { x[i + 1000000000000ul] = 1; }
"""


@pytest.fixture
def library(device):
    return device.library(SOURCE)


@pytest.fixture
def x():
    return np.ones(4096, np.float32)


@pytest.fixture(autouse=True)
def nobody_looks_afterwards():
    before = _recording.recorders
    yield
    assert _recording.recorders == before


def named(profile):
    return {kernel.name: kernel for kernel in profile.kernels}


def test_calls_threads_and_bytes_of_each_kernel(library, x):
    with profiling() as profile:
        library["add"](x, x, output.like(x))
        library["add"](x[:96], x[:96], output(96, "float"))
        library["spin"](x, 20_000)
    found = named(profile)
    assert set(found) == {"add", "spin"}
    assert (found["add"].calls, found["add"].threads) == (2, 4096 + 96)
    assert (found["spin"].calls, found["spin"].threads) == (1, 4096)
    assert found["add"].bytes == 3 * 4 * (4096 + 96), "two arrays read, one written"
    assert found["add"].device == library.device.name
    assert profile["spin"] is found["spin"]
    with pytest.raises(KeyError, match="nothing named 'blur' ran; there are"):
        profile["blur"]


def test_agrees_with_the_command_buffers_times(device, x):
    pipeline = device.compile(SOURCE, "twice")
    buffer = device.buffer(x)
    with profiling() as profile:
        times = [pipeline.run([buffer], x.size) for _ in range(7)]
    assert profile["twice"].gpu == pytest.approx(sum(end - start for start, end in times))
    assert profile.gpu == pytest.approx(profile["twice"].gpu), "one after the other"
    assert profile["twice"].time_per_thread == pytest.approx(profile["twice"].gpu / (7 * x.size))
    assert profile["twice"].threads_per_s == pytest.approx(7 * x.size / profile["twice"].gpu)
    assert profile["twice"].gb_per_s == pytest.approx(7 * 2 * x.nbytes / profile["twice"].gpu * 1e-9)
    assert profile.gpu <= profile.wall


def test_the_longest_is_first_and_shares_are_of_the_whole(library, x):
    with profiling() as profile:
        for _ in range(3):
            library["add"](x, x, output.like(x))
            library["spin"](x, 100_000)
    times = [kernel.gpu for kernel in profile.kernels]
    assert times == sorted(times, reverse=True)
    assert sum(kernel.share for kernel in profile.kernels) == pytest.approx(1)
    assert all(kernel.share == pytest.approx(kernel.gpu / sum(times)) for kernel in profile.kernels)


def test_it_waits_for_work_that_nobody_waited_for(device, library, x):
    buffer = device.buffer(x)
    with profiling() as profile:
        handles = [library["spin"](buffer, 50_000, wait=False) for _ in range(5)]
    assert all(handle.done() for handle in handles)
    assert profile["spin"].calls == 5
    assert profile["spin"].gpu == pytest.approx(sum(handle.gpu_time for handle in handles))


def test_more_command_buffers_than_are_remembered(device, library):
    buffer = device.buffer(np.ones(4, np.float32))
    with profiling() as profile:
        for i in range(600):
            library["twice"](buffer, wait=i % 100 == 99)
    assert (profile["twice"].calls, profile["twice"].threads) == (600, 2400)


def test_work_that_failed_is_counted_and_raised_once(device, x):
    good, wild = device.compile(SOURCE, "twice"), device.compile(SOURCE, "wild")
    buffer = device.buffer(x)
    with pytest.raises(mtlpy_nb.ExecutionError, match="kernel wild"), profiling() as profile:  # noqa: PT012
        wild.run([buffer], 4, wait=False)
        good.run([buffer], 4, wait=False)
    assert {kernel.name: (kernel.calls, kernel.failed) for kernel in profile.kernels} == {
        "wild": (1, 1),
        "twice": (1, 0),
    }
    good.run([buffer], 4)  # raises nothing


def test_a_block_that_fails_leaves_what_ran(device, library, x):
    with pytest.raises(ZeroDivisionError), profiling() as profile:  # noqa: PT012
        library["twice"](x)
        1 / 0  # noqa: B018
    assert profile["twice"].calls == 1


def test_copies_operators_and_textures(device, x):
    buffer = device.buffer(x)
    with profiling() as profile:
        device.copy_buffer(buffer, device.empty(x.size, np.float32))
        _ = buffer + buffer
        device.texture(np.ones((8, 8), np.float32)).to_buffer()
    found = named(profile)
    assert set(found) == {"copy", "add", "texture_to_buffer"}
    assert (found["copy"].threads, found["copy"].bytes, found["copy"].time_per_thread) == (0, 2 * x.nbytes, None)
    assert found["texture_to_buffer"].threads == 64
    assert found["add"].bytes is None
    assert found["add"].gb_per_s is None


def test_batches(device, x):
    add, twice = device.compile(SOURCE, "add"), device.compile(SOURCE, "twice")
    buffer, other = device.buffer(x), device.buffer(x)
    with profiling() as profile:
        with device.command_buffer() as batch:
            for _ in range(3):
                twice.run([buffer], x.size, cb=batch)
        with device.command_buffer() as batch:
            twice.run([buffer], x.size, cb=batch)
            add.run([buffer, buffer, other], x.size, cb=batch)
    found = named(profile)
    assert set(found) == {"twice", "add"}
    assert (found["twice"].calls, found["twice"].threads, found["twice"].bytes) == (4, 4 * x.size, 8 * x.nbytes)
    assert (found["add"].calls, found["add"].threads, found["add"].bytes) == (1, x.size, 4 * x.nbytes)
    assert 0 < found["twice"].gpu + found["add"].gpu <= profile.gpu


def test_kernels_of_a_batch_that_is_captured_have_times_of_their_own(device, x, tmp_path):
    add, twice = device.compile(SOURCE, "add"), device.compile(SOURCE, "twice")
    buffer, other = device.buffer(x), device.buffer(x)
    path = tmp_path / "profiled.metalcapture"
    recorder = _recording.Recorder()
    with (
        device.start_capture(path),
        profiling() as profile,
        _recording.recording(recorder),
        device.command_buffer() as batch,
    ):
        twice.run([buffer], x.size, cb=batch)
        add.run([buffer, buffer, other], x.size, cb=batch)
        twice.run([buffer], x.size, cb=batch)
    assert len(mtl.dispatch_times(recorder.submissions[0].command_buffer)) == 3
    found = named(profile)
    assert {name: row.calls for name, row in found.items()} == {"twice": 2, "add": 1}
    with mtlpy_nb.capture.load(path) as file:
        for name, row in found.items():
            around = sum(one.duration for one in file.dispatches if one.kernel == name)
            assert 0 < row.gpu <= around * 1.001, "the capture's own times are from just before to just after"


def test_kernels_of_one_batch_have_times_of_their_own(device, x):
    spin, twice = device.compile(SOURCE, "spin"), device.compile(SOURCE, "twice")
    buffer, turns = device.buffer(x), device.buffer(np.int32([100]))
    with _recording.recording() as recorder, device.command_buffer() as batch:
        for _ in range(3):
            spin.run([buffer, turns], x.size, cb=batch)
        twice.run([buffer], x.size, cb=batch)
    (submission,) = recorder.submissions
    work, begins, ends = zip(*submission.intervals(), strict=True)
    assert [one.name for one in work] == ["spin", "spin", "spin", "twice"]
    assert list(zip(begins, ends, strict=True)) == mtl.dispatch_times(submission.command_buffer)
    bounds = [time for pair in zip(begins, ends, strict=True) for time in pair]
    assert bounds == sorted(bounds), "one after the other"
    assert submission.command_buffer.gpu_start_time <= bounds[0]
    assert bounds[-1] <= submission.command_buffer.gpu_end_time


def test_a_batch_that_somebody_looks_at_from_its_middle(device, x):
    add, twice = device.compile(SOURCE, "add"), device.compile(SOURCE, "twice")
    buffer, other = device.buffer(x), device.buffer(x)
    batch = device.command_buffer()
    twice.run([buffer], x.size, cb=batch)
    with profiling() as profile:
        twice.run([buffer], x.size, cb=batch)
        add.run([buffer, buffer, other], x.size, cb=batch)
        batch.commit()
    assert {name: row.calls for name, row in named(profile).items()} == {"twice": 1, "add": 1}
    times = mtl.dispatch_times(batch._buffer)
    assert len(times) == 3
    assert profile["twice"].gpu == times[1][1] - times[1][0]
    assert profile["add"].gpu == times[2][1] - times[2][0]


def test_one_dispatch_that_somebody_looks_at_of_a_batch(device, x):
    twice, buffer = device.compile(SOURCE, "twice"), device.buffer(x)
    batch = device.command_buffer()
    for _ in range(2):
        twice.run([buffer], x.size, cb=batch)
    with profiling() as profile:
        twice.run([buffer], x.size, cb=batch)
        batch.commit()
    begin, end = mtl.dispatch_times(batch._buffer)[2]
    assert (profile["twice"].calls, profile["twice"].gpu) == (1, end - begin)


def test_what_a_failed_batch_did_not_come_to_took_no_time(device, x):
    twice, wild = device.compile(SOURCE, "twice"), device.compile(SOURCE, "wild")
    buffer = device.buffer(x)
    batch = device.command_buffer()
    with pytest.raises(mtlpy_nb.ExecutionError, match="kernel wild"), profiling() as profile:  # noqa: PT012
        wild.run([buffer], x.size, cb=batch)
        twice.run([buffer], x.size, cb=batch)
        batch.commit()
    assert (profile["twice"].failed, profile["twice"].gpu) == (1, 0)
    assert profile["wild"].failed == 1
    assert profile["wild"].gpu > 0


def test_where_nobody_tells_dispatches_apart(device, x, monkeypatch):
    monkeypatch.setattr(mtl, "dispatch_times", lambda _: [])  # as on a Mac
    add, twice = device.compile(SOURCE, "add"), device.compile(SOURCE, "twice")
    buffer, other = device.buffer(x), device.buffer(x)
    with profiling() as profile:
        with device.command_buffer() as batch:
            for _ in range(3):
                twice.run([buffer], x.size, cb=batch)
        with device.command_buffer() as batch:
            twice.run([buffer], x.size, cb=batch)
            add.run([buffer, buffer, other], x.size, cb=batch)
    found = named(profile)
    assert (found["twice"].calls, found["twice"].threads) == (3, 3 * x.size)
    together = found["twice, add"]
    assert (together.calls, together.threads, together.bytes) == (1, 2 * x.size, 6 * x.nbytes)


def test_queues_side_by_side_count_once_on_the_whole(device, x):
    spin = device.compile(SOURCE, "spin")
    turns = device.buffer(np.int32([20_000]))
    with profiling() as profile:
        for queue in (device.queue(), device.queue()):
            batch = device.command_buffer(queue)
            spin.run([device.buffer(x), turns], x.size, cb=batch)
            batch.commit(wait=False)
    assert profile["spin"].calls == 2
    assert profile.gpu <= profile["spin"].gpu * (1 + 1e-9)


def test_threads_and_devices(library, x):
    other = mtlpy_nb.Device(cache_path=False).library(SOURCE)["twice"]

    def work():
        for _ in range(20):
            library["twice"](x.copy())
            other(x.copy())

    threads = [threading.Thread(target=work) for _ in range(3)]
    with profiling() as profile:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert profile["twice"].calls == 120, "both are Metal's one device"
    assert profile.calls == 120


def test_a_profile_within_a_profile(library, x):
    with profiling() as outer:
        library["twice"](x)
        with profiling() as inner:
            library["twice"](x)
        library["add"](x, x, output.like(x))
    assert inner["twice"].calls == 1
    assert (outer["twice"].calls, outer["add"].calls) == (2, 1)
    assert [kernel.name for kernel in inner.kernels] == ["twice"]


def test_compiling_is_apart(device, x):
    with profiling() as profile:
        device.library(SOURCE.replace("0.999f", "0.998f"))["spin"](x, 10)
    assert 0 < profile.compile <= profile.wall
    assert profile.compile + profile.gpu <= profile.wall


def row(name, device, gpu, **more):
    values = {"calls": 2, "failed": 0, "share": gpu / 4, "threads": 2_000_000, "bytes": 3_000_000, **more}
    return KernelProfile(name=name, device=device, gpu=gpu, **values)


def test_table():
    profile = Profile((row("blur", "A", 3.0), row("copy", "A", 1.0, threads=0, calls=10, failed=1)), 4.0, 5.0, 0.25)
    assert str(profile).splitlines() == [
        "kernel          calls  GPU time   share  threads  per thread  Mthreads/s   GB/s",
        "blur                2    3.00 s  75.0 %  2000000     1.50 µs       0.667  0.001",
        "copy    10 (1 failed)    1.00 s  25.0 %                                   0.003",
        "",
        "4.00 s on the device of 5.00 s in all, 250 ms compiling",
    ]
    assert repr(profile) == "<Profile: 12 calls of 2 kernels, 4.00 s on the device>"
    assert str(Profile(wall=0.5)) == "nothing ran on the device in 500 ms"


def test_several_devices_have_a_column():
    profile = Profile((row("blur", "A", 3.0), row("blur", "B", 1.0)), 4.0, 5.0)
    assert [re.split(r"\s{2,}", line)[:2] for line in str(profile).splitlines()[:3]] == [
        ["kernel", "device"],
        ["blur", "A"],
        ["blur", "B"],
    ]


def test_html_is_whole_and_escaped():
    profile = Profile((row("add<float>", "A & B", 1.0),), 1.0, 2.0)
    page = xml.dom.minidom.parseString(as_html(profile))
    cells = [cell.firstChild.data for cell in page.getElementsByTagName("td") if cell.firstChild]
    assert cells[0] == "add<float>"
    assert "25.0 %" in cells
    bundle = profile._repr_mimebundle_()
    assert bundle == {"text/plain": str(profile), "text/html": as_html(profile)}


def test_as_plain_numbers(library, x):
    with profiling() as profile:
        library["twice"](x)
    read = json.loads(json.dumps(profile.to_dict()))
    assert read["calls"] == 1
    assert read["kernels"][0]["name"] == "twice"
    assert read["kernels"][0]["gpu"] == profile.kernels[0].gpu
    assert read["kernels"][0]["share"] == 1
    assert set(read["kernels"][0]) == {
        *("name", "device", "calls", "failed", "gpu", "share", "threads"),
        *("time_per_thread", "threads_per_s", "bytes", "gb_per_s"),
    }
