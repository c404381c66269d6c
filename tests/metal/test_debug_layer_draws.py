# SPDX-License-Identifier: MIT
"""MTL_DEBUG_LAYER=1 and what is drawn: passes, draws, and commands in memory.

The scenes run with those of dispatches, in one process.
"""

from __future__ import annotations

import pytest

from .test_debug_layer import WARNING, messages

pytest.importorskip("mtlpy_nb.metal")


@pytest.fixture(scope="module")
def said():
    return messages(MTL_DEBUG_LAYER="1")


@pytest.fixture(scope="module")
def said_without():
    return messages()


@pytest.mark.parametrize(
    "scene",
    [
        "draws_that_are_right",
        "counts_of_one_pass_may_be_one",
        "draws_with_a_barrier",
        "passes_with_a_fence",
        "levels_of_one_texture_are_apart",
        "what_a_kernel_read_was_not_for_nobody",
        "several_threads_draw_in_one_pass",
        "dispatches_in_memory",
        "dispatches_that_the_device_copies",
        "dispatches_of_a_command_buffer_under_way",
        "draws_in_memory",
    ],
)
def test_says_nothing_of_what_is_right(said, scene):
    assert said[scene] == []


_AT = " (command buffer 'frame', encoder 'draws')"
_NOTHING = ": nothing can be seen there" + _AT
_UNDEFINED = ": what it holds is not defined (command buffer 'frame', render encoder 1)"
_TRACKED = ": the resource is untracked, and no fence orders the two encoders (command buffer 'frame', "
_UNNAMED = ", which the encoder names with no useResource: a GPU may not have it in reach (command buffer 'frame', "

WARNINGS = {
    "draws_of_one_pass_meet": [
        "draw with pipeline 'lit' (command 2) reads buffer 'count', which draw with pipeline 'lit' (command 1) writes "
        "in the same pass without a memoryBarrier between them: on a GPU they run at the same time" + _AT
    ],
    "reads_its_target": [
        "draw with pipeline 'lit' (command 1) reads texture 'target', which the pass draws into: "
        "what is read is not defined" + _AT
    ],
    "passes_without_a_fence": [
        "draw with pipeline 'lit' (command 1) reads texture 'shadow', which the pass writes in encoder 'shadow pass'"
        + _TRACKED
        + "encoder 'main pass')"
    ],
    "loads_what_was_never_written": [
        "renderCommandEncoder: colorAttachments[0].loadAction is Load, but it loads texture 'target', "
        "which nothing has written to" + _UNDEFINED
    ],
    "loads_what_was_thrown_away": [
        "renderCommandEncoder: colorAttachments[0] draws into texture 'target' and its storeAction is DontCare: "
        "on a GPU nothing of it is kept (command buffer 'frame', render encoder 1)",
        "renderCommandEncoder: colorAttachments[0].loadAction is Load, but it loads texture 'target', whose contents "
        "encoder 'first' threw away: its store action was DontCare: what it holds is not defined "
        "(command buffer 'frame', render encoder 2)",
    ],
    "reads_what_was_never_written": [
        "draw with pipeline 'lit' reads texture 'nothing' as picture, which nothing has written to: "
        "what is read is not defined" + _AT
    ],
    "stores_for_nobody": [
        "renderCommandEncoder: colorAttachments[0].loadAction is Clear, and nothing has read texture 'target' since "
        "encoder 'first' stored it: the store action DontCare would have done "
        "(command buffer 'frame', render encoder 2)"
    ],
    "viewport_outside": [
        "draw with pipeline 'lit': viewport (20, 0, 16, 16) lies outside of the pass, which is 16 x 16" + _NOTHING
    ],
    "viewport_empty": ["draw with pipeline 'lit': viewport (0, 0, 16, 0) is empty" + _NOTHING],
    "scissor_empty": ["draw with pipeline 'lit': scissor rectangle (2, 3, 0, 4) is empty" + _NOTHING],
    "viewport_and_scissor_apart": [
        "draw with pipeline 'lit': viewport (0, 0, 4, 4) and scissor rectangle (8, 8, 4, 4) do not meet" + _NOTHING
    ],
    "index_without_vertex": [
        "draw with pipeline 'by index': buffer 'order' has index 3, but attribute position is fetched from "
        "buffer 'places', which has 3 element(s)" + _AT,
        "draw with pipeline 'by index': buffer 'order' has index 7 (2 and base vertex 5), but attribute position is "
        "fetched from buffer 'places', which has 3 element(s)" + _AT,
    ],
    "draws_without_labels": [
        "a render pipeline state with vertex function 'pulled' has no label; its descriptor's setLabel gives it one "
        "for messages",
        "a render encoder of the queue 'main' has no label",
        "a texture of 16 x 16 without a label is used by the pass",
    ],
    "dispatches_of_what_nobody_named": [
        "command 1 of indirect command buffer 'commands' writes buffer 'y'" + _UNNAMED + "encoder 'work')"
    ],
    "dispatches_that_are_empty": [
        "executeCommandsInBuffer: commands 1 to 3 of indirect command buffer 'commands' are empty: nothing is done "
        "(command buffer 'frame', encoder 'work')"
    ],
    "draws_of_what_nobody_named": [
        "command 1 of indirect command buffer 'commands' reads buffer 'places'" + _UNNAMED + "encoder 'draws')"
    ],
    "commands_that_meet_in_an_untracked_buffer": [
        "command 0 of indirect command buffer 'commands' (command 2) writes buffer 'x', which command 0 of indirect "
        "command buffer 'commands' (command 2) writes in encoder 'first'" + _TRACKED + "encoder 'second')"
    ],
}


@pytest.mark.parametrize("scene", WARNINGS)
def test_warns_of_what_a_gpu_may_do_otherwise(said, said_without, scene):
    assert said[scene] == [WARNING + message for message in WARNINGS[scene]]
    assert said_without[scene] == []


def test_offsets_of_vertices_must_be_aligned(said, said_without):
    (line,) = said["misaligned_vertices"]
    assert line == (
        "ExecutionError: Vertex Function(pulled): offset(4) of buffer 'places' at index 0 must be a multiple of 16, "
        "the alignment of places's type float4" + _AT
    )
    assert said_without["misaligned_vertices"] == []


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        (
            "formats_differ",
            "ValidationError: setRenderPipelineState: pipeline 'lit': the pipeline state's "
            "colorAttachments[0].pixelFormat is MTLPixelFormatBGRA8Unorm, but the pass has MTLPixelFormatRGBA8Unorm",
        ),
        (
            "sample_counts_differ",
            "ValidationError: setRenderPipelineState: pipeline 'smooth': the pipeline state's rasterSampleCount is 4, "
            "but that of the pass is 1",
        ),
        (
            "scissor_outside",
            "ValidationError: setScissorRect: rect.x(8) + rect.width(9) must be <= the render pass width(16)",
        ),
    ],
)
def test_what_is_always_an_error_says_where(said, said_without, scene, message):
    assert said[scene][0] == message + _AT
    assert said_without[scene] == [message]


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        ("no_pipeline", "draw_primitives: no render pipeline state is set (encoder 'draws')"),
        ("missing_vertices", "draw_primitives: the vertex function of"),
        ("ended_twice", "end_encoding: the encoder 'draws' has ended"),
    ],
)
def test_misused_encoders_are_named_with_and_without_the_layer(said, said_without, scene, message):
    for lines in (said[scene], said_without[scene]):
        assert any(line.startswith(f"ValidationError: {message}") for line in lines)
