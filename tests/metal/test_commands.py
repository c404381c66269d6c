# SPDX-License-Identifier: MIT
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import mtlpy_nb.metal as pm

from .conftest import ADD, FOR_EVER

WILD = """
#include <metal_stdlib>
kernel void wild(device int* x, uint i [[thread_position_in_grid]]) { x[i - (1ul << 34)] = 1; }
"""


@pytest.fixture
def three(filled, device):
    """Two inputs and an output of `add`."""
    return [filled(np.arange(64, dtype=np.float32)), filled(np.ones(64, np.float32)), device.new_buffer(256)]


def test_order_is_kept(queue):
    commands = queue.command_buffer()
    assert commands.status is pm.CommandBufferStatus.NotEnqueued
    encoder = commands.compute_command_encoder()
    with pytest.raises(pm.ValidationError, match="another encoder of the command buffer is open"):
        commands.blit_command_encoder()
    with pytest.raises(pm.ValidationError, match="commit: another encoder"):
        commands.commit()
    encoder.end_encoding()
    with pytest.raises(pm.ValidationError, match="the encoder has ended"):
        encoder.end_encoding()
    with pytest.raises(pm.ValidationError, match="isn't committed"):
        commands.wait_until_completed()
    commands.commit()
    with pytest.raises(pm.ValidationError, match="the command buffer is committed"):
        commands.commit()
    with pytest.raises(pm.ValidationError, match="the command buffer is committed"):
        commands.compute_command_encoder()
    commands.wait_until_scheduled()
    assert commands.wait()
    assert commands.done()


def test_a_forgotten_encoder_ends_itself(queue):
    commands = queue.command_buffer()
    commands.compute_command_encoder()
    commands.blit_command_encoder()
    commands.commit()
    commands.wait_until_completed()


def test_callbacks(queue, pipeline, three):
    called = []
    commands = queue.command_buffer()
    commands.add_completed_handler(called.append)
    with commands.compute_command_encoder() as encoder:
        pm.encode_dispatch(encoder, pipeline(ADD, "add"), three, grid=64, threadgroup=64)
    commands.commit()
    commands.add_completed_handler(called.append)
    commands.wait_until_completed()
    assert called == [commands, commands]
    commands.add_completed_handler(called.append)
    assert len(called) == 3


def test_errors_in_callbacks_are_reported(queue, monkeypatch):
    reported = []
    monkeypatch.setattr(sys, "unraisablehook", lambda args: reported.append(args.exc_value))
    commands = queue.command_buffer()
    commands.add_completed_handler(lambda _: 1 / 0)
    commands.commit()
    commands.wait_until_completed()
    assert isinstance(reported[0], ZeroDivisionError)


def test_one_call_dispatches(device, queue, pipeline, three):
    a, b, c = three
    commands = pm.dispatch(queue, pipeline(ADD, "add"), three, grid=(64, 1, 1), threadgroup=(32, 1, 1))
    assert commands.done()
    assert commands.gpu_end_time >= commands.gpu_start_time > 0
    np.testing.assert_array_equal(np.frombuffer(c, np.float32), np.arange(64) + 1)
    ones, much = np.ones(64, np.float32), np.full(4096, 2, np.float32)
    pm.dispatch(queue, pipeline(ADD, "add"), (ones, much, (c, 0)), grid=2, threadgroup=32, threadgroups=True)
    np.testing.assert_array_equal(np.frombuffer(c, np.float32), np.full(64, 3))
    handle = pm.dispatch(queue, pipeline(ADD, "add"), [a, (b, 128), (c, 128)], grid=32, threadgroup=32, wait=False)
    assert handle.wait(timeout=60)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"grid": 0}, pm.ValidationError, r"threads_per_grid is \(0, 1, 1\), each must be 1 to 4294967295"),
        ({"grid": (4, -1)}, pm.ValidationError, r"\(4, -1, 1\)"),
        ({"grid": 1 << 40}, pm.ValidationError, "each must be 1 to"),
        ({"threadgroup": 0}, pm.ValidationError, r"threads_per_threadgroup is \(0, 1, 1\)"),
        (
            {"threadgroup": 3_000_000},
            pm.ValidationError,
            r"threads_per_threadgroup is \(3000000, 1, 1\), kernel add allows 1024",
        ),
        ({"threadgroup": (32, 33)}, pm.ValidationError, r"\(32, 33, 1\)"),
        ({"grid": "x"}, TypeError, "incompatible function arguments"),
        ({"grid": (1, 2, 3, 4)}, TypeError, "incompatible function arguments"),
        ({"buffers": []}, pm.ValidationError, "kernel add uses a, but no buffer is set at index 0"),
        (
            {"buffers": [b"1234", None, b"1234"]},
            pm.ValidationError,
            "kernel add uses b, but no buffer is set at index 1",
        ),
        ({"buffers": [1]}, TypeError, r"buffers\[0\] must be a Buffer, \(Buffer, offset\), bytes or None, got int"),
        ({"buffers": [b""]}, pm.ValidationError, "data has 0 bytes"),
        ({"buffers": [b"1"] * 32}, pm.ValidationError, "index is 31, must be 0 to 30"),
        ({"buffers": 3}, TypeError, "must be a list or a tuple"),
        ({"textures": [1]}, TypeError, r"textures\[0\] must be a Texture or None, got int"),
        ({"samplers": [1]}, TypeError, r"samplers\[0\] must be a SamplerState or None"),
        ({"threadgroup_lengths": [5]}, pm.ValidationError, "length is 5, must be a multiple of 16"),
        (
            {"threadgroup_lengths": [65536]},
            pm.ValidationError,
            "65536 bytes of threadgroup memory are asked for, the device has 32768",
        ),
    ],
)
def test_bad_dispatches(queue, pipeline, three, change, error, message):
    arguments = {"buffers": three, "grid": 64, "threadgroup": 64} | change
    with pytest.raises(error, match=message):
        pm.dispatch(queue, pipeline(ADD, "add"), **arguments)
    pm.dispatch(queue, pipeline(ADD, "add"), three, grid=64, threadgroup=64)


def test_bad_arguments_of_an_encoder(device, queue, three):
    with queue.command_buffer().compute_command_encoder() as encoder:
        with pytest.raises(pm.ValidationError, match="no compute pipeline state is set"):
            encoder.dispatch_threads(1, 1)
        with pytest.raises(pm.ValidationError, match="set_buffer: offset is 256, must be 0 to 255"):
            encoder.set_buffer(three[2], 256, 0)
        with pytest.raises(pm.ValidationError, match="index is -1"):
            encoder.set_buffer(three[2], 0, -1)
        with pytest.raises(pm.ValidationError, match="index is 32"):
            encoder.set_buffer(three[2], 0, 32)
        encoder.set_buffer(three[2], 0, 31)
        with pytest.raises(pm.ValidationError, match="index is 128"):
            encoder.set_texture(None, 128)
        with pytest.raises(pm.ValidationError, match="index is 16"):
            encoder.set_sampler_state(None, 16)
        with pytest.raises(pm.ValidationError, match="data has 5000 bytes, must be 1 to 4096"):
            encoder.set_bytes(bytes(5000), 0)
        with pytest.raises(pm.ValidationError, match="length is 5, must be 1 to 4"):
            encoder.set_bytes(b"1234", 5, 0)
        with pytest.raises(pm.ValidationError, match="no buffer is set at index 3"):
            encoder.set_buffer_offset(0, 3)
        with pytest.raises(TypeError):
            encoder.set_buffer(three[2].contents(), 0, 0)


def test_unbinding(queue, pipeline, three):
    with queue.command_buffer().compute_command_encoder() as encoder:
        pm.encode_dispatch(encoder, pipeline(ADD, "add"), three, grid=64, threadgroup=64)
        encoder.set_buffer(None, 0, 1)
        with pytest.raises(pm.ValidationError, match="uses b"):
            encoder.dispatch_threads(64, 64)


def test_blits(device, queue, filled):
    source = filled(np.arange(100, dtype=np.uint8))
    destination = device.new_buffer(100)
    commands = queue.command_buffer()
    with commands.blit_command_encoder() as encoder:
        encoder.fill_buffer(destination, pm.Range(0, 100), 9)
        encoder.copy_from_buffer(source, 10, destination, 50, 20)
        encoder.copy_from_buffer_to_buffer(
            source=source, source_offset=0, destination=destination, destination_offset=0, size=1
        )
    commands.commit()
    commands.wait_until_completed()
    expected = np.full(100, 9, np.uint8)
    expected[50:70] = np.arange(10, 30)
    expected[0] = 0
    np.testing.assert_array_equal(destination.contents(), expected)
    pm.copy(queue, source, 0, destination, 0, 100)
    assert bytes(source) == bytes(destination)


def test_bad_blits(device, queue, filled):
    a, b = filled(np.zeros(10, np.uint8)), filled(np.zeros(20, np.uint8))
    with pytest.raises(pm.ValidationError, match="11 bytes at offset 0 don't fit the source of 10 bytes"):
        pm.copy(queue, a, 0, b, 0, 11)
    with pytest.raises(pm.ValidationError, match="5 bytes at offset 18 don't fit the destination of 20 bytes"):
        pm.copy(queue, a, 0, b, 18, 5)
    with pytest.raises(pm.ValidationError, match="overlap"):
        pm.copy(queue, b, 0, b, 5, 10)
    with queue.command_buffer().blit_command_encoder() as encoder:
        with pytest.raises(pm.ValidationError, match="value is 256"):
            encoder.fill_buffer(a, (0, 10), 256)
        with pytest.raises(pm.ValidationError, match="isn't managed"):
            encoder.synchronize_resource(a)


def test_a_shared_event_holds_a_queue(device, pipeline, three):
    event = device.new_shared_event()
    first, second = device.new_command_queue(), device.new_command_queue()
    waiting = first.command_buffer()
    waiting.encode_wait_for_event(event, 1)
    waiting.encode_signal_event(event, 2)
    waiting.commit()
    assert not waiting.wait(timeout=0.05)
    assert not event.wait_until_signaled_value(1, timeout_ms=10)
    signalling = second.command_buffer()
    signalling.encode_signal_event(event, 1)
    signalling.commit()
    assert event.wait_until_signaled_value(2, timeout_ms=60_000)
    waiting.wait_until_completed()
    assert event.signaled_value == 2
    event.signaled_value = 5
    assert event.wait_until_signaled_value(5, 0)
    with pytest.raises(pm.ValidationError, match="signaled_value is -1"):
        event.signaled_value = -1


def test_fences_and_barriers(device, queue, pipeline, three):
    fence = device.new_fence()
    commands = queue.command_buffer()
    with commands.compute_command_encoder(pm.DispatchType.Concurrent) as encoder:
        pm.encode_dispatch(encoder, pipeline(ADD, "add"), three, grid=64, threadgroup=64)
        encoder.memory_barrier(pm.BarrierScope.Buffers)
        encoder.update_fence(fence)
    with commands.blit_command_encoder() as encoder:
        encoder.wait_for_fence(fence)
    commands.commit()
    commands.wait_until_completed()
    assert fence.device is device


def test_a_wild_write_fails_and_the_device_goes_on(device, queue, pipeline, three):
    if not device.is_software:
        pytest.skip("a GPU may drop the write")
    with pytest.raises(pm.ExecutionError, match="wild"):
        pm.dispatch(queue, pipeline(WILD, "wild"), [three[2]], grid=4, threadgroup=4)
    handle = pm.dispatch(queue, pipeline(WILD, "wild"), [three[2]], grid=4, threadgroup=4, wait=False)
    with pytest.raises(pm.ExecutionError):
        handle.wait()
    assert handle.done()
    assert handle.status is pm.CommandBufferStatus.Error
    assert handle.error
    assert pm.fault(handle)["is_write"]
    assert pm.fault(handle)["kernel"] == "wild"
    pm.dispatch(queue, pipeline(ADD, "add"), three, grid=64, threadgroup=64)


@pytest.mark.alone
def test_a_kernel_that_never_ends_can_be_stopped(device, queue, pipeline, three):
    if not device.is_software:
        pytest.skip("a GPU can't be stopped")
    three[2].contents()[:] = 0
    handle = pm.dispatch(queue, pipeline(FOR_EVER, "for_ever"), [three[2]], grid=1, threadgroup=1, wait=False)
    assert not handle.wait(timeout=0.1)
    pm.stop(handle)
    with pytest.raises(pm.ExecutionError):
        handle.wait(timeout=60)
    assert handle.error_code == pm.CommandBufferError.Timeout


@pytest.mark.alone
def test_ctrl_c_ends_a_wait_within_a_fifth_of_a_second(device, queue, pipeline, three):
    if not device.is_software:
        pytest.skip("a GPU can't be stopped")
    three[2].contents()[:] = 0
    kernel = pipeline(FOR_EVER, "for_ever")
    sent = []

    def interrupt():
        time.sleep(0.2)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        pm.dispatch(queue, kernel, [three[2]], grid=1, threadgroup=1)
    assert time.perf_counter() - sent[0] < 0.2
    thread.join()
    pm.dispatch(queue, pipeline(ADD, "add"), three, grid=64, threadgroup=64)


@pytest.mark.alone
def test_waits_for_events_can_be_interrupted(device):
    event = device.new_shared_event()
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        event.wait_until_signaled_value(1)
    timer.join()


@pytest.mark.parametrize("ending", ["", "commands.commit()", "del device, queue; commands.commit()"])
def test_programs_end_whatever_is_left(ending):
    program = textwrap.dedent(f"""
        import mtlpy_nb.metal as pm
        device = pm.create_system_default_device()
        queue = device.new_command_queue()
        event = device.new_shared_event()
        commands = queue.command_buffer()
        commands.add_completed_handler(print)
        commands.encode_wait_for_event(event, 1)
        {ending}
    """)
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stderr) == (0, "")


def test_lengths_of_threadgroup_memory_do_not_wrap_around(queue):
    encoder = queue.command_buffer().compute_command_encoder()
    with pytest.raises(ValueError, match="length is 9223372036854775792, must be <= 4294967295"):
        encoder.set_threadgroup_memory_length(2**63 - 16, 0)
