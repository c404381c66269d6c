# SPDX-License-Identifier: MIT
"""Runs vertex and fragment functions without a render pipeline, as metal_stage in kernel_abi.h says.

    outputs = run_vertex(source, "project", {"vertex_id": np.arange(3)}, buffers={0: positions})
    outputs["position"]              # by attribute, (3, 4)
    outputs["uv"]                    # by member, (3, 2)

    outputs = run_fragment(source, "shade", {"uv": uv}, textures={0: handle})
    outputs["color(0)"], outputs["coverage"]

Inputs and outputs are arrays of shape (invocations,) or (invocations, components). They are named by the member or
parameter, or by the attribute: "position", "vertex_id", "attribute(0)", "color(0)", "user(uv)". Fragments come in
quads: invocation 4 q + i is pixel (i % 2, i // 2) of quad q.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
from kernel_records import Info, Launch, Stage

KERNEL, VERTEX, FRAGMENT = range(3)
DISCARDS, WRITES_MEMORY, USES_QUADS, ASKS_COVERAGE = 1, 2, 4, 8
MOST_THREADS = 1024


@dataclass
class Value:
    """An input or output, by `metal-compiler --show reflection`."""

    attribute: str
    column: int
    count: int
    type: str
    name: str
    facts: str

    @property
    def dtype(self) -> np.dtype:
        scalar = re.match(r"(?:packed_|interpolant<)?([a-z]+)", self.type)[1]
        if scalar in ("float", "half", "bfloat"):
            return np.dtype(np.float32)
        return np.dtype(np.int32 if scalar in ("int", "short", "char") else np.uint32)

    @property
    def names(self) -> list[str]:
        """What a caller may call it."""
        link = re.search(r", links (\S+?),", self.facts)
        return [name for name in (self.name, self.attribute, link[1] if link else "") if name and name != "varying"]


@dataclass
class Function:
    """A function of a source, by reflection: where its arguments and stage values are."""

    name: str
    slots: dict[tuple[str, int], int] = field(default_factory=dict)
    inputs: list[Value] = field(default_factory=list)
    outputs: list[Value] = field(default_factory=list)


def find_compiler() -> str | None:
    """Look where the package looks: $MTLPY_COMPILER, the package's folder, PATH."""
    if path := os.environ.get("MTLPY_COMPILER"):
        return path
    spec = importlib.util.find_spec("mtlpy_nb")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        if (candidate := Path(folder) / "metal-compiler").exists():
            return str(candidate)
    return shutil.which("metal-compiler")


def compile_with(source: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run metal-compiler on a text, which messages call `program_source`."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "program_source").write_text(source)
        command = [find_compiler() or "metal-compiler", "program_source", *options]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


_VALUE = re.compile(r"  (input|output) (\S+) columns (\d+)\+(\d+): ([^,]*?(?:<[^>]*>)?)(?: (\w+))?(,.*)?$")


@lru_cache(maxsize=256)
def reflect(source: str, options: tuple[str, ...] = ()) -> dict[str, Function]:
    """Describe the functions of a source."""
    done = compile_with(source, "--show", "reflection", *options)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    functions: dict[str, Function] = {}
    for line in done.stdout.splitlines():
        if match := re.match(r"(?:kernel|vertex|fragment|visible) (.+) \(line \d+, entry \w+\)$", line):
            function = functions[match[1]] = Function(match[1])
        elif match := re.match(r"  (\w+)\((\d+)\) slot (\d+): ", line):
            function.slots[match[1], int(match[2])] = int(match[3])
        elif match := re.match(
            r"  (input|output) (\S+) columns (\d+)\+(\d+): ([^,]*?(?:<[^>]*>)?)(?: (\w+))?(,.*)?$", line
        ):
            value = Value(match[2], int(match[3]), int(match[4]), match[5], match[6] or "", (match[7] or "") + ",")
            (function.inputs if match[1] == "input" else function.outputs).append(value)
    return functions


@lru_cache(maxsize=256)
def load(source: str, name: str, options: tuple[str, ...] = ()) -> ctypes.CDLL:
    """Compile one function and load its code."""
    folder = tempfile.mkdtemp(prefix="stage-")
    try:
        path = Path(folder) / "function.so"
        done = compile_with(source, "--kernel", name, "-o", str(path), *options)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return ctypes.CDLL(str(path))
    finally:
        shutil.rmtree(folder)


def info_of(source: str, name: str, options: tuple[str, ...] = ()) -> Info:
    """Return what the function's code says of itself."""
    return Info.in_dll(load(source, name, options), "metal_kernel_info")


def aligned(size: int) -> np.ndarray:
    """`size` bytes at a 64-byte boundary, filled with what a worker's memory may hold: rubbish."""
    raw = np.full(size + 64, 0xA5, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size]


def address_of(argument: np.ndarray | int) -> int:
    return argument if isinstance(argument, int) else argument.ctypes.data


def _input_columns(function: Function, inputs: dict[str, np.ndarray], count: int) -> list[np.ndarray]:
    columns = [np.zeros(count, np.uint32) for _ in range(sum(value.count for value in function.inputs))]
    unknown = set(inputs)
    for value in function.inputs:
        given = next((name for name in value.names if name in inputs), None)
        if given is None:
            continue
        unknown.discard(given)
        data = np.asarray(inputs[given]).astype(value.dtype)
        data = np.broadcast_to(data.reshape(-1, value.count) if data.ndim else data, (count, value.count))
        for component in range(value.count):
            columns[value.column + component] = np.ascontiguousarray(data[:, component])
    if unknown:
        known = ", ".join("/".join(value.names) for value in function.inputs)
        raise KeyError(f"{function.name} has no input {', '.join(sorted(unknown))}; it has {known}")
    return columns


def run_function(
    source: str,
    name: str,
    inputs: dict[str, np.ndarray] | None = None,
    *,
    count: int,
    buffers: dict[int, np.ndarray | int] | None = None,
    textures: dict[int, np.ndarray | int] | None = None,
    samplers: dict[int, int] | None = None,
    coverage: np.ndarray | None = None,
    sample_positions: np.ndarray | None = None,
    options: tuple[str, ...] = (),
) -> dict[str, np.ndarray]:
    """Run `count` invocations.

    Parameters
    ----------
    buffers : dict
        By index; arrays are written in place.
    textures : dict
        By index: the address of a metal_texture, or an array of addresses for an array of textures.
    samplers : dict
        By index: the 64 bits of a metal_sampler.
    coverage : array, optional
        One bit for each sample an invocation covers; 0 makes it a helper. All cover sample 0 by default.
    sample_positions : array, optional
        (x, y) of each sample in its pixel; one in the middle by default.
    options : tuple of str
        Of metal-compiler: ("--constant", "0=1").
    """
    function = reflect(source, options)[name]
    library = load(source, name, options)
    info = Info.in_dll(library, "metal_kernel_info")
    keep: list[object] = []
    slots = (ctypes.c_void_p * max(len(function.slots), 1))()
    for (kind, index), slot in function.slots.items():
        given = {"buffer": buffers, "texture": textures, "sampler": samplers}.get(kind) or {}
        if index not in given:
            if info.used_slots[slot // 64] >> slot % 64 & 1:
                raise KeyError(f"{name} needs {kind}({index})")
            continue
        value = given[index]
        if kind != "buffer" and not isinstance(value, np.ndarray):
            value = np.array([value], np.uint64)
        keep.append(value)
        slots[slot] = address_of(value)

    columns = _input_columns(function, inputs or {}, count)
    results = [np.full(count, 0xA5A5A5A5, np.uint32) for _ in range(sum(value.count for value in function.outputs))]
    covers = np.ones(count, np.uint32) if coverage is None else np.ascontiguousarray(coverage, np.uint32)
    remaining = covers.copy()
    positions = np.array([[0.5, 0.5]] if sample_positions is None else sample_positions, np.float32)
    stage = Stage(
        (ctypes.c_void_p * max(len(columns), 1))(*[column.ctypes.data for column in columns]),
        (ctypes.c_void_p * max(len(results), 1))(*[result.ctypes.data for result in results]),
        covers.ctypes.data,
        remaining.ctypes.data,
        positions.ctypes.data,
        len(positions),
    )
    group = min(count, MOST_THREADS)
    launch = Launch(slots, stage=ctypes.pointer(stage))
    launch.threads_per_grid[:] = (count, 1, 1)
    launch.threads_per_threadgroup[:] = (group, 1, 1)
    launch.threadgroups_per_grid[:] = (-(-count // group), 1, 1)
    memory, scratch = aligned(32768), aligned(info.scratch_size)
    kernel = library.metal_kernel
    kernel.restype = None
    pointer = ctypes.c_void_p
    kernel.argtypes = [pointer, ctypes.c_uint64, ctypes.c_uint64, pointer, pointer]
    kernel(ctypes.addressof(launch), 0, launch.threadgroups_per_grid[0], memory.ctypes.data, scratch.ctypes.data)

    outputs: dict[str, np.ndarray] = {"coverage": remaining}
    for value in function.outputs:
        parts = [results[value.column + component].view(value.dtype) for component in range(value.count)]
        data = parts[0] if value.count == 1 else np.stack(parts, axis=1)
        for known in value.names:
            outputs[known] = data
    return outputs


def run_vertex(
    source: str,
    name: str,
    inputs: dict[str, np.ndarray] | None = None,
    *,
    count: int | None = None,
    **arguments: object,
) -> dict[str, np.ndarray]:
    """Run a vertex function; as many invocations as the first input has elements, if `count` is not given."""
    if count is None:
        count = len(np.atleast_1d(next(iter((inputs or {}).values()))))
    return run_function(source, name, inputs, count=count, **arguments)


def run_fragment(
    source: str,
    name: str,
    inputs: dict[str, np.ndarray] | None = None,
    *,
    count: int | None = None,
    **arguments: object,
) -> dict[str, np.ndarray]:
    """Run a fragment function over quads; see run_vertex."""
    if count is None:
        count = len(np.atleast_1d(next(iter((inputs or {}).values()))))
    if count % 4:
        raise ValueError(f"fragments come in quads, got {count}")
    return run_function(source, name, inputs, count=count, **arguments)


def quads(width: int, height: int) -> np.ndarray:
    """Return the (x, y) of each invocation of a picture of even size, quad by quad."""
    quad = np.array([(0, 0), (1, 0), (0, 1), (1, 1)])
    corners = [(x, y) for y in range(0, height, 2) for x in range(0, width, 2)]
    return (np.array(corners)[:, None, :] + quad).reshape(-1, 2)
