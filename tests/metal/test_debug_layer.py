# SPDX-License-Identifier: MIT
"""MTL_DEBUG_LAYER=1: mistakes that this device would let pass, each told with the labels of what it is about.

The layer is on for a process or off, so the scenes of debug_layer_program.py run in one of their own.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mtlpy_nb.metal")

_PROGRAM = Path(__file__).with_name("debug_layer_program.py")
WARNING = "Metal API validation: warning: "


@functools.cache
def messages(**variables: str) -> dict[str, list[str]]:
    """Run the scenes; what each said."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MTL_DEBUG_LAYER")}
    done = subprocess.run(
        [sys.executable, _PROGRAM],
        env=environment | variables,
        stderr=subprocess.PIPE,
        text=True,
        timeout=300,
        check=True,
    )
    found: dict[str, list[str]] = {}
    for line in done.stderr.splitlines():
        if line.startswith("== "):
            messages = found.setdefault(line.removeprefix("== "), [])
        else:
            messages.append(line)
    return found


@pytest.mark.alone
@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory is told on Linux")
def test_textures_that_have_gone_are_forgotten():
    """What is known of each would take 10 MB."""
    done = subprocess.run(
        [sys.executable, _PROGRAM.with_name("debug_layer_growth.py")],
        env=os.environ | {"MTL_DEBUG_LAYER": "1", "MTL_DEBUG_LAYER_WARNING_MODE": "ignore"},
        stdout=subprocess.PIPE,
        text=True,
        timeout=300,
        check=True,
    )
    assert int(done.stdout) < 4e6


@pytest.fixture(scope="module")
def said():
    return messages(MTL_DEBUG_LAYER="1")


@pytest.fixture(scope="module")
def said_without():
    return messages()


@pytest.mark.parametrize(
    "scene",
    [
        "correct",
        "concurrent_dispatches_with_a_barrier",
        "concurrent_dispatches_apart",
        "untracked_with_a_fence",
        "changed_by_the_device",
    ],
)
def test_says_nothing_of_what_is_right(said, scene):
    assert said[scene] == []


_RACE = (
    " in the same concurrent encoder without a memoryBarrier between them: on a GPU they run at the same time"
    " (command buffer 'frame', encoder 'work')"
)


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        (
            "concurrent_dispatches_meet",
            "kernel 'add' (command 2) reads buffer 'x', which kernel 'fill' (command 1) writes" + _RACE,
        ),
        (
            "concurrent_dispatches_both_write",
            "kernel 'fill' (command 2) writes buffer 'x', which kernel 'fill' (command 1) writes" + _RACE,
        ),
        (
            "concurrent_dispatches_with_the_wrong_barrier",
            "kernel 'add' (command 2) reads buffer 'x', which kernel 'fill' (command 1) writes" + _RACE,
        ),
        (
            "untracked_without_a_fence",
            "kernel 'add' (command 1) reads buffer 'x', which kernel 'fill' (command 1) writes in encoder 'writer': "
            "the resource is untracked, and no fence orders the two encoders "
            "(command buffer 'frame', encoder 'reader')",
        ),
        (
            "untracked_blit_without_a_fence",
            "copy (command 1) reads buffer 'x', which kernel 'fill' (command 1) writes in encoder 'writer': "
            "the resource is untracked, and no fence orders the two encoders "
            "(command buffer 'frame', encoder 'copies')",
        ),
        (
            "one_texture_read_and_written",
            "kernel 'blur': texture 'picture' is bound to to, which it writes, and to from, which it reads: "
            "what is read is not defined (command buffer 'frame', encoder 'work')",
        ),
        ("empty_encoder", "endEncoding: the encoder has no commands (command buffer 'frame', encoder 'idle')"),
        ("never_committed", "a command buffer with commands was released without commit (command buffer 'forgotten')"),
        (
            "changed_in_flight",
            "buffer 'x' changed while command buffer 'frame', which only reads it, had not completed: "
            "the processor wrote to it, or a kernel that reached it without useResource",
        ),
        (
            "replaced_in_flight",
            "replaceRegion: the processor changes texture 'target', which command buffer 'frame' uses, "
            "and that has not completed",
        ),
    ],
)
def test_warns_of_what_a_gpu_may_do_otherwise(said, said_without, scene, message):
    assert said[scene] == [WARNING + message]
    assert said_without[scene] == []


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        (
            "misaligned_offset",
            "Compute Function(fill): offset(2) of buffer 'x' at index 0 must be a multiple of 4, "
            "the alignment of out's type float (command buffer 'frame', encoder 'work')",
        ),
        (
            "open_groups",
            "endEncoding: 1 debug group(s) pushed and not popped (command buffer 'frame', encoder 'work')",
        ),
        (
            "open_groups_of_the_command_buffer",
            "commit: 1 debug group(s) of the command buffer pushed and not popped (command buffer 'frame')",
        ),
    ],
)
def test_errors_end_the_command_buffer(said, said_without, scene, message):
    (line,) = said[scene]
    assert line == f"ExecutionError: {message}"
    assert said_without[scene] == []


def test_what_is_always_checked_is_checked_too(said, said_without):
    (line,) = said_without["missing_argument"]
    assert line.startswith("ValidationError: ")
    assert line in said["missing_argument"]


def test_missing_labels_are_said_once_each(said):
    kernel = "kernel 'fill' (command 1)"
    assert said["no_labels"] == [
        WARNING + "a command queue has no label; setLabel gives it one for messages",
        WARNING + "a command buffer of the queue has no label",
        WARNING + "a compute encoder of the queue has no label",
        WARNING + f"a buffer of 4096 bytes without a label is used by {kernel}",
    ]


def test_modes_choose_what_becomes_of_messages():
    modes = {"MTL_DEBUG_LAYER_ERROR_MODE": "nslog", "MTL_DEBUG_LAYER_WARNING_MODE": "ignore"}
    said = dict(messages(MTL_DEBUG_LAYER="1", **modes))
    error = "Metal API validation: error: "
    assert said.pop("open_groups_of_the_command_buffer") == [
        error + "commit: 1 debug group(s) of the command buffer pushed and not popped (command buffer 'frame')"
    ]
    (open_groups,) = said.pop("open_groups")
    assert open_groups.startswith(error + "endEncoding: 1 debug group(s)")
    (offset,) = said.pop("misaligned_offset")
    assert offset.startswith(error + "Compute Function(fill): offset(2)")
    for scene in ("missing_argument", "no_pipeline", "missing_vertices", "ended_twice"):
        assert any(line.startswith("ValidationError") for line in said.pop(scene))
    (offset,) = said.pop("misaligned_vertices")
    assert offset.startswith(error + "Vertex Function(pulled): offset(4)")
    for scene in ("formats_differ", "sample_counts_differ", "scissor_outside"):
        assert said.pop(scene)[0].startswith("ValidationError")
    assert {scene: lines for scene, lines in said.items() if lines} == {}
