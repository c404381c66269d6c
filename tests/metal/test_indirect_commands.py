# SPDX-License-Identifier: MIT
"""Indirect command buffers: written by the processor and by kernels, executed, copied, emptied."""

from __future__ import annotations

import ctypes
import os
import signal

import numpy as np
import pytest

import mtlpy_nb.metal as pm
from mtlpy_nb import ExecutionError, PipelineError, ValidationError

SOURCE = """#include <metal_stdlib>
#include <metal_command_buffer>
using namespace metal;

kernel void add(device uint* out [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    out[i] += n;
}
kernel void group_sums(device uint* out [[buffer(0)]], threadgroup uint* shared [[threadgroup(0)]],
                       uint i [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]],
                       uint n [[threads_per_threadgroup]]) {
    shared[i] = i + 1;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint sum = 0;
    for (uint k = 0; k < n; ++k) sum += shared[k];
    if (i == 0) out[g] = sum;
}
kernel void lanes(device uint* out [[buffer(0)]], uint i [[thread_index_in_threadgroup]],
                  uint lane [[thread_index_in_simdgroup]]) { out[i] = simd_sum(i) + lane; }
kernel void sampled(texture2d<float> t [[texture(0)]], device float* out [[buffer(0)]]) { out[0] = t.read(uint2(0)).x; }
kernel void spoil(constant ulong& at [[buffer(0)]]) { for (int i = 0; i < 4; ++i) ((device uint*)at)[i] = 0x7fffffff; }
struct Fetched { float x [[attribute(0)]]; };
kernel void fetch(Fetched in [[stage_in]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    out[i] = 2 * in.x;
}
kernel void wild(device uint* out [[buffer(0)]]) { out[1ul << 40] = 1; }

struct Encoder {
    command_buffer commands;
    compute_pipeline_state states[2];
    device uint* out;
    constant uint* numbers;
};
// Command i adds numbers[i] to the elements i * 4 ... of `out`; every third is emptied again, every fifth copied.
kernel void encode(device Encoder& e [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    compute_command command(e.commands, i);
    command.reset();
    command.set_compute_pipeline_state(e.states[i & 1]);
    command.set_kernel_buffer(e.out + i * 4, 0);
    command.set_kernel_buffer(e.numbers + i, 1);
    if (i % 2) command.concurrent_dispatch_threads(uint3(4, 1, 1), uint3(3, 1, 1));
    else command.concurrent_dispatch_threadgroups(uint3(2, 1, 1), uint3(2, 1, 1));
    command.set_barrier();
    command.clear_barrier();
    if (i % 3 == 2) command.reset();
}
kernel void copy_first(device Encoder& e [[buffer(0)]], device uint* facts [[buffer(1)]]) {
    compute_command first(e.commands, 0), last(e.commands, uint(e.commands.size()) - 1);
    last.copy_command(first);
    compute_command beyond(e.commands, 1000000);  // writes nowhere
    beyond.reset();
    first = last;
    facts[0] = uint(e.commands.size());
    facts[1] = is_null_command_buffer(e.commands) | is_null_compute_pipeline_state(e.states[0]) << 1;
}
"""

BOTH = pm.IndirectCommandTypeConcurrentDispatch | pm.IndirectCommandTypeConcurrentDispatchThreads


@pytest.fixture(scope="module")
def device():
    return pm.create_system_default_device()


@pytest.fixture(scope="module")
def library(device):
    return device.new_library_with_source(SOURCE)


@pytest.fixture(scope="module")
def pipeline(device, library):
    made = {}

    def make(name, indirect=True):
        if (name, indirect) not in made:
            descriptor = pm.ComputePipelineDescriptor()
            descriptor.compute_function = library.new_function(name)
            descriptor.support_indirect_command_buffers = indirect
            made[name, indirect] = device.new_compute_pipeline_state(descriptor)
        return made[name, indirect]

    return make


def described(buffers=False, state=False, types=BOTH, **counts):
    descriptor = pm.IndirectCommandBufferDescriptor()
    descriptor.command_types = types
    descriptor.inherit_buffers = buffers
    descriptor.inherit_pipeline_state = state
    descriptor.max_kernel_buffer_bind_count = 4
    descriptor.max_kernel_threadgroup_memory_bind_count = 1
    for name, count in counts.items():
        setattr(descriptor, name, count)
    return descriptor


@pytest.fixture
def commands(device):
    return device.new_indirect_command_buffer(described(), 12, 0)


def array(buffer, dtype=np.uint32):
    return np.frombuffer(buffer.contents(), dtype)


def run(device, encode):
    """Encode into a compute encoder, run, and raise what went wrong."""
    command_buffer = device.new_command_queue().command_buffer()
    with command_buffer.compute_command_encoder() as encoder:
        encode(encoder)
    command_buffer.commit()
    command_buffer.wait_until_completed()


def add_command(device, pipeline, commands, at, out, number, offset=0):
    value = device.new_buffer_with_data(np.uint32([number]).tobytes())
    command = commands.indirect_compute_command(at)
    command.set_compute_pipeline_state(pipeline("add"))
    command.set_kernel_buffer(out, offset, 0)
    command.set_kernel_buffer(value, 0, 1)
    command.concurrent_dispatch_threads(4, 4)
    return command


def test_commands_of_the_processor_run(device, pipeline, commands) -> None:
    out = device.new_buffer_with_data(np.zeros(8, np.uint32).tobytes())
    add_command(device, pipeline, commands, 0, out, 5)
    add_command(device, pipeline, commands, 3, out, 70, offset=16).set_barrier()
    add_command(device, pipeline, commands, 4, out, 900)
    commands.indirect_compute_command(4).reset()
    run(device, lambda e: e.execute_commands_in_buffer(commands, (0, 12)))
    np.testing.assert_array_equal(array(out), [5] * 4 + [70] * 4)
    run(device, lambda e: e.execute_commands_in_buffer(commands, (1, 3)))
    np.testing.assert_array_equal(array(out), [5] * 4 + [140] * 4)
    commands.reset((2, 4))
    run(device, lambda e: e.execute_commands_in_buffer(commands, (0, 12)))
    np.testing.assert_array_equal(array(out), [10] * 4 + [140] * 4)


def encoder_arguments(device, library, pipeline, commands, out, numbers):
    arguments = library.new_function("encode").new_argument_encoder(0)
    buffer = device.new_buffer(arguments.encoded_length)
    arguments.set_argument_buffer(buffer)
    arguments.set_indirect_command_buffer(commands, 0)
    arguments.set_compute_pipeline_state(pipeline("add"), 1)
    arguments.set_compute_pipeline_state(pipeline("add"), 2)
    arguments.set_buffer(out, 0, 3)
    arguments.set_buffer(numbers, 0, 4)
    return buffer


def test_commands_of_a_kernel_run_in_the_same_command_buffer(device, library, pipeline, commands) -> None:
    out = device.new_buffer_with_data(np.zeros(48, np.uint32).tobytes())
    numbers = device.new_buffer_with_data((np.arange(12, dtype=np.uint32) * 10 + 1).tobytes())
    arguments = encoder_arguments(device, library, pipeline, commands, out, numbers)

    def encode(encoder):
        encoder.set_compute_pipeline_state(pipeline("encode", False))
        encoder.set_buffer(arguments, 0, 0)
        encoder.dispatch_threads(12, 12)
        encoder.execute_commands_in_buffer(commands, (0, 12))

    run(device, encode)
    want = np.repeat([i * 10 + 1 if i % 3 != 2 else 0 for i in range(12)], 4)
    np.testing.assert_array_equal(array(out), want)

    # A kernel copies command 0 over the last one, which was empty.
    facts = device.new_buffer(8)

    def copy(encoder):
        encoder.set_compute_pipeline_state(pipeline("copy_first", False))
        encoder.set_buffer(arguments, 0, 0)
        encoder.set_buffer(facts, 0, 1)
        encoder.dispatch_threads(1, 1)
        encoder.execute_commands_in_buffer(commands, (11, 1))

    run(device, copy)
    want[:4] += 1
    np.testing.assert_array_equal(array(out), want)
    np.testing.assert_array_equal(array(facts), [12, 0])


def test_the_range_may_come_from_a_buffer(device, pipeline, commands) -> None:
    out = device.new_buffer_with_data(np.zeros(4, np.uint32).tobytes())
    for i in range(4):
        add_command(device, pipeline, commands, i, out, 10**i)
    ranges = device.new_buffer_with_data(np.uint32([7, 7, 1, 2, 3, 10]).tobytes())
    run(device, lambda e: e.execute_commands_in_buffer_indirect(commands, ranges, 8))
    np.testing.assert_array_equal(array(out), [110] * 4)
    with pytest.raises(ExecutionError, match=r"range\(3, 10\) must be in the buffer, whose size is 12"):
        run(device, lambda e: e.execute_commands_in_buffer_indirect(commands, ranges, 16))


def test_a_state_that_is_inherited_must_be_made_for_it(device, pipeline) -> None:
    commands = device.new_indirect_command_buffer(described(buffers=True, state=True), 1, 0)
    commands.indirect_compute_command(0).concurrent_dispatch_threads(1, 1)
    out = device.new_buffer(16)

    def encode(encoder):
        encoder.set_compute_pipeline_state(pipeline("sampled", False))
        encoder.set_buffer(out, 0, 0)
        encoder.execute_commands_in_buffer(commands, (0, 1))

    with pytest.raises(ValidationError, match="'sampled', which was not made with supportIndirectCommandBuffers"):
        run(device, encode)


def test_what_kernels_write_in_front_of_the_commands_is_not_believed(device, pipeline, commands) -> None:
    out = device.new_buffer(16)
    array(out)[:] = 0
    add_command(device, pipeline, commands, 3, out, 5)
    place = device.new_buffer_with_data(np.uint64([commands.gpu_resource_id - 64]).tobytes())

    def spoil(encoder):
        encoder.set_compute_pipeline_state(pipeline("spoil", False))
        encoder.set_buffer(place, 0, 0)
        encoder.dispatch_threads(1, 1)

    run(device, spoil)
    run(device, lambda encoder: encoder.execute_commands_in_buffer(commands, (0, 12)))
    assert array(out).tolist() == [5] * 4


def test_attributes_are_fetched_from_buffers_only(device, library, pipeline, commands) -> None:
    descriptor = pm.ComputePipelineDescriptor()
    descriptor.compute_function = library.new_function("fetch")
    descriptor.support_indirect_command_buffers = True
    descriptor.stage_input_descriptor = pm.StageInputOutputDescriptor()
    attribute = descriptor.stage_input_descriptor.attributes[0]
    attribute.format, attribute.buffer_index = pm.AttributeFormat.Float, 1
    layout = descriptor.stage_input_descriptor.layouts[1]
    layout.stride, layout.step_function = 4, pm.StepFunction.ThreadPositionInGridX
    state = device.new_compute_pipeline_state(descriptor)
    out, values = device.new_buffer(16), device.new_buffer_with_data(np.float32([9, 1, 2, 3]).tobytes())
    command = commands.indirect_compute_command(0)
    command.set_compute_pipeline_state(state)
    command.set_kernel_buffer(out, 0, 0)
    command.set_kernel_buffer(values, 4, 1)
    command.concurrent_dispatch_threads(4, 4)
    run(device, lambda encoder: encoder.execute_commands_in_buffer(commands, (0, 1)))
    assert array(out, np.float32).tolist() == [2, 4, 6, 0]  # the last is beyond the buffer

    # Where the command has its second buffer: behind 80 bytes of the command, and 16 of the first.
    place = device.new_buffer_with_data(np.uint64([commands.gpu_resource_id + 96]).tobytes())

    def spoil(encoder):
        encoder.set_compute_pipeline_state(pipeline("spoil", False))
        encoder.set_buffer(place, 0, 0)
        encoder.dispatch_threads(1, 1)

    run(device, spoil)
    with pytest.raises(
        ExecutionError, match=r"attribute x \[\[attribute\(0\)\]\] is fetched from Buffer\(1\), where none"
    ):
        run(device, lambda encoder: encoder.execute_commands_in_buffer(commands, (0, 1)))


def test_an_argument_buffer_takes_only_states_made_for_it(library, pipeline) -> None:
    arguments = library.new_function("encode").new_argument_encoder(0)
    with pytest.raises(ValidationError, match="add was not compiled with support_indirect_command_buffers"):
        arguments.set_compute_pipeline_state(pipeline("add", False), 1)


def test_buffers_and_the_state_are_inherited(device, pipeline) -> None:
    commands = device.new_indirect_command_buffer(described(buffers=True, state=True), 2, 0)
    out = device.new_buffer_with_data(np.zeros(8, np.uint32).tobytes())
    commands.indirect_compute_command(0).concurrent_dispatch_threadgroups(2, 2)
    commands.indirect_compute_command(1).concurrent_dispatch_threads(2, 1)

    def encode(encoder):
        encoder.set_compute_pipeline_state(pipeline("add"))
        encoder.set_buffer(out, 0, 0)
        encoder.set_bytes(np.uint32([6]), 1)
        encoder.execute_commands_in_buffer(commands, (0, 2))
        encoder.set_buffer(out, 16, 0)  # of what follows
        encoder.execute_commands_in_buffer(commands, (1, 1))

    run(device, encode)
    np.testing.assert_array_equal(array(out), [12, 12, 6, 6, 6, 6, 0, 0])


def test_threadgroup_memory_and_simdgroups(device, pipeline) -> None:
    commands = device.new_indirect_command_buffer(described(), 2, 0)
    sums, lanes = device.new_buffer(8), device.new_buffer(4 * 48)
    command = commands.indirect_compute_command(0)
    command.set_compute_pipeline_state(pipeline("group_sums"))
    command.set_kernel_buffer(sums, 0, 0)
    command.set_threadgroup_memory_length(400, 0)
    command.concurrent_dispatch_threadgroups(2, 100)
    command = commands.indirect_compute_command(1)
    command.set_compute_pipeline_state(pipeline("lanes"))
    command.set_kernel_buffer(lanes, 0, 0)
    command.concurrent_dispatch_threadgroups(1, (6, 8))
    run(device, lambda e: e.execute_commands_in_buffer(commands, (0, 2)))
    np.testing.assert_array_equal(array(sums), [5050, 5050])
    i = np.arange(48)
    np.testing.assert_array_equal(array(lanes), np.where(i < 32, 496, sum(range(32, 48))) + i % 32)


def test_a_blit_encoder_copies_empties_and_optimises(device, pipeline, commands) -> None:
    out = device.new_buffer_with_data(np.zeros(4, np.uint32).tobytes())
    for i in range(3):
        add_command(device, pipeline, commands, i, out, 10**i)
    other = device.new_indirect_command_buffer(described(), 8, 0)
    command_buffer = device.new_command_queue().command_buffer()
    with command_buffer.blit_command_encoder() as blit:
        blit.copy_indirect_command_buffer(commands, (0, 3), other, 5)
        blit.reset_commands_in_buffer(other, (6, 1))
        blit.optimize_indirect_command_buffer(other, (0, 8))
        with pytest.raises(ValidationError, match=r"range is \(6, 3\), the buffer has 8 commands"):
            blit.copy_indirect_command_buffer(commands, (0, 3), other, 6)
        with pytest.raises(ValidationError, match=r"reset_commands_in_buffer: range is \(7, 2\)"):
            blit.reset_commands_in_buffer(other, (7, 2))
    command_buffer.commit()
    command_buffer.wait_until_completed()
    del commands
    run(device, lambda e: e.execute_commands_in_buffer(other, (0, 8)))
    np.testing.assert_array_equal(array(out), [101] * 4)


def test_what_commands_lack_is_told_when_they_run(device, pipeline, commands) -> None:
    out = device.new_buffer(16)
    command = commands.indirect_compute_command(2)
    command.concurrent_dispatch_threads(4, 4)
    execute = lambda e: e.execute_commands_in_buffer(commands, (0, 12))  # noqa: E731
    with pytest.raises(ExecutionError, match="command 2 has no compute pipeline state"):
        run(device, execute)
    command.set_compute_pipeline_state(pipeline("add"))
    command.set_kernel_buffer(out, 0, 0)
    with pytest.raises(ExecutionError, match=r"command 2: Compute Function\(add\): missing Buffer binding at index 1"):
        run(device, execute)
    command.set_kernel_buffer(out, 0, 1)
    command.concurrent_dispatch_threads(4, (64, 64))
    with pytest.raises(ExecutionError, match=r"command 2: threadsPerThreadgroup.* must be <= 1024"):
        run(device, execute)


def test_a_pipeline_that_is_gone_and_one_that_faults(device, library, pipeline, commands) -> None:
    # What a kernel writes may be any number: it names a pipeline that is there, or none.
    where = commands.gpu_resource_id
    ctypes.cast(where, ctypes.POINTER(ctypes.c_uint64))[0] = 12345
    commands.indirect_compute_command(0).concurrent_dispatch_threads(1, 1)
    with pytest.raises(ExecutionError, match="command 0 has a compute pipeline state that is gone"):
        run(device, lambda e: e.execute_commands_in_buffer(commands, (0, 1)))
    command = commands.indirect_compute_command(0)
    command.set_compute_pipeline_state(pipeline("wild"))
    command.set_kernel_buffer(device.new_buffer(16), 0, 0)
    with pytest.raises(ExecutionError, match="wild"):
        run(device, lambda e: e.execute_commands_in_buffer(commands, (0, 1)))


def test_pipelines_must_be_made_for_it(device, library, pipeline, commands) -> None:
    assert pipeline("add").support_indirect_command_buffers
    assert pipeline("add").gpu_resource_id != 0
    assert pipeline("encode", False).gpu_resource_id == 0
    with pytest.raises(ValidationError, match="kernel encode was not compiled with support_indirect_command_buffers"):
        commands.indirect_compute_command(0).set_compute_pipeline_state(pipeline("encode", False))
    with pytest.raises(PipelineError, match="function 'sampled' takes a texture, t"):
        pipeline("sampled")


def test_mistakes_of_the_host_are_told_at_once(device, commands) -> None:
    draw = pm.IndirectCommandTypeDraw
    for descriptor, count, problem in [
        (described(types=0), 4, "command_types is 0"),
        (described(types=BOTH | draw), 4, "draws or concurrent dispatches, not both"),
        (described(), 0, "max_count is 0, must be 1 "),
    ]:
        with pytest.raises(ValidationError, match=problem):
            device.new_indirect_command_buffer(descriptor, count, 0)
    with pytest.raises(ValidationError, match="max_kernel_buffer_bind_count is 32"):
        described(max_kernel_buffer_bind_count=32)
    with pytest.raises(ValidationError, match="command_index is 12"):
        commands.indirect_compute_command(12)
    with pytest.raises(ValidationError, match=r"reset: range is \(10, 3\), the buffer has 12 commands"):
        commands.reset((10, 3))
    command = commands.indirect_compute_command(0)
    with pytest.raises(ValidationError, match=r"index \(4\) must be < 4"):
        command.set_kernel_buffer(device.new_buffer(16), 0, 4)
    with pytest.raises(ValidationError, match="offset is 16"):
        command.set_kernel_buffer(device.new_buffer(16), 16, 0)
    with pytest.raises(ValidationError, match="multiple of 16"):
        command.set_threadgroup_memory_length(8, 0)
    with pytest.raises(ValidationError, match="execute_commands_in_buffer"):
        run(device, lambda e: e.execute_commands_in_buffer(commands, (0, 13)))


def test_drawing_commands_are_written_but_no_compute_encoder_executes_them(device) -> None:
    library = device.new_library_with_source(
        "#include <metal_stdlib>\nusing namespace metal;\n"
        "struct E { command_buffer commands; device uint* data; };\n"
        "kernel void encode(device E& e, uint i [[thread_position_in_grid]]) {\n"
        "    render_command c(e.commands, i);\n"
        "    c.set_vertex_buffer(e.data, 0); c.set_vertex_buffer(e.data + 1, 8, 1); c.set_fragment_buffer(e.data, 0);\n"
        "    c.set_cull_mode(cull_mode::back); c.set_front_facing_winding(winding::counterclockwise);\n"
        "    c.set_depth_bias(1, 2, 3);\n"
        "    if (i == 0) c.draw_primitives(primitive_type::triangle_strip, 3, 4, 5, 6);\n"
        "    else c.draw_indexed_primitives(primitive_type::line, 7, e.data, 8, 9, 10);\n"
        "}\n"
    )
    commands = device.new_indirect_command_buffer(
        described(types=pm.IndirectCommandTypeDraw, max_vertex_buffer_bind_count=2, max_fragment_buffer_bind_count=1),
        2,
        0,
    )
    function = library.new_function("encode")
    encoder = function.new_argument_encoder(0)
    arguments, data = device.new_buffer(encoder.encoded_length), device.new_buffer(64)
    encoder.set_argument_buffer(arguments)
    encoder.set_indirect_command_buffer(commands, 0)
    encoder.set_buffer(data, 0, 1)
    pipeline = device.new_compute_pipeline_state(function)

    def encode(e):
        e.set_compute_pipeline_state(pipeline)
        e.set_buffer(arguments, 0, 0)
        e.dispatch_threads(2, 2)

    run(device, encode)
    # The record of metal-cpp/objects/indirect_commands.hpp.
    record = np.dtype(
        [("state", "u8", 2), ("kind", "u4"), ("primitive", "u4"), ("numbers", "u4", 6), ("addresses", "u8", 3),
         ("raster", "u4", 4), ("bias", "f4", 3), ("states", "u4"), ("pad", "u4", 2), ("buffers", "u8", (3, 2))]
    )  # fmt: skip
    raw = ctypes.string_at(commands.gpu_resource_id, 2 * record.itemsize)
    draw, indexed = np.frombuffer(raw, record)
    address = data.gpu_address
    assert (draw["kind"], draw["primitive"], list(draw["numbers"])) == (1, 4, [3, 4, 5, 6, 0, 0])
    assert (indexed["kind"], indexed["primitive"], list(indexed["numbers"])) == (2, 1, [7, 4, 8, 9, 10, 0])
    assert list(indexed["addresses"]) == [address, 0, 0]
    assert draw["buffers"].tolist() == [[address, 0], [address + 4, 8], [address, 0]]
    assert (list(draw["raster"]), list(draw["bias"]), draw["states"]) == ([2, 1, 0, 0], [1, 2, 3], 1 | 2 | 16)
    with pytest.raises(ValidationError, match="the buffer's commands draw, which a render command encoder executes"):
        run(device, lambda e: e.execute_commands_in_buffer(commands, (0, 2)))


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_lets_go_of_a_pipeline_that_is_in_use(device):
    """Its code for each shape of threadgroup is compiled when the command runs: a thread that the child has not."""
    if not device.is_software:
        pytest.skip("a forked process may not use Metal")
    steps = " ".join(f"x[i] = sin(x[i] * {k} + {os.getpid()}) + pow(x[i], {k}.5f);" for k in range(40))
    descriptor = pm.ComputePipelineDescriptor()
    descriptor.compute_function = device.new_library_with_source(f"""#include <metal_stdlib>
    using namespace metal;
    kernel void slow(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {{ {steps} }}
    """).new_function("slow")
    descriptor.support_indirect_command_buffers = True
    state, data = device.new_compute_pipeline_state(descriptor), device.new_buffer(4096)
    count = 4
    commands = device.new_indirect_command_buffer(described(), count, 0)
    for i in range(count):
        command = commands.indirect_compute_command(i)
        command.set_compute_pipeline_state(state)
        command.set_kernel_buffer(data, 0, 0)
        command.concurrent_dispatch_threads((9 + i, 1, 1), (9 + i, 1, 1))
    running = device.new_command_queue().command_buffer()
    with running.compute_command_encoder() as encoder:
        encoder.execute_commands_in_buffer(commands, (0, count))
    running.commit()
    ends = []
    # Once at least: a busy machine may come here only when it has ended.
    while not ends or (running.status != pm.CommandBufferStatus.Completed and len(ends) < 20):
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            commands.reset((0, count))
            del command, commands, encoder, running, descriptor, state
            os._exit(0)
        ends.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    running.wait_until_completed()
    assert set(ends) == {0}
