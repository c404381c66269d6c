# SPDX-License-Identifier: MIT
"""Devices: which one, where their pipelines are kept and when, and that they go when nobody has them."""

import gc
import os
import subprocess
import sys
import weakref

import numpy as np
import pytest

import mtlpy_nb as mtlpy

SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void twice(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] *= 2; }
"""


def test_the_list_of_devices():
    names = mtlpy.list_devices()
    assert names
    assert all(isinstance(name, str) for name in names)
    for index, name in enumerate(names):
        assert mtlpy.Device(index=index, cache_path=False).name == name
    assert mtlpy.Device(-1, cache_path=False).name == mtlpy.Device(cache_path=False).name
    with pytest.raises(RuntimeError, match=r"GPU index 99 out of range \(see mtlpy"):
        mtlpy.Device(index=99)


def test_facts(device):
    assert isinstance(device.mtl_ptr, int)
    assert device.mtl_ptr
    assert device.max_threads_per_threadgroup >= 512
    assert device.pipeline_cache_size == 0


def test_paths_of_the_cache(tmp_path):
    path = tmp_path / "pipelines.metallib"
    assert mtlpy.Device(cache_path=path).pipeline_cache_path == str(path)
    assert mtlpy.Device(cache_path=False).pipeline_cache_path == ""
    assert mtlpy.Device().pipeline_cache_path.endswith("pipelines.metallib")
    with pytest.raises(TypeError, match="cache_path=True is not a valid value"):
        mtlpy.Device(cache_path=True)


def test_the_file_is_not_written_before_the_flush(tmp_path):
    path = tmp_path / "deep" / "pipelines.metallib"
    device = mtlpy.Device(cache_path=str(path))
    device.compile(SOURCE, "twice").run([device.buffer(4)], 4)
    assert not path.exists()
    assert device.flush_cache() is None
    assert path.stat().st_size > 0


def test_a_flush_elsewhere_moves_nothing(tmp_path):
    path, other = tmp_path / "a.metallib", tmp_path / "b.metallib"
    device = mtlpy.Device(cache_path=str(path))
    device.compile(SOURCE, "twice")
    device.flush_cache(str(other))
    assert other.exists()
    assert not path.exists()
    assert device.pipeline_cache_path == str(path)
    device.flush_cache()
    assert path.exists()


def test_a_flush_never_raises(tmp_path):
    (tmp_path / "file").write_text("in the way")
    device = mtlpy.Device(cache_path=str(tmp_path / "file" / "pipelines.metallib"))
    device.compile(SOURCE, "twice")
    device.flush_cache()
    device.flush_cache(str(tmp_path / "file" / "other"))
    off = mtlpy.Device(cache_path=False)
    off.compile(SOURCE, "twice")
    off.flush_cache()
    off.flush_cache(str(tmp_path / "never"))
    assert not (tmp_path / "never").exists()


def test_the_end_of_the_block_flushes(tmp_path):
    path = tmp_path / "pipelines.metallib"
    with mtlpy.Device(cache_path=str(path)) as device:
        device.compile(SOURCE, "twice")
        assert not path.exists()
    assert path.exists()


def test_the_end_of_the_process_flushes(tmp_path):
    path = tmp_path / "pipelines.metallib"
    program = (
        f"import os, mtlpy_nb as m\nd = m.Device(cache_path={str(path)!r})\n"
        f"d.compile({SOURCE!r}, 'twice')\nassert not os.path.exists({str(path)!r})\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env=os.environ, timeout=120)
    assert path.exists()


def test_archives_of_ones_own(tmp_path):
    path = tmp_path / "kernels.metallib"
    device = mtlpy.Device(cache_path=False)
    archive = device.binary_archive(str(path))
    assert isinstance(archive, mtlpy.BinaryArchive)
    device.compile(SOURCE, "twice")
    device.compile(SOURCE, "twice", archive=archive)  # is here already, and gets into the archive all the same
    assert not path.exists()
    archive.save()
    assert path.exists()
    other = mtlpy.Device(cache_path=False)
    buffer = other.buffer(np.ones(4, np.float32))
    other.compile(SOURCE, "twice", archive=other.binary_archive(str(path))).run([buffer], 4)
    assert (buffer.contents == 2).all()
    archive.save(str(tmp_path / "copy.metallib"))
    assert (tmp_path / "copy.metallib").exists()
    with pytest.raises(RuntimeError, match="BinaryArchive has no path to save to"):
        device.binary_archive().save()
    with pytest.raises(RuntimeError, match="Failed to save Metal binary archive: "):
        archive.save(str(tmp_path / "no" / "such" / "folder" / "x"))
    (tmp_path / "text").write_text("no archive")
    with pytest.raises(RuntimeError, match="Failed to open Metal binary archive: "):
        device.binary_archive(str(tmp_path / "text"))


@pytest.fixture
def no_collector():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
def test_a_device_goes_with_its_last_reference():
    device = mtlpy.Device(cache_path=False)
    buffer = device.buffer(np.ones(4, np.float32))
    device.compile(SOURCE, "twice").run([buffer], 4)
    _ = buffer + buffer
    with device.command_buffer() as cb:
        device.compile(SOURCE, "twice").run([buffer], 4, cb=cb)
    with device.surface(size=(4, 4), display_sync=False) as surface:
        surface.present(device.texture(np.zeros((4, 4, 4), np.uint8)), wait=True)
    gone = weakref.ref(device)
    del device, buffer, cb, surface, _
    assert gone() is None


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize(
    "make",
    [
        lambda d: d.buffer(4),
        lambda d: d.empty_texture((4, 4), "r32Float"),
        lambda d: d.sampler(),
        lambda d: d.compile(SOURCE, "twice"),
        lambda d: d.command_buffer(),
        lambda d: d.queue(),
        lambda d: d.event(),
        lambda d: d.shared_event(),
        lambda d: d.fence(),
        lambda d: d.binary_archive(),
        lambda d: d.surface(size=(4, 4)),
        lambda d: d.surface(size=(4, 4)).next_frame(),
    ],
)
def test_what_a_device_makes_goes_at_once_and_keeps_the_device(make):
    device = mtlpy.Device(cache_path=False)
    thing = make(device)
    gone, device_gone = weakref.ref(thing), weakref.ref(device)
    del device
    assert device_gone() is not None
    del thing
    assert gone() is None
    assert device_gone() is None
