# SPDX-License-Identifier: MIT
"""Kernels on the tiles of a picture: threads and worker processes of Dask give what one process gives."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb import kernel as kernels
from mtlpy_nb import output

SOURCE = """
#include <metal_stdlib>
using namespace metal;
constant int RADIUS [[function_constant(0)]];
kernel void soften(device const float* picture, device float* result, uint2 p [[thread_position_in_grid]],
                   uint2 size [[threads_per_grid]])
{
    float sum = 0;
    for (int y = -RADIUS; y <= RADIUS; ++y)
        for (int x = -RADIUS; x <= RADIUS; ++x) {
            uint2 q = uint2(clamp(int2(p) + int2(x, y), int2(0), int2(size) - 1));
            sum += picture[q.y * size.x + q.x];
        }
    result[p.y * size.x + p.x] = sum / ((2 * RADIUS + 1) * (2 * RADIUS + 1));
}
kernel void negative(device const float* picture, device float* result, uint i [[thread_position_in_grid]])
{
    result[i] = 1 - picture[i];
}
"""
META = np.empty((0, 0), np.float32)


@pytest.fixture(autouse=True)
def none_stays():
    yield
    kernels._restored.clear()


@pytest.fixture
def picture():
    return np.random.default_rng(7).random((300, 400), dtype=np.float32)


@pytest.fixture
def library():
    return mtlpy_nb.default_device().library(SOURCE)


def on_tile(tile, kernel):
    return np.asarray(kernel(tile, output.like(tile)))


def test_a_kernel_that_arrives_again_is_the_same(library):
    sent = pickle.dumps(library["soften"].specialize(RADIUS=2))
    arrived = pickle.loads(sent)
    assert pickle.loads(sent) is arrived
    assert pickle.loads(pickle.dumps(library["soften"].specialize(RADIUS=3))) is not arrived
    assert pickle.loads(pickle.dumps(library["negative"])) is not arrived


def test_not_every_kernel_that_ever_arrived_is_kept():
    device = mtlpy_nb.default_device()
    for number in range(kernels._MOST_RESTORED + 5):
        text = f"kernel void set(device int* x) {{ x[0] = {number}; }}"
        kernel = pickle.loads(pickle.dumps(device.library(text)["set"]))
        assert kernel(output(1, "int"), grid=1).numpy().tolist() == [number]
    assert len(kernels._restored) == kernels._MOST_RESTORED


def test_nothing_of_dask_is_imported():
    code = "import sys, mtlpy_nb, mtlpy_nb.profile; sys.exit('dask' in sys.modules or 'distributed' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=120).returncode == 0


def test_tiles_in_threads(picture, library):
    da = pytest.importorskip("dask.array")
    tiles = da.from_array(picture, chunks=(128, 100))
    kernel = library["soften"].specialize(RADIUS=3)
    soft = tiles.map_overlap(on_tile, depth=3, boundary="nearest", kernel=kernel, dtype=np.float32, meta=META)
    negative = soft.map_blocks(on_tile, kernel=library["negative"], dtype=np.float32, meta=META)
    expected = 1 - on_tile(picture, kernel)
    np.testing.assert_array_equal(negative.compute(scheduler="threads"), expected)


def begin_to_look():
    """In a worker: keep what is compiled and run from now on."""
    from mtlpy_nb import _recording

    _recording.recorders = [_recording.Recorder()]


def what_was_seen():
    """In a worker: how often it compiled, and how many tiles it worked on."""
    from mtlpy_nb import _recording

    (recorder,) = _recording.recorders
    return len(recorder.compilations), len(recorder.submissions)


@pytest.mark.timeout(300)
def test_worker_processes_compile_once_and_give_the_same(picture, library, tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed")
    da = pytest.importorskip("dask.array")
    monkeypatch.setenv("MTLPY_NUM_THREADS", "1")
    kernel = library["soften"].specialize(RADIUS=3)
    tiles = da.from_array(picture, chunks=(64, 64))
    soft = tiles.map_overlap(on_tile, depth=3, boundary="nearest", kernel=kernel, dtype=np.float32, meta=META)
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=str(tmp_path)
    )
    with cluster, distributed.Client(cluster) as client:
        client.run(begin_to_look)
        result = soft.compute()
        seen = client.run(what_was_seen)
    np.testing.assert_array_equal(result, on_tile(picture, kernel))
    assert sum(count for _, count in seen.values()) == 5 * 7
    assert len(seen) == 2
    for compilations, count in seen.values():
        assert compilations == (2 if count else 0), "the source and the kernel, however many tiles"
