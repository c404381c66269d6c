# SPDX-License-Identifier: MIT
"""The file of a device's pipelines: when it is written, what it saves, and what may be wrong with it.

It saves the making of machine code. The library is still compiled from source in each process, so the compiler is
needed; with an empty folder of compiled code, the time of a pipeline that came from the file is 0.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb import _native as mtl

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="Apple's own archives are Apple's to test")

TWICE = """
#include <metal_stdlib>
kernel void twice(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] *= 2; }
"""

# Runs TWICE on the device's file; says what the compiler had to do, and what was on disk before Python ended.
PROGRAM = """
import json, os, sys
import numpy as np
import mtlpy_nb
from mtlpy_nb import _native as mtl
source, path, mode = sys.argv[1:4]
device = mtlpy_nb.Device(cache_path=path or None)
pipeline = device.compile(source, "twice")
buffer = device.buffer(np.array([1, 2, 3], "f4"))
pipeline.run([buffer], 3)
if mode == "fork" and os.fork() == 0:
    sys.exit()
if mode == "fork":
    os.wait()
print(json.dumps({
    "result": buffer.numpy().tolist(),
    "seconds": mtl.compile_seconds(pipeline._pipeline),
    "path": device.pipeline_cache_path,
    "exists": os.path.exists(device.pipeline_cache_path),
}))
if mode == "drop":
    del pipeline, buffer, device
    os._exit(0)
if mode in ("abandon", "fork"):
    os._exit(0)
"""


def run(folder, path, mode="", source=TWICE):
    environment = {**os.environ, "MTLPY_CACHE_DIR": str(folder)}
    arguments = [sys.executable, "-c", PROGRAM, source, str(path), mode]
    done = subprocess.run(arguments, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["result"] == [2, 4, 6]
    return answer


def unique(text):
    """Source that no other test has compiled in this process."""
    return f"{TWICE}\n// {text}\nconstant int unused_{text} = 1;\n"


def test_file_is_written_by_flush_only(tmp_path):
    path = tmp_path / "made" / "kernels.metallib"
    device = mtlpy_nb.Device(cache_path=str(path))
    device.flush_cache()
    device.compile(TWICE, "twice")
    device.library(TWICE)["twice"](np.ones(4, np.float32))
    assert not path.exists()
    assert device.pipeline_cache_size == 1
    device.flush_cache()
    assert path.stat().st_size > 1000
    assert [p.name for p in path.parent.iterdir()] == [path.name], "no half-written file is left"
    other = tmp_path / "other.metallib"
    device.flush_cache(str(other))
    assert other.exists()
    assert device.pipeline_cache_path == str(path)


def test_with_writes_the_file(tmp_path):
    path = tmp_path / "kernels.metallib"
    with mtlpy_nb.Device(cache_path=path) as device:
        device.compile(TWICE, "twice")
        assert not path.exists()
    assert path.exists()


@pytest.mark.parametrize("mode", ["", "drop"])
def test_file_is_written_when_the_device_ends(tmp_path, mode):
    path = tmp_path / "kernels.metallib"
    assert not run(tmp_path / "folder", path, mode)["exists"]
    assert path.exists()


def test_default_path_is_in_the_folder(tmp_path):
    answer = run(tmp_path, "")
    assert Path(answer["path"]) == tmp_path / "pipelines.metallib"
    assert (tmp_path / "pipelines.metallib").exists()


def test_a_forked_child_writes_nothing(tmp_path):
    path = tmp_path / "kernels.metallib"
    assert not run(tmp_path / "folder", path, "fork")["exists"]


def test_another_process_does_not_make_the_code_again(tmp_path):
    path = tmp_path / "kernels.metallib"
    assert run(tmp_path / "one", path)["seconds"] > 0
    assert run(tmp_path / "two", tmp_path / "none", "abandon")["seconds"] > 0
    assert run(tmp_path / "three", path)["seconds"] == 0


def test_changed_source_is_compiled_and_joins_the_rest(tmp_path):
    path = tmp_path / "kernels.metallib"
    run(tmp_path / "one", path)
    size = path.stat().st_size
    changed = TWICE.replace("*= 2", "+= x[i]")
    assert run(tmp_path / "two", path, source=changed)["seconds"] > 0
    assert path.stat().st_size > size
    for source in (TWICE, changed):
        assert run(tmp_path / "three", path, "abandon", source)["seconds"] == 0


def test_shapes_of_threadgroups_are_in_the_file(tmp_path):
    path = tmp_path / "kernels.metallib"
    with mtlpy_nb.Device(cache_path=path) as device:
        pipeline = device.compile(unique("shapes"), "twice")
    size = path.stat().st_size
    pipeline.run([device.buffer(64)], (8, 4), threadgroup=(8, 4))
    device.flush_cache()
    assert path.stat().st_size > size


@pytest.mark.parametrize("damage", ["empty", "rubbish", "short", "changed", "folder", "open to all"])
def test_a_file_that_cannot_be_read_is_ignored(tmp_path, damage):
    path = tmp_path / "kernels.metallib"
    device = mtlpy_nb.Device(cache_path=False)
    archive = device.binary_archive()
    device.compile(TWICE, "twice", archive=archive)
    archive.save(path)
    good = path.read_bytes()
    if damage == "folder":
        path.unlink()
        path.mkdir()
    elif damage == "open to all":
        path.chmod(0o666)
    else:
        middle = len(good) // 2
        changed = good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1 :]
        path.write_bytes({"empty": b"", "rubbish": b"x" * 5000, "short": good[:-1], "changed": changed}[damage])
    with pytest.raises(RuntimeError, match="Failed to open Metal binary archive"):
        device.binary_archive(path)
    with mtlpy_nb.Device(cache_path=path) as other:
        other.compile(TWICE, "twice")
    if damage != "folder":
        device.binary_archive(path)


def test_flush_never_raises(tmp_path):
    (tmp_path / "file").touch()
    device = mtlpy_nb.Device(cache_path=tmp_path / "file" / "kernels.metallib")
    device.compile(TWICE, "twice")
    device.flush_cache()
    device.flush_cache("/proc/nothing/kernels.metallib")
    device.flush_cache("nul\0character")
    assert not os.path.exists("nul"), "a path is not cut short"


def test_without_cache_no_file_is_left(tmp_path):
    program = (
        "import sys, numpy as np, mtlpy_nb\n"
        "with mtlpy_nb.Device(cache_path=False) as device:\n"
        "    device.compile(sys.argv[1], 'twice').run([device.buffer(64)], (8, 4), threadgroup=(8, 4))\n"
        "    device.library(sys.argv[1], options={'macros': {'N': 1}})['twice'](np.ones(4, 'f4'))\n"
        "    device.flush_cache()\n"
        "assert device.pipeline_cache_path == ''\n"
    )
    environment = {**os.environ, "MTLPY_CACHE_DIR": str(tmp_path / "folder")}
    subprocess.run([sys.executable, "-c", program, TWICE], env=environment, cwd=tmp_path, check=True, timeout=120)
    assert list(tmp_path.iterdir()) == []


def test_two_devices_share_the_file(tmp_path):
    path = tmp_path / "kernels.metallib"
    first, second = mtlpy_nb.Device(cache_path=path), mtlpy_nb.Device(cache_path=path)
    first.compile(TWICE, "twice")
    first.flush_cache()
    size = path.stat().st_size
    second.compile(unique("second").replace("*= 2", "*= 3"), "twice")
    second.flush_cache()
    assert path.stat().st_size > size


def test_an_archive_of_ones_own(tmp_path):
    path = tmp_path / "mine.metallib"
    device = mtlpy_nb.Device(cache_path=False)
    source = unique("own")
    device.compile(source, "twice")
    archive = device.binary_archive()
    device.compile(source, "twice", archive=archive)
    with pytest.raises(RuntimeError, match="BinaryArchive has no path to save to"):
        archive.save()
    archive.save(path)
    device.binary_archive(path).save()
    with pytest.raises(RuntimeError, match="Failed to save Metal binary archive"):
        archive.save(tmp_path / "no" / "folder")
    with pytest.raises(ValueError, match="different Device"):
        mtlpy_nb.Device(cache_path=False).compile(source, "twice", archive=archive)


def test_metals_own_objects(tmp_path, device):
    native = device._native
    descriptor = mtl.BinaryArchiveDescriptor.binary_archive_descriptor()
    assert descriptor.url is None
    archive = native.new_binary_archive(descriptor)
    archive.label = "mine"
    assert (archive.label, archive.device) == ("mine", native)
    kernel = mtl.ComputePipelineDescriptor()
    with pytest.raises(ValueError, match="no compute_function"):
        archive.add_compute_pipeline_functions(kernel)
    kernel.compute_function = native.new_library_with_source(unique("objects")).new_function("twice")
    archive.add_compute_pipeline_functions(kernel)
    path = str(tmp_path / "mine.metallib")
    archive.serialize_to_url(path)
    descriptor.set_url(path)
    assert descriptor.url == path
    kernel.binary_archives = [native.new_binary_archive(descriptor)]
    assert kernel.binary_archives[0].device is native
    assert mtl.compile_seconds(native.new_compute_pipeline_state(kernel)) == 0
    descriptor.url = str(tmp_path / "missing")
    with pytest.raises(mtlpy_nb.ResourceError, match="No such file"):
        native.new_binary_archive(descriptor)
