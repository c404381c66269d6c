# SPDX-License-Identifier: MIT
import gc
import os
import sys
import weakref

import pytest
from settling import settled_size

import mtlpy_nb.metal as pm


def test_facts(device):
    assert device.name
    assert device.max_threads_per_threadgroup.width >= 512
    assert device.max_threadgroup_memory_length == 32768
    assert device.max_buffer_length > 1 << 20
    assert isinstance(device.is_low_power, bool)
    assert pm.is_software(device) == device.is_software
    assert device.mtl_ptr


def test_the_same_metal_object_is_the_same_python_object(device):
    queue = device.new_command_queue()
    assert queue.device is device
    assert queue.command_buffer().command_queue is queue
    assert queue.command_buffer().device is device
    assert device.new_buffer(16).device is device
    assert all(other.name for other in pm.copy_all_devices())


def test_objects_can_be_labelled(device):
    for thing in (device.new_command_queue(), device.new_buffer(16), device.new_fence(), device.new_shared_event()):
        thing.label = "größer"
        assert thing.label == "größer"


def test_labels_with_nul_are_refused(device):
    with pytest.raises(pm.ValidationError, match="NUL"):
        device.new_buffer(16).label = "a\0b"


def test_memory_goes_with_the_last_reference(device):
    gc.disable()
    try:
        before = settled_size(device)
        buffers = [device.new_buffer(1 << 20) for _ in range(8)]
        assert device.current_allocated_size >= before + (8 << 20)
        view = buffers[0].contents()
        reference = weakref.ref(buffers[0])
        buffers.clear()
        assert device.current_allocated_size < before + (2 << 20)
        view[0] = 7
        assert reference() is not None
        del view
        assert reference() is None
        assert device.current_allocated_size <= before
    finally:
        gc.enable()


def test_objects_do_not_pile_up(device):
    def make():
        queue = device.new_command_queue()
        commands = queue.command_buffer()
        commands.compute_command_encoder()
        commands.add_completed_handler(lambda _: None)
        device.new_shared_event(), device.new_fence(), device.new_buffer(16)
        pm.TextureDescriptor(), pm.SamplerDescriptor(), pm.CompileOptions()

    make()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(200):
        make()
    assert sys.getallocatedblocks() < before + 100


def test_lengths_are_checked(device):
    with pytest.raises(pm.ValidationError, match=r"new_buffer: length is 0, must be 1 to \d+"):
        device.new_buffer(0)
    with pytest.raises(ValueError, match="length is -5"):
        device.new_buffer(-5)
    with pytest.raises(pm.ValidationError, match=str(device.max_buffer_length)):
        device.new_buffer(device.max_buffer_length + 1)
    with pytest.raises(pm.ValidationError, match="options is 1048576"):
        device.new_buffer(16, 1 << 20)
    with pytest.raises(TypeError):
        device.new_buffer("16")
    with pytest.raises(TypeError):
        device.new_buffer(16.0)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_an_inherited_device_is_refused_in_a_forked_child(device, queue):
    if not device.is_software:
        pytest.skip("Metal has no such check")
    makers = [
        lambda: device.new_buffer(16),
        lambda: device.new_command_queue(),
        lambda: device.new_library_with_source("kernel void k() {}"),
        lambda: device.new_texture(pm.TextureDescriptor.texture2d_descriptor(70, 4, 4)),
        lambda: queue.command_buffer(),
    ]
    child = os.fork()
    if child == 0:
        refused = 0
        for make in makers:
            try:
                make()
            except pm.ResourceError as error:
                refused += "created before fork" in str(error)
        own = pm.create_system_default_device().new_buffer(16).length
        os._exit(refused + own)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == len(makers) + 16
