# SPDX-License-Identifier: MIT
"""Captures: every command of a program with what its memory held before and after, in a file that opens anywhere.

>>> import mtlpy_nb
>>> from mtlpy_nb import capture
>>> device = mtlpy_nb.default_device()
>>> with device.start_capture("frame.metalcapture"):
...     pass
>>> len(capture.load("frame.metalcapture"))
0
"""

from ._bindings import BoundBuffer, BoundTexture, Touched
from ._changes import Change
from ._command import Command, ExecutedDispatch, FunctionTable, ThreadgroupMemory
from ._draws import Attachment, CapturedRenderPipeline, Draw, DrawStage, ExecutedDraw
from ._file import CapturedDevice, CapturedProcess, CaptureFile, load
from ._history import History, Moment
from ._objects import (
    CapturedArgument,
    CapturedCommandBuffer,
    CapturedEncoder,
    CapturedKernel,
    CapturedQueue,
    CapturedResource,
    CapturedScope,
)
from ._running import SUFFIX, Capture, CaptureScope
from ._samplers import SamplerOptions

__all__ = [
    "SUFFIX",
    "Attachment",
    "BoundBuffer",
    "BoundTexture",
    "Capture",
    "CaptureFile",
    "CaptureScope",
    "CapturedArgument",
    "CapturedCommandBuffer",
    "CapturedDevice",
    "CapturedEncoder",
    "CapturedKernel",
    "CapturedProcess",
    "CapturedQueue",
    "CapturedRenderPipeline",
    "CapturedResource",
    "CapturedScope",
    "Change",
    "Command",
    "Draw",
    "DrawStage",
    "ExecutedDispatch",
    "ExecutedDraw",
    "FunctionTable",
    "History",
    "Moment",
    "SamplerOptions",
    "ThreadgroupMemory",
    "Touched",
    "load",
]
