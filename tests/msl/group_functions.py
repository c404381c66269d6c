# SPDX-License-Identifier: MIT
"""SIMD-group and quad-group functions: what each computes, and kernels that call them all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

WHOLE = {
    "char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16, "int": np.int32, "uint": np.uint32,
    "long": np.int64, "ulong": np.uint64,
}  # fmt: skip
FRACTION = ("half", "bfloat", "float")

REDUCTIONS = ("sum", "product", "min", "max")
BITS = ("and", "or", "xor")
PREFIXES = tuple(f"prefix_{kind}_{what}" for kind in ("inclusive", "exclusive") for what in ("sum", "product"))
SHUFFLES = (
    "broadcast", "shuffle", "shuffle_xor", "shuffle_up", "shuffle_down", "shuffle_rotate_up", "shuffle_rotate_down",
)  # fmt: skip
FILLS = ("shuffle_and_fill_up", "shuffle_and_fill_down")
WIDTHS = {"simd": 32, "quad": 4}


def to_bits(values):
    """float32 as the bits of bfloat, rounded to even."""
    bits = values.view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bits(bits):
    """The bits of bfloat as float32."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


@dataclass(frozen=True)
class Kind:
    """A Metal type: its element, and how many there are."""

    element: str
    count: int = 1

    def __str__(self):
        return self.element if self.count == 1 else f"{self.element}{self.count}"

    @property
    def is_whole(self):
        return self.element in WHOLE

    @property
    def stored(self):
        """The type of elements in memory: NumPy has no bfloat."""
        return "ushort" if self.element == "bfloat" else self.element

    @property
    def dtype(self):
        return WHOLE.get(self.stored) or {"half": np.float16, "float": np.float32}[self.stored]

    @property
    def computed(self):
        """What sums are computed in."""
        return self.dtype if self.is_whole else np.float32

    def random(self, rng, count):
        """`count` values a row, as they are in memory."""
        shape = (count, self.count)
        if self.is_whole:
            limits = np.iinfo(self.dtype)
            return rng.integers(limits.min, limits.max, shape, self.dtype, endpoint=True)
        values = (rng.uniform(0.5, 1.5, shape) * rng.choice([-1, 1], shape)).astype(np.float32)
        return to_bits(values) if self.element == "bfloat" else values.astype(self.dtype)

    def compute(self, stored):
        """As the values that functions compute with."""
        return from_bits(stored) if self.element == "bfloat" else stored.astype(self.computed)

    def store(self, values):
        return to_bits(values) if self.element == "bfloat" else values.astype(self.dtype)


def all_kinds(elements):
    """Scalars and vectors of the elements."""
    return [Kind(element, count) for element in elements for count in (1, 2, 3, 4)]


def combined(what, a, b):
    """Two rows of lanes, element by element."""
    with np.errstate(over="ignore"):
        return {
            "sum": np.add, "product": np.multiply, "min": np.fmin if a.dtype.kind == "f" else np.minimum,
            "max": np.fmax if a.dtype.kind == "f" else np.maximum, "and": np.bitwise_and, "or": np.bitwise_or,
            "xor": np.bitwise_xor,
        }[what](a, b)  # fmt: skip


def neutral(what, dtype):
    """The value that changes nothing."""
    if what in ("min", "max"):
        if np.dtype(dtype).kind == "f":
            return np.nan
        limits = np.iinfo(dtype)
        return limits.max if what == "min" else limits.min
    return {"sum": 0, "product": 1, "and": -1, "or": 0, "xor": 0}[what]


def reduced(what, rows, active, width):
    """Each lane's result of a reduction; sums in the order that the device documents: upper half onto lower."""
    out = rows.copy()
    for first in range(0, len(rows), width):
        part = slice(first, first + width)
        idle = np.array(neutral(what, rows.dtype)).astype(rows.dtype)
        lanes = np.where(active[part, None], rows[part], idle)
        if width == 4:  # neighbours first
            pairs = combined(what, lanes, lanes[[1, 0, 3, 2]])
            out[part] = combined(what, pairs, pairs[[2, 3, 0, 1]])
        else:
            while len(lanes) > 1:
                lanes = combined(what, lanes[: len(lanes) // 2], lanes[len(lanes) // 2 :])
            out[part] = lanes[0]
    return out


def prefixed(name, rows, active, width):
    """Each lane's result of a prefix function, by steps of doubling distance."""
    _, kind, what = name.split("_")
    out = rows.copy()
    fill = np.full((1, rows.shape[1]), neutral(what, rows.dtype), rows.dtype)
    for first in range(0, len(rows), width):
        part = slice(first, first + width)
        lanes = np.where(active[part, None], rows[part], fill)
        step = 1
        while step < width:
            lanes = combined(what, np.concatenate([fill.repeat(step, 0), lanes[:-step]]), lanes)
            step *= 2
        out[part] = lanes if kind == "inclusive" else np.concatenate([fill, lanes[:-1]])
    return out


def source(name, lane, width, amount):
    """The lane that a lane reads from in a shuffle."""
    inside, first = lane % width, lane - lane % width
    return (
        first
        + {
            "broadcast": amount,
            "shuffle": (lane * 5 + 3) % width,
            "shuffle_xor": inside ^ amount,
            "shuffle_up": np.where(inside >= amount, inside - amount, inside),
            "shuffle_down": np.where(inside + amount < width, inside + amount, inside),
            "shuffle_rotate_up": (inside - amount) % width,
            "shuffle_rotate_down": (inside + amount) % width,
        }[name]
    )


def filled(name, rows, filling, modulo, delta):
    """Each lane's result of a shuffle that fills from a second value."""
    lane = np.arange(len(rows))
    inside, first = lane % modulo, lane - lane % modulo
    up = name.endswith("up")
    at = inside - delta if up else inside + delta
    own = (at >= 0) & (at < modulo)
    from_ = first + at % modulo
    return np.where(own[:, None], rows[from_], filling[from_])


def text(name, kind, functions, guard=""):
    """A kernel that stores what each function (an expression of `value`, `filling` and `lane`) gives."""
    read = "as_type<bfloat>({})" if kind.element == "bfloat" else "{}"
    write = "as_type<ushort>({})" if kind.element == "bfloat" else "{}"
    lines = [
        "#include <metal_stdlib>",
        "using namespace metal;",
        f"kernel void {name}(device const {kind.stored}* a, device const {kind.stored}* b, device const bool* active,",
        f"        device {kind.stored}* out, constant uint& count, uint index [[thread_index_in_threadgroup]],",
        "        uint2 size [[threads_per_threadgroup]], uint2 group [[threadgroup_position_in_grid]],",
        "        uint lane [[thread_index_in_simdgroup]]) {",
        f"    const uint c = {kind.count}, i = group.x * size.x * size.y + index;",
        f"    {guard}",
    ]
    for variable, array in (("value", "a"), ("filling", "b")):
        parts = ", ".join(read.format(f"{array}[i * c + {k}]") for k in range(kind.count))
        lines.append(f"    const {kind} {variable} = {kind}({parts});")
    for place, function in enumerate(functions):
        lines.append(f"    {{ const {kind} r = {function};")
        for k in range(kind.count):
            part = "r" if kind.count == 1 else f"r[{k}]"
            lines.append(f"      out[({place} * count + i) * c + {k}] = {write.format(part)};")
        lines.append("    }")
    return "\n".join([*lines, "}"])


# Threadgroups: whole SIMD-groups, a part of one at the end, rows that SIMD-groups cross.
SHAPES = ((96, 1), (45, 1), (8, 6), (5, 9))
GROUPS = 3


@cache
def compiled(device, source, name):
    return device.library(source)[name]


def run(device, name, kind, functions, shape, rng, guard=""):
    """Run such a kernel; return its inputs, who took part, and its results by function, as computed with."""
    threads = shape[0] * shape[1]
    count = GROUPS * threads
    a, b = kind.random(rng, count), kind.random(rng, count)
    active = rng.random(count) < 0.7
    out = np.zeros((len(functions), count, kind.count), kind.dtype)
    # The time that a kernel takes to compile grows faster than the bytes it moves.
    step = max(4, 128 // (kind.count * out.itemsize))
    for first in range(0, len(functions), step):
        some = slice(first, first + step)
        kernel = compiled(device, text(name, kind, functions[some], guard), name)
        kernel(
            a.ravel(), b.ravel(), active, out[some].reshape(-1), np.uint32(count),
            grid=(shape[0] * GROUPS, shape[1]), threadgroup=shape,
        )  # fmt: skip
    return kind.compute(a), kind.compute(b), active, out


def by_threadgroup(function, threads, *arrays):
    """`function` of each threadgroup's threads, their number made up to whole SIMD-groups."""
    results = []
    for first in range(0, len(arrays[0]), threads):
        parts = [array[first : first + threads] for array in arrays]
        padded = [np.concatenate([part, np.zeros((-threads % 32, *part.shape[1:]), part.dtype)]) for part in parts]
        results.append(function(*padded)[:threads])
    return np.concatenate(results)
