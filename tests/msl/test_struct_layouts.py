# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (kernels are kept dense)
"""Structs of every make are laid out by Metal's rules: sizes, offsets, NumPy's types for them, copies of members."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SCALARS = {
    "bool": 1, "char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "long": 8, "ulong": 8,
    "half": 2, "bfloat": 2, "float": 4,
}  # fmt: skip


@dataclass
class Leaf:
    """A scalar inside a type."""

    offset: int
    size: int
    is_bool: bool


@dataclass
class Layout:
    """What Metal's specification says of a type: computed here from its rules alone."""

    text: str
    size: int
    alignment: int
    leaves: list[Leaf] = field(default_factory=list)
    suffix: str = ""  # of an array, behind the member's name


def scalar(name: str) -> Layout:
    return Layout(name, SCALARS[name], SCALARS[name], [Leaf(0, SCALARS[name], name == "bool")])


def repeated(name: str, count: int, stride: int) -> list[Leaf]:
    return [Leaf(i * stride, SCALARS[name], name == "bool") for i in range(count)]


def vector(name: str, count: int) -> Layout:
    # A vector of three takes the room of four.
    room = SCALARS[name] * (4 if count == 3 else count)
    return Layout(f"{name}{count}", room, room, repeated(name, count, SCALARS[name]))


def packed(name: str, count: int) -> Layout:
    return Layout(f"packed_{name}{count}", SCALARS[name] * count, SCALARS[name], repeated(name, count, SCALARS[name]))


def matrix(name: str, columns: int, rows: int) -> Layout:
    column = vector(name, rows)
    leaves = [Leaf(c * column.size + leaf.offset, leaf.size, False) for c in range(columns) for leaf in column.leaves]
    return Layout(f"{name}{columns}x{rows}", columns * column.size, column.alignment, leaves)


def array(element: Layout, count: int, is_class: bool) -> Layout:
    leaves = [
        Leaf(i * element.size + leaf.offset, leaf.size, leaf.is_bool) for i in range(count) for leaf in element.leaves
    ]
    size = element.size * count
    if is_class and not element.suffix:
        return Layout(f"array<{element.text}, {count}>", size, element.alignment, leaves)
    return Layout(element.text, size, element.alignment, leaves, f"[{count}]{element.suffix}")


def up(value: int, step: int) -> int:
    return -(-value // step) * step


@dataclass
class Struct:
    """A struct's members, each with an alignas() of its own or 0, and the struct's alignas() or 0."""

    members: list[tuple[Layout | Struct, int]]
    alignas: int

    def lay_out(self, name: str, text: list[str]) -> tuple[Layout, list[int]]:
        """Append the declaration (inner ones first); return the layout and the members' offsets."""
        lines, leaves, offsets, offset, alignment = [], [], [], 0, max(1, self.alignas)
        for i, (member, wanted) in enumerate(self.members):
            layout = member.lay_out(f"{name}_{i}", text)[0] if isinstance(member, Struct) else member
            # alignas() must not be less than the type's own.
            aligned = max(wanted, layout.alignment) if wanted else layout.alignment
            prefix = f"alignas({aligned}) " if wanted else ""
            lines.append(f"    {prefix}{layout.text} m{i}{layout.suffix};")
            offset = up(offset, aligned)
            offsets.append(offset)
            leaves += [Leaf(offset + leaf.offset, leaf.size, leaf.is_bool) for leaf in layout.leaves]
            offset += layout.size
            alignment = max(alignment, aligned)
        own = f"alignas({alignment}) " if self.alignas else ""
        text.append(f"struct {own}{name} {{\n" + "\n".join(lines) + "\n};")
        return Layout(name, up(max(offset, 1), alignment), alignment, leaves), offsets


names = st.sampled_from(list(SCALARS))
counts = st.integers(2, 4)
plain = st.one_of(
    names.map(scalar),
    st.builds(vector, names, counts),
    st.builds(packed, st.sampled_from([name for name in SCALARS if name != "bool"]), counts),
    st.builds(matrix, st.sampled_from(["float", "half"]), counts, counts),
)
arrays = st.builds(array, plain, st.integers(1, 4), st.booleans())
arrays_of_arrays = st.builds(array, arrays, st.integers(1, 3), st.just(False))
alignments = st.sampled_from([0, 0, 0, 0, 4, 8, 16, 32])
members = st.one_of(plain, plain, arrays, arrays_of_arrays)
structs = st.recursive(
    st.builds(Struct, st.lists(st.tuples(members, alignments), min_size=1, max_size=5), alignments),
    lambda inner: st.builds(
        Struct, st.lists(st.tuples(st.one_of(members, inner), alignments), min_size=1, max_size=4), alignments
    ),
    max_leaves=4,
)


def declare(made: list[Struct]) -> tuple[str, list[tuple[Layout, list[int]]]]:
    declarations: list[str] = []
    layouts = [struct.lay_out(f"S{i}", declarations) for i, struct in enumerate(made)]
    return "\n".join(declarations) + "\n", layouts


def check_reflection(dtype: np.dtype, layout: Layout, offsets: list[int], source: str) -> None:
    assert dtype.itemsize == layout.size, source
    assert [dtype.fields[f"m{i}"][1] for i in range(len(offsets))] == offsets, source


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(structs, min_size=8, max_size=8))
def test_reflection_of_layouts(compiles, made: list[Struct]) -> None:
    source, layouts = declare(made)
    source += "".join(f"kernel void run_{layout.text}(device {layout.text}* s) {{}}\n" for layout, _ in layouts)
    library = compiles(source)
    for layout, offsets in layouts:
        check_reflection(library[f"run_{layout.text}"].arguments["s"].dtype, layout, offsets, source)


COPY = """
template <typename T> void copy(device T& to, device const T& from) { to = from; }
template <typename T, int N> void copy(device T (&to)[N], device const T (&from)[N]) {
    for (int i = 0; i < N; ++i) copy(to[i], from[i]);
}
"""


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(structs, min_size=3, max_size=3), st.integers(0, 2**32 - 1))
def test_copies_of_members(compiles, made: list[Struct], seed: int) -> None:
    """One kernel writes every struct's sizes and offsets, and copies it member by member."""
    source, layouts = declare(made)
    parameters, body = [], ""
    for layout, offsets in layouts:
        name = layout.text
        parameters += [f"device const {name}* from{name}, device {name}* to{name}, device uint* facts{name}"]
        body += f"    facts{name}[0] = sizeof({name}); facts{name}[1] = alignof({name});\n"
        for i in range(len(offsets)):
            body += f"    facts{name}[{i + 2}] = uint((ulong)&from{name}->m{i} - (ulong)from{name});\n"
            body += f"    copy(to{name}->m{i}, from{name}->m{i});\n"
    source += f"{COPY}kernel void run({', '.join(parameters)}) {{\n{body}}}\n"
    run = compiles(source)["run"]
    generator = np.random.default_rng(seed)
    arrays: list[np.ndarray] = []
    for layout, offsets in layouts:
        dtype = run.arguments[f"from{layout.text}"].dtype
        check_reflection(dtype, layout, offsets, source)
        data = generator.integers(0, 256, layout.size, np.uint8)
        for leaf in layout.leaves:
            if leaf.is_bool:
                data[leaf.offset] &= 1
        arrays += [data.view(dtype), np.zeros(1, dtype), np.zeros(len(offsets) + 2, np.uint32)]
    run(*arrays, grid=1)
    for i, (layout, offsets) in enumerate(layouts):
        from_, to, facts = (arrays[3 * i + k].view(np.uint8) for k in range(3))
        assert facts.view(np.uint32).tolist() == [layout.size, layout.alignment, *offsets], source
        for leaf in layout.leaves:
            where = slice(leaf.offset, leaf.offset + leaf.size)
            assert to[where].tolist() == from_[where].tolist(), (source, leaf)


def test_a_structured_array_fills_a_struct(compiles) -> None:
    library = compiles(
        "struct Inner { float3 a; packed_float3 b; }; struct S { bool on; half2 h; Inner in[2]; float3x2 m; uchar c; };\n"
        "kernel void sum(constant S& s [[buffer(0)]], device float* out [[buffer(1)]]) {\n"
        "    out[0] = s.on; out[1] = s.h.y; out[2] = s.in[1].a.z; out[3] = s.in[0].b.y; out[4] = s.m[2].y; out[5] = s.c;\n"
        "}\n"
    )
    run = library["sum"]
    value = np.zeros((), run.arguments["s"].dtype)
    value["on"], value["h"], value["c"] = True, (1, 2), 9
    value["in"]["a"][1] = (3, 4, 5)
    value["in"]["b"][0] = (6, 7, 8)
    value["m"][2] = (10, 11)
    out = np.zeros(6, np.float32)
    run(value, out, grid=1)
    assert out.tolist() == [1, 2, 5, 7, 11, 9]
