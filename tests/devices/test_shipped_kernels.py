# SPDX-License-Identifier: MIT
"""Archives of kernels made in one place and used in another, damaged ones, and many processes that write one file."""

import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

import mtlpy_nb
from mtlpy_nb import _native as mtl

KERNELS = """
#include <metal_stdlib>
using namespace metal;
kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }
kernel void thrice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 3; }
"""

# Runs a kernel, with an archive if there is one; says whether its machine code had to be made.
PROGRAM = """
import json, sys
import numpy as np
import mtlpy_nb
from mtlpy_nb import _native as mtl
source, name, archive = sys.argv[1:]
device = mtlpy_nb.Device(cache_path=False)
pipeline = device.compile(source, name, archive=device.binary_archive(archive))
buffer = device.buffer(np.arange(4, dtype=np.float32))
pipeline.run([buffer], 4)
print(json.dumps([mtl.compile_seconds(pipeline._pipeline) > 0, buffer.numpy().tolist()]))
"""


def made_code(archive, cwd=None, name="twice", **environment):
    """Run a kernel in a process without any cache but `archive`; gives whether the compiler made machine code."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM, KERNELS, name, str(archive)],
        env={**os.environ, "MTLPY_CACHE_DIR": "", **environment},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    made, result = json.loads(done.stdout)
    assert result == ([0, 2, 4, 6] if name == "twice" else [0, 3, 6, 9])
    return made


@pytest.fixture
def shipped(tmp_path):
    """A file with one kernel's machine code."""
    path = tmp_path / "kernels.metallib"
    device = mtlpy_nb.Device(cache_path=False)
    archive = device.binary_archive()
    device.compile(KERNELS, "twice", archive=archive).run([device.buffer(4)], 4)
    archive.save(path)
    return path


def test_another_process_uses_it_from_another_folder(shipped, tmp_path):
    there = tmp_path / "there"
    there.mkdir()
    shutil.move(shipped, there / "k.bin")
    assert not made_code("k.bin", cwd=there)
    assert made_code(tmp_path / "none.metallib")


def test_another_installation_of_the_same_compiler_uses_it(shipped, tmp_path):
    compiler = tmp_path / "elsewhere" / "metal-compiler"
    compiler.parent.mkdir()
    shutil.copy(mtl.compiler_information()["path"], compiler)
    os.utime(compiler, (1, 1))
    assert not made_code(shipped, MTLPY_COMPILER=str(compiler))


def test_what_is_not_in_it_is_compiled(shipped):
    assert made_code(shipped, name="thrice")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("mode", [0o444, 0o644, 0o600])
def test_another_users_file_that_only_they_can_write(shipped, mode):
    shipped.chmod(mode)
    os.chown(shipped, 12345, 12345)
    assert not made_code(shipped)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_another_users_file_in_the_cache_is_not_used(shipped, tmp_path):
    """A file that nobody named may have been put there by anybody."""
    os.chown(shipped, 12345, 12345)
    device = mtlpy_nb.Device(cache_path=shipped)
    archive = device._pipelines._archive._opened()
    assert len(device._pipelines) == 0
    path = tmp_path / "empty.metallib"
    archive.serialize_to_url(str(path))
    assert path.stat().st_size < shipped.stat().st_size


@pytest.mark.parametrize("mode", [0o664, 0o646])
def test_a_file_that_others_can_write_is_refused(shipped, mode):
    shipped.chmod(mode)
    with pytest.raises(RuntimeError, match=r"Failed to open Metal binary archive: .*other users may write to it"):
        mtlpy_nb.Device(cache_path=False).binary_archive(shipped)


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "other"])
def test_a_damaged_file(shipped, damage):
    """One's own archive says so; the device's file is written anew, and all works."""
    whole = shipped.read_bytes()
    shipped.write_bytes(
        {
            "cut": whole[: len(whole) // 2],
            "changed": whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:],
            "empty": b"",
            "other": b"PK" + whole[2:],
        }[damage]
    )
    with pytest.raises(RuntimeError, match=r"Failed to open Metal binary archive: .*(damaged|not a binary archive)"):
        mtlpy_nb.Device(cache_path=False).binary_archive(shipped)
    with mtlpy_nb.Device(cache_path=shipped) as device:
        device.compile(KERNELS, "twice").run([device.buffer(4)], 4)
    mtlpy_nb.Device(cache_path=False).binary_archive(shipped)


def test_another_version_of_the_compiler_does_not_use_it(shipped, tmp_path):
    """An entry's name is a hash of processor, compiler and code, so that one of another compiler is never found."""
    program = bytearray(Path(mtl.compiler_information()["path"]).read_bytes())
    note = struct.pack("<3I", 4, 20, 3) + b"GNU\0"  # the linker's build ID follows
    program[program.index(note) + len(note)] ^= 0xFF
    compiler = tmp_path / "metal-compiler"
    compiler.write_bytes(program)
    compiler.chmod(0o755)
    assert made_code(shipped, MTLPY_COMPILER=str(compiler))
    assert not made_code(shipped)


def test_what_is_added_joins_what_was_there(shipped, tmp_path):
    whole = shipped.read_bytes()
    device = mtlpy_nb.Device(cache_path=False)
    archive = device.binary_archive(shipped)
    device.compile(KERNELS, "thrice", archive=archive)
    both = tmp_path / "both.metallib"
    archive.save(both)
    assert both.stat().st_size > len(whole)
    assert not made_code(both)
    assert not made_code(both, name="thrice")


WRITER = """
import sys
import mtlpy_nb
path, number = sys.argv[1:]
with mtlpy_nb.Device(cache_path=path) as device:
    for i in range(3):
        source = f"kernel void k(device int* x) {{ x[0] = {number} * 100 + {i}; }}"
        buffer = device.buffer(1, "int")
        device.compile(source, "k").run([buffer], 1)
        assert buffer.numpy()[0] == int(number) * 100 + i
        device.flush_cache()
        device.binary_archive(path)  # whole at any moment
"""


def test_processes_that_write_one_file_keep_each_others(tmp_path):
    path = tmp_path / "shared.metallib"
    environment = {**os.environ, "MTLPY_CACHE_DIR": str(tmp_path / "folder")}
    writers = [
        subprocess.Popen([sys.executable, "-W", "error", "-c", WRITER, str(path), str(n)], env=environment)
        for n in range(4)
    ]
    assert [writer.wait(120) for writer in writers] == [0] * 4
    device = mtlpy_nb.Device(cache_path=False)
    for number in range(4):
        for i in range(3):
            source = f"kernel void k(device int* x) {{ x[0] = {number} * 100 + {i}; }}"
            assert not had_to_be_made(device, source, path)
    assert sorted(os.listdir(tmp_path)) == ["folder", "shared.metallib"], "nothing half-written is left"


def had_to_be_made(device, source, path):
    descriptor = mtl.ComputePipelineDescriptor()
    options = mtl.CompileOptions()
    options.set_kept_on_disk(False)
    descriptor.compute_function = device._native.new_library_with_source(source, options).new_function("k")
    descriptor.binary_archives = [device.binary_archive(path)._archive]
    return mtl.compile_seconds(device._native.new_compute_pipeline_state(descriptor)) > 0


def test_the_folder_stays_below_its_limit(tmp_path):
    """Two processes compile more than the limit lets the folder hold; each sees what the other stores now and then."""
    program = (
        "import sys, mtlpy_nb\n"
        "device = mtlpy_nb.Device()\n"
        "for i in range(12):\n"
        "    source = f'kernel void k(device int* x) {{ x[0] = {sys.argv[1]} * 100 + {i}; }}'\n"
        "    device.library(source)['k'].thread_execution_width\n"
    )
    environment = {**os.environ, "MTLPY_CACHE_DIR": str(tmp_path), "MTLPY_CACHE_SIZE": "60K"}
    runs = [subprocess.Popen([sys.executable, "-c", program, str(n)], env=environment) for n in range(2)]
    assert [run.wait(240) for run in runs] == [0, 0]
    kept = [entry for entry in Path(tmp_path).iterdir() if entry.suffix in (".so", ".library")]
    assert kept
    assert sum(entry.stat().st_size for entry in kept) <= 2 * 60 * 1024
    assert not [entry for entry in Path(tmp_path).iterdir() if ".writing." in entry.name]
