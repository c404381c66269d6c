# SPDX-License-Identifier: MIT
"""Captures of what goes wrong, and captures that go wrong."""

import os
import subprocess
import sys

import numpy as np
import pytest

import mtlpy_nb
import mtlpy_nb.metal as pm

from .conftest import SOURCE


def test_a_kernel_that_leaves_its_buffers(device, kernels, capturing):
    x, far = np.zeros(4, np.int32), np.zeros(1, np.uint64)
    with capturing() as captured, pytest.raises(mtlpy_nb.ExecutionError):
        kernels["wild"](x, far, grid=1)
    (command,) = captured.commands
    assert command.error.startswith("kernel wild: invalid memory access")
    assert captured.errors == (command,)
    assert command.command_buffer.status == "error"
    assert command.command_buffer.error == command.error
    assert command.is_finished
    # What it did before it failed is there.
    assert command.buffers["x"].after.tolist() == [7, 0, 0, 0]
    assert "FAILED: kernel wild" in str(captured.file)


def test_commands_after_a_fault_did_not_run(device, capturing):
    wild, twice = device.compile(SOURCE, "wild"), device.compile(SOURCE, "twice")
    x, far = device.buffer(4, np.int32), device.buffer(np.zeros(1, np.uint64))
    with capturing() as captured:
        batch = device.command_buffer()
        wild.run([x, far], 1, cb=batch)
        twice.run([device.buffer(64)], 64, cb=batch)
        with pytest.raises(mtlpy_nb.ExecutionError):
            batch.commit()
    assert len(captured.commands) == 1
    assert captured.command_buffers[0].encoded == 2


def test_a_mistake_in_encoding(device, capturing):
    """Metal runs no command of such a command buffer; the capture says why."""
    descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.RGBA8Unorm, 4, 4)
    target = pm.RenderPassDescriptor()
    target.color_attachment(0).texture = device._native.new_texture(descriptor)
    target.color_attachment(0).store_action = pm.StoreAction.Unknown
    with capturing() as captured:
        commands = device._queue.command_buffer()
        commands.render_command_encoder(target).end_encoding()
        commands.commit()
        with pytest.raises(mtlpy_nb.ExecutionError, match="is MTLStoreActionUnknown still"):
            commands.wait()
    assert "is MTLStoreActionUnknown still" in captured.command_buffers[0].error
    (command,) = captured.commands
    assert command.kind == "other"
    assert "is MTLStoreActionUnknown still" in command.error


def test_one_capture_at_a_time(device, tmp_path):
    with device.start_capture(tmp_path / "a.metalcapture"):
        assert device.is_capturing
        with pytest.raises(RuntimeError, match="another capture is under way; stop it first"):
            device.start_capture(tmp_path / "b.metalcapture")
        assert device.is_capturing
    assert not device.is_capturing
    assert [path.name for path in tmp_path.iterdir()] == ["a.metalcapture"]


def test_stopping_without_a_capture(device):
    device.stop_capture()
    assert not device.is_capturing


def test_folders_are_made(device, tmp_path):
    path = tmp_path / "deep" / "down" / "c.metalcapture"
    with device.start_capture(str(path)) as capture:
        assert not path.exists()
    assert capture.path == str(path)
    assert path.exists()


def test_the_default_path(device, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        with device.start_capture():
            pass
    names = sorted(path.name for path in tmp_path.iterdir())
    assert len(names) == 2
    assert all(name.startswith("capture-2") and name.endswith(".metalcapture") for name in names)


def test_a_file_of_that_name_is_replaced_at_the_end(device, tmp_path):
    path = tmp_path / "c.metalcapture"
    path.write_text("something else")
    with device.start_capture(path):
        assert path.read_text() == "something else"
    assert len(mtlpy_nb.capture.load(path).commands) == 0


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("", "path is '', expected the name of a file"),
        (b"bytes", "path must be a str or a path, got bytes"),
        (7, "path must be a str or a path, got int"),
        ("nul\0", "NUL|null"),
    ],
)
def test_paths_that_cannot_be(device, path, message):
    with pytest.raises((TypeError, ValueError, RuntimeError), match=message):
        device.start_capture(path)
    assert not device.is_capturing


def test_paths_that_cannot_be_written(device, tmp_path):
    with pytest.raises(RuntimeError, match=f"cannot write {tmp_path}: it is a folder"):
        device.start_capture(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(RuntimeError, match="cannot make the folder of"):
        device.start_capture(tmp_path / "file" / "c.metalcapture")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(RuntimeError, match="it is not a file"):
        device.start_capture(tmp_path / "pipe")
    assert not device.is_capturing


FULL_DISK = """
import resource, sys
import numpy as np
import mtlpy_nb
device = mtlpy_nb.Device(cache_path=False)
twice = device.library('''
kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }''')["twice"]
noise = np.random.default_rng(1).random(4_000_000, np.float32)
x = device.buffer(noise)
twice(x)
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))
try:
    with device.start_capture(sys.argv[1]):
        for _ in range(5):
            twice(x)
except RuntimeError as error:
    print(error)
assert not device.is_capturing
assert np.array_equal(x.numpy(), noise * 64), "work goes on"
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
with device.start_capture(sys.argv[1] + ".second") as capture:
    twice(x)
print(len(capture.load().commands))
"""


def test_a_disk_that_is_full(tmp_path):
    path = tmp_path / "c.metalcapture"
    end = subprocess.run(
        [sys.executable, "-c", FULL_DISK, path], capture_output=True, text=True, timeout=120, check=False
    )
    assert end.returncode == 0, end.stderr
    assert end.stdout.splitlines() == [f"stop_capture: cannot write {path}: File too large", "1"]
    assert [left.name for left in tmp_path.iterdir()] == ["c.metalcapture.second"]


KILLED = """
import os, sys
import numpy as np
import mtlpy_nb
device = mtlpy_nb.Device(cache_path=False)
device.start_capture(sys.argv[1])
device.buffer(4) + 1
HOW
"""


@pytest.mark.parametrize("how", ["os.kill(os.getpid(), 9)", "os._exit(3)", "sys.exit(3)"])
def test_a_process_that_ends_in_the_middle_leaves_nothing(tmp_path, how):
    end = subprocess.run(
        [sys.executable, "-c", KILLED.replace("HOW", how), tmp_path / "c.metalcapture"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert end.returncode in (3, -9), end.stderr
    assert list(tmp_path.iterdir()) == []


def test_wrong_queues_and_scopes(device, tmp_path):
    other = mtlpy_nb.Device(cache_path=False)
    path = tmp_path / "c.metalcapture"
    with pytest.raises(ValueError, match="the queue belongs to a different Device"):
        device.start_capture(path, queue=other.queue())
    with pytest.raises(ValueError, match="the scope belongs to a different Device"):
        device.start_capture(path, scope=other.capture_scope())
    with pytest.raises(ValueError, match="give a queue or a scope, not both"):
        device.start_capture(path, queue=device.queue(), scope=device.capture_scope())
    with pytest.raises(ValueError, match="Queue belongs to a different Device instance"):
        device.capture_scope("a", other.queue())
    with pytest.raises(TypeError, match="label must be a str or None, got int"):
        device.capture_scope(7)


def test_scopes_without_a_capture(device):
    scope = device.capture_scope("quiet")
    with scope:
        scope.begin()
    scope.end()
    assert scope.label == "quiet"
    assert repr(scope) == "CaptureScope('quiet')"


def test_loading_while_the_capture_goes_on(device, tmp_path):
    with (
        device.start_capture(tmp_path / "c.metalcapture") as capture,
        pytest.raises(RuntimeError, match="stop it first"),
    ):
        capture.load()


class TestMetalsOwnObjects:
    def test_manager(self, device):
        manager = pm.shared_capture_manager()
        assert manager is pm.CaptureManager.shared_capture_manager()
        assert manager.supports_destination(pm.CaptureDestination.GPUTraceDocument)
        assert not manager.supports_destination(pm.CaptureDestination.DeveloperTools)
        assert not manager.is_capturing
        scope = manager.new_capture_scope_with_device(device._native)
        assert manager.default_capture_scope is None
        manager.default_capture_scope = scope
        assert manager.default_capture_scope is scope
        manager.default_capture_scope = None

    def test_scopes(self, device):
        manager = pm.shared_capture_manager()
        queue = device._native.new_command_queue()
        scope = manager.new_capture_scope_with_command_queue(queue)
        assert scope.command_queue is queue
        assert scope.device is device._native
        assert scope.label == ""
        scope.label = "My Debug Capture"
        assert scope.label == "My Debug Capture"
        assert manager.new_capture_scope(device._native).command_queue is None
        with scope:
            pass

    def test_descriptor(self, device, tmp_path):
        descriptor = pm.CaptureDescriptor()
        assert descriptor.capture_object is None
        assert descriptor.destination == pm.CaptureDestination.DeveloperTools
        assert descriptor.output_url is None
        manager = pm.shared_capture_manager()
        with pytest.raises(RuntimeError, match="captureObject must be a device, a command queue or a capture scope"):
            manager.start_capture(descriptor)
        descriptor.capture_object = device._native
        assert descriptor.capture_object is device._native
        with pytest.raises(RuntimeError, match="this device captures to MTLCaptureDestinationGPUTraceDocument only"):
            manager.start_capture(descriptor)
        descriptor.destination = pm.CaptureDestination.GPUTraceDocument
        with pytest.raises(RuntimeError, match="outputURL must name a file"):
            manager.start_capture(descriptor)
        with pytest.raises(TypeError, match="capture_object must be a Device, a CommandQueue, a CaptureScope"):
            descriptor.capture_object = 7
        descriptor.output_url = str(tmp_path / "a.metalcapture")
        manager.start_capture(descriptor)
        assert manager.is_capturing
        end = manager.stop_capture()
        assert end["path"] == descriptor.output_url
        assert end["unfinished"] == 0
        assert end["bytes"] <= (tmp_path / "a.metalcapture").stat().st_size
        descriptor.capture_object = None
        assert descriptor.capture_object is None


class OfAMac:
    """A capture manager of a process that was started without MTL_CAPTURE_ENABLED."""

    def supports_destination(self, destination):
        return False


@pytest.mark.parametrize("path", ["a.gputrace", None])
def test_a_process_that_may_not_capture(device, tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(mtlpy_nb.capture._running.mtl, "shared_capture_manager", OfAMac)
    with pytest.raises(RuntimeError, match="set the environment variable MTL_CAPTURE_ENABLED=1 before Python starts"):
        device.start_capture(path)
    assert list(tmp_path.iterdir()) == []
