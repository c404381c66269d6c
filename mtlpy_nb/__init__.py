# SPDX-License-Identifier: MIT
"""Write, run, look at and time Metal kernels from a Jupyter notebook, on a Mac or on Linux.

``%load_ext mtlpy_nb`` gives the ``%%metal`` cell magic. In a program:

>>> import numpy as np, mtlpy_nb
>>> source = '''
... #include <metal_stdlib>
... kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }
... '''
>>> twice = mtlpy_nb.default_device().library(source)["twice"]
>>> twice(np.arange(4, dtype=np.float32))
array([0., 2., 4., 6.], dtype=float32)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import capture, operators, shader, utils
from ._default_device import default_device, set_default_device
from .arguments import Argument
from .binary_archive import BinaryArchive
from .buffer import Buffer
from .capture import Capture, CaptureScope
from .completion import Completion, Completions, Signature, complete
from .device import Device, list_devices
from .diagnostics import Diagnostic, FixIt
from .draw import Draw, draw
from .errors import (
    ArgumentError,
    CompileError,
    ExecutionError,
    MetalError,
    PipelineError,
    ResourceError,
    ValidationError,
)
from .explanation import Explanation
from .handle import Handle
from .heap import Heap
from .kernel import Kernel
from .library import Function, FunctionNotFoundError, Library
from .live import LiveObject, LiveObjects, live_objects
from .log import LogLevel, set_log_handler
from .output import output
from .pipeline import CommandBuffer, Pipeline
from .render import render
from .sampler import Sampler
from .signatures import Signatures, signatures
from .stage_input import StageBuffer
from .surface import Frame, Surface
from .sync import Event, Fence, Queue, SharedEvent, SharedEventHandle
from .texture import Texture
from .timing import Timing
from .utils import StorageMode

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from .notebook.comparison import compare
    from .notebook.preview import show
    from .notebook.widgets.animation import Animation as Animation
    from .notebook.widgets.animation import animate as animate

    # Not in __all__: `import *` must not need anywidget.
    from .notebook.widgets.capture.view import CaptureView as CaptureView
    from .notebook.widgets.playground import Playground as Playground
    from .notebook.widgets.playground import explore as explore
    from .notebook.widgets.texture_view import TextureView as TextureView
    from .notebook.widgets.timing_view import TimingView as TimingView

    __version__: str

__all__ = [
    "Argument",
    "ArgumentError",
    "BinaryArchive",
    "Buffer",
    "Capture",
    "CaptureScope",
    "CommandBuffer",
    "CompileError",
    "Completion",
    "Completions",
    "Device",
    "Diagnostic",
    "Draw",
    "Event",
    "ExecutionError",
    "Explanation",
    "Fence",
    "FixIt",
    "Frame",
    "Function",
    "FunctionNotFoundError",
    "Handle",
    "Heap",
    "Kernel",
    "Library",
    "LiveObject",
    "LiveObjects",
    "LogLevel",
    "MetalError",
    "Pipeline",
    "PipelineError",
    "Queue",
    "ResourceError",
    "Sampler",
    "SharedEvent",
    "SharedEventHandle",
    "Signature",
    "Signatures",
    "StageBuffer",
    "StorageMode",
    "Surface",
    "Texture",
    "Timing",
    "ValidationError",
    "capture",
    "compare",
    "complete",
    "default_device",
    "draw",
    "list_devices",
    "live_objects",
    "operators",
    "output",
    "render",
    "set_default_device",
    "set_log_handler",
    "shader",
    "show",
    "signatures",
    "utils",
]

# Pillow and anywidget are imported when they are needed, not before.
_LATE = {
    "Animation": "widgets.animation",
    "CaptureView": "widgets.capture.view",
    "Playground": "widgets.playground",
    "TextureView": "widgets.texture_view",
    "TimingView": "widgets.timing_view",
    "animate": "widgets.animation",
    "compare": "comparison",
    "explore": "widgets.playground",
    "show": "preview",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        globals()[name] = _version()
        return globals()[name]
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        found = getattr(import_module(f"{__name__}.notebook.{_LATE[name]}"), name)
    except ModuleNotFoundError as error:
        if error.name not in ("anywidget", "ipywidgets", "traitlets"):
            raise
        message = f"mtlpy_nb.{name} is a widget and needs {error.name}: pip install 'mtlpy_nb[widgets]'"
        raise ImportError(message, name=error.name) from None
    globals()[name] = found
    return found


def _version() -> str:
    """Look into the installed package, with what takes too long to import before somebody asks."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("mtlpy_nb")
    except PackageNotFoundError:  # run from the source tree without installing
        return "0+unknown"


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE, "__version__"})


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Add the magics; what ``%load_ext mtlpy_nb`` calls."""
    from .notebook import load

    load(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """Take everything away again that the extension added."""
    from .notebook import unload

    unload(shell)
