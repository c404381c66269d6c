# SPDX-License-Identifier: MIT
"""Captures and their scopes, as programs for mtlpy begin and end them."""

import os

import numpy as np
import pytest

import mtlpy_nb as mtlpy

SOURCE = """
#include <metal_stdlib>
kernel void twice(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] *= 2; }
"""


@pytest.fixture
def device():
    device = mtlpy.Device(cache_path=False)
    if not device.is_software and os.environ.get("MTL_CAPTURE_ENABLED") != "1":
        pytest.skip("Metal captures with MTL_CAPTURE_ENABLED=1 only")
    yield device
    device.stop_capture()


@pytest.fixture
def work(device):
    pipeline, buffer = device.compile(SOURCE, "twice"), device.buffer(np.ones(4, np.float32))
    return lambda: pipeline.run([buffer], 4)


def test_a_block_is_captured_into_a_file(device, work, tmp_path):
    path = tmp_path / "not" / "there" / "trace.gputrace"
    assert device.is_capturing is False
    with device.start_capture(str(path)) as capture:
        assert isinstance(capture, mtlpy.Capture)
        assert device.is_capturing is True
        with device.capture_scope("Blur pass") as scope:
            assert isinstance(scope, mtlpy.CaptureScope)
            work()
    assert device.is_capturing is False
    assert path.exists()


def test_without_a_block(device, work, tmp_path):
    device.start_capture(str(tmp_path / "trace.gputrace"))
    scope = device.capture_scope(label="part", queue=device.queue())
    assert scope.begin() is None
    work()
    assert scope.end() is None
    assert device.stop_capture() is None
    assert not device.is_capturing
    assert (tmp_path / "trace.gputrace").exists()
    device.stop_capture()


def test_a_block_that_raises_ends_the_capture(device, tmp_path):
    capture = device.start_capture(str(tmp_path / "trace.gputrace"))
    with pytest.raises(KeyError), capture:
        raise KeyError("no")
    assert not device.is_capturing


def test_scopes_without_a_capture_do_nothing(device, work):
    with device.capture_scope():
        work()
    assert not device.is_capturing


def test_what_is_refused(device, other_device, tmp_path):
    with pytest.raises(ValueError, match="Queue belongs to a different Device instance"):
        device.capture_scope("x", queue=other_device.queue())
    device.start_capture(str(tmp_path / "trace.gputrace"))
    with pytest.raises(RuntimeError, match="capture"):
        device.start_capture(str(tmp_path / "second.gputrace"))
