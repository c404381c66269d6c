# SPDX-License-Identifier: MIT
"""The reference executor judged by itself: integers against NumPy, kernels against results worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from . import memory
from . import syntax as s
from .integers import BUILTINS, UndefinedError, binary, limits, quotient, wrap
from .metal_text import metal_text
from .reference import OutOfFuelError, Reference
from .threads import IllegalKernelError

NUMPY = {type_: memory.numpy_type(type_).type for type_ in s.INTEGERS}

ID, INDEX = s.Local(s.UINT, "id"), s.Local(s.UINT, "index")
ATTRIBUTES = (
    s.Attribute("thread_position_in_grid", "id", s.UINT),
    s.Attribute("thread_index_in_threadgroup", "index", s.UINT),
    s.Attribute("threads_per_threadgroup", "count", s.UINT),
)
OUT = s.Buffer("out", s.INT, "out", None, 1)


def uint(value: int) -> s.Literal:
    return s.Literal(s.UINT, value)


def int_(value: int) -> s.Literal:
    return s.Literal(s.INT, value)


def op(left: s.Expression, operator: str, right: s.Expression) -> s.Binary:
    comparison = operator in ("<", "<=", ">", ">=", "==", "!=")
    return s.Binary(s.BOOL if comparison else left.type, operator, left, right)


def store(value: s.Expression) -> s.Assign:
    return s.Assign(s.Element(s.INT, "out", ID), value)


def run(
    *body: s.Statement,
    threads: int = 4,
    group: int = 4,
    shared: tuple = (),
    functions: tuple = (),
    buffers: tuple = (OUT,),
) -> dict:
    kernel = s.Kernel("k", ATTRIBUTES, buffers, shared, body, functions)
    launch = s.Launch((threads, 1, 1), (group, 1, 1))
    contents = {b.name: [0] * memory.length(b, launch) for b in buffers}
    Reference(kernel).execute(launch, contents, fuel=1000)
    return contents


FAR = s.Convert(s.INT, op(ID, "+", uint(100)))


def loop(name: str, count: int, *body: s.Statement) -> s.For:
    i = s.Local(s.INT, name)
    return s.For(s.Declare(name, s.INT, int_(0)), op(i, "<", int_(count)), s.Assign(i, int_(1), "+"), body)


@st.composite
def operands(draw, count: int = 2):
    type_ = draw(st.sampled_from(s.INTEGERS))
    low, high = limits(type_)
    return type_, [draw(st.integers(low, high)) for _ in range(count)]


# ---- Integers ----


@given(operands(), st.sampled_from("+-*&|^"))
def test_arithmetic_is_numpys(given_, operator):
    type_, (left, right) = given_
    with np.errstate(over="ignore"):
        ufunc = {
            "+": np.add,
            "-": np.subtract,
            "*": np.multiply,
            "&": np.bitwise_and,
            "|": np.bitwise_or,
            "^": np.bitwise_xor,
        }
        expected = ufunc[operator](NUMPY[type_](left), NUMPY[type_](right))
    assert binary(operator, left, right, type_) == int(expected)


@pytest.mark.parametrize(
    ("left", "right", "by", "rest"), [(7, 2, 3, 1), (-7, 2, -3, -1), (7, -2, -3, 1), (-7, -2, 3, -1), (-8, 4, -2, 0)]
)
def test_division_rounds_towards_zero(left, right, by, rest):
    assert binary("/", left, right, s.INT) == by
    assert binary("%", left, right, s.INT) == rest


@pytest.mark.parametrize(("left", "right"), [(1, 0), (-(2**31), -1)])
def test_division_without_result_is_undefined(left, right):
    with pytest.raises(UndefinedError):
        quotient(left, right, s.INT)


def test_shift_counts_are_masked_to_the_width():
    assert binary("<<", 1, 33, s.INT) == 2
    assert binary("<<", 1, -1, s.INT) == -(2**31)
    assert binary(">>", -8, 65, s.LONG) == -4
    assert binary(">>", 0x80000000, 31, s.UINT) == 1


def test_narrow_shift_beyond_the_width_is_undefined():
    with pytest.raises(UndefinedError):
        binary("<<", 1, 16, s.SHORT)


BY_HAND = [
    ("abs", (-128,), s.CHAR, -128),
    ("abs", (-5,), s.INT, 5),
    ("absdiff", (-100, 100), s.CHAR, -56),
    ("absdiff", (3, 10), s.UINT, 7),
    ("addsat", (100, 100), s.CHAR, 127),
    ("addsat", (-100, -100), s.CHAR, -128),
    ("addsat", (2**32 - 1, 2), s.UINT, 2**32 - 1),
    ("subsat", (3, 5), s.UINT, 0),
    ("subsat", (-(2**31), 1), s.INT, -(2**31)),
    ("hadd", (2**31 - 1, 2**31 - 1), s.INT, 2**31 - 1),
    ("hadd", (-3, 0), s.INT, -2),
    ("rhadd", (-3, 0), s.INT, -1),
    ("rhadd", (2, 3), s.UINT, 3),
    ("mulhi", (2**31, 4), s.UINT, 2),
    ("mulhi", (-1, 1), s.INT, -1),
    ("madhi", (2**31, 4, 5), s.UINT, 7),
    ("madsat", (100, 2, 0), s.CHAR, 127),
    ("popcount", (-1,), s.SHORT, 16),
    ("clz", (1,), s.UCHAR, 7),
    ("clz", (0,), s.LONG, 64),
    ("ctz", (8,), s.INT, 3),
    ("ctz", (0,), s.USHORT, 16),
    ("reverse_bits", (1,), s.CHAR, -128),
    ("reverse_bits", (0b1101,), s.UINT, 0b1011 << 28),
    ("rotate", (-127, 1), s.CHAR, 3),
    ("rotate", (1, 31), s.UINT, 2**31),
    ("rotate", (7, 0), s.ULONG, 7),
    ("extract_bits", (0b1110, 1, 3), s.INT, -1),
    ("extract_bits", (0b1110, 1, 3), s.UINT, 7),
    ("extract_bits", (5, 3, 0), s.INT, 0),
    ("insert_bits", (0xFF, 0, 2, 3), s.UINT, 0b11100011),
    ("median3", (3, 1, 2), s.INT, 2),
    ("clamp", (9, -1, 5), s.INT, 5),
    ("select", (1, 2, 1), s.INT, 2),
    ("select", (1, 2, 0), s.INT, 1),
]


@pytest.mark.parametrize(("name", "arguments", "type_", "expected"), BY_HAND)
def test_builtin_by_hand(name, arguments, type_, expected):
    assert BUILTINS[name](*arguments, type_) == expected


@given(
    operands(), st.sampled_from(("+", "-", "*", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!=", ">", ">=")), st.data()
)
def test_translated_operators_compute_what_integers_say(given_, operator, data):
    type_, (left, right) = given_
    if operator in ("<<", ">>") and type_.bits < 32:
        right = data.draw(st.integers(0, type_.bits - 1))
    node = op(s.Literal(type_, left), operator, s.Literal(type_, right))
    out = s.Buffer("out", node.type, "out", None, 1)
    contents = run(s.Assign(s.Element(node.type, "out", ID), node), threads=1, buffers=(out,))
    assert contents["out"][0] == binary(operator, left, right, type_)


@given(operands(1), st.sampled_from(s.SCALARS))
def test_conversion_wraps(given_, target):
    type_, (value,) = given_
    out = s.Buffer("out", target, "out", None, 1)
    contents = run(
        s.Assign(s.Element(target, "out", ID), s.Convert(target, s.Literal(type_, value))), threads=1, buffers=(out,)
    )
    assert contents["out"][0] == (float(value) if target.real else wrap(value, target))


# ---- Control flow ----


def test_continue_still_takes_the_step_and_break_does_not():
    total, i = s.Local(s.INT, "total"), s.Local(s.INT, "i")
    contents = run(
        s.Declare("total", s.INT, int_(0)),
        loop("i", 10,
            s.If(op(i, "==", int_(2)), (s.Continue(),)),
            s.If(op(i, "==", int_(5)), (s.Break(),)),
            s.Assign(total, i, "+")),
        store(total),
    )  # fmt: skip
    assert contents["out"] == [0 + 1 + 3 + 4] * 4


def test_do_while_runs_once_and_continue_goes_to_its_condition():
    n, turns = s.Local(s.INT, "n"), s.Local(s.INT, "turns")
    contents = run(
        s.Declare("n", s.INT, s.Convert(s.INT, ID)), s.Declare("turns", s.INT, int_(0)),
        s.DoWhile((
            s.Assign(turns, int_(1), "+"), s.Assign(n, int_(1), "-"),
            s.If(op(turns, "==", int_(1)), (s.Continue(),)),
            s.Assign(turns, int_(10), "+"),
        ), op(n, ">", int_(0))),
        store(turns),
    )  # fmt: skip
    assert contents["out"] == [1, 1, 12, 23]


def test_switch_falls_through_defaults_and_continues_the_loop_around():
    total, i = s.Local(s.INT, "total"), s.Local(s.INT, "i")
    contents = run(
        s.Declare("total", s.INT, int_(0)),
        loop("i", 6,
            s.Switch(i, (
                s.Case((0,), (s.Assign(total, int_(1), "+"),)),
                s.Case((1, 2), (s.Assign(total, int_(10), "+"), s.Break())),
                s.Case((), (s.Assign(total, int_(100), "+"), s.If(op(i, "==", int_(5)), (s.Continue(),)), s.Break())),
                s.Case((3,), (s.Continue(),)),
            )),
            s.Assign(total, int_(1000), "+")),
        store(total),
    )  # fmt: skip
    # i = 0: 1 + 10; 1 and 2: 10 each; 3: continues; 4: 100; 5: 100, continues. 1000 for all but 3 and 5.
    assert contents["out"] == [1 + 10 + 10 + 10 + 100 + 100 + 4000] * 4


def test_return_ends_one_thread_only():
    contents = run(store(int_(1)), s.If(op(ID, ">=", uint(2)), (s.Return(),)), store(int_(2)))
    assert contents["out"] == [2, 2, 1, 1]


def test_helper_changes_what_its_reference_names():
    f = s.Function("f", s.INT, (s.Parameter("a", s.INT), s.Parameter("r", s.INT, "reference")), (
        s.If(op(s.Local(s.INT, "a"), "==", int_(0)), (s.Return(int_(-1)),)),
        s.Assign(s.Local(s.INT, "r"), s.Local(s.INT, "a"), "+"),
        s.Return(op(s.Local(s.INT, "r"), "*", int_(2))),
    ))  # fmt: skip
    x, y = s.Local(s.INT, "x"), s.Local(s.INT, "y")
    contents = run(
        s.Declare("x", s.INT, int_(5)), s.Declare("y", s.INT, int_(0)),
        s.CallStatement("f", (s.Convert(s.INT, ID), x), y),
        store(op(op(x, "*", int_(100)), "+", y)),
        functions=(f,),
    )  # fmt: skip
    assert contents["out"] == [500 - 1, 612, 714, 816]


def test_vectors_and_structs_are_values():
    int2, pair = s.Vector(s.INT, 2), s.Struct("Pair", (("a", s.INT), ("v", s.Vector(s.INT, 2))))
    p, q = s.Local(pair, "p"), s.Local(pair, "q")
    v = s.Member(int2, q, "v")
    contents = run(
        s.Declare("p", pair, s.Construct(pair, (int_(1), s.Construct(int2, (int_(2), int_(3)))))),
        s.Declare("q", pair, p),
        s.Assign(s.Swizzle(int2, v, "yx"), s.Construct(int2, (int_(40), int_(50)))),
        s.Assign(s.Member(s.INT, q, "a"), int_(6), "+"),
        s.Declare("low", s.INT, s.Swizzle(s.INT, s.Member(int2, p, "v"), "y")),
        s.Assign(s.Local(s.INT, "low"), op(s.Swizzle(s.INT, v, "x"), "*", int_(100)), "+"),
        store(op(op(s.Member(s.INT, q, "a"), "*", int_(10000)), "+", s.Local(s.INT, "low"))),
    )  # fmt: skip
    assert contents["out"] == [7 * 10000 + 50 * 100 + 3] * 4


# ---- Threads together ----


def reverse_through_shared(*flags: str) -> tuple[s.Statement, ...]:
    last = op(op(s.Local(s.UINT, "count"), "-", uint(1)), "-", INDEX)
    return (
        s.Assign(s.Element(s.INT, "t", INDEX), s.Convert(s.INT, ID)),
        *(s.Barrier(flag) for flag in flags),
        store(s.Element(s.INT, "t", last)),
    )


def test_barrier_lets_threads_see_each_other_in_edge_groups_too():
    shared = (s.SharedArray("t", s.INT, 4),)
    contents = run(*reverse_through_shared("mem_threadgroup"), threads=6, shared=shared)
    assert contents["out"] == [3, 2, 1, 0, 5, 4]


def test_missing_barrier_is_noticed():
    with pytest.raises(IllegalKernelError, match="before it was written"):
        run(*reverse_through_shared(), shared=(s.SharedArray("t", s.INT, 4),))


def test_barrier_that_some_threads_miss_is_illegal():
    with pytest.raises(IllegalKernelError, match="not all threads"):
        run(s.If(op(ID, "<", uint(2)), (s.Barrier(),)))
    with pytest.raises(IllegalKernelError, match="not all threads"):
        run(s.If(op(ID, "<", uint(2)), (s.Barrier(),), (s.Barrier(),)))


def test_loop_without_end_runs_out_of_fuel():
    with pytest.raises(OutOfFuelError):
        run(s.While(s.Literal(s.BOOL, 1), ()))


@pytest.mark.parametrize(
    ("operation", "arguments", "expected"),
    [
        ("simd_sum", (), [28] * 8),
        ("simd_max", (), [7] * 8),
        ("simd_prefix_exclusive_sum", (), [0, 0, 1, 3, 6, 10, 15, 21]),
        ("simd_prefix_inclusive_sum", (), [0, 1, 3, 6, 10, 15, 21, 28]),
        ("simd_broadcast", (uint(3),), [3] * 8),
        ("simd_shuffle", (op(uint(7), "-", ID),), [7, 6, 5, 4, 3, 2, 1, 0]),
        ("simd_shuffle_xor", (uint(1),), [1, 0, 3, 2, 5, 4, 7, 6]),
        ("simd_shuffle_up", (uint(2),), [0, 1, 0, 1, 2, 3, 4, 5]),
        ("simd_shuffle_and_fill_down", (FAR, uint(3), uint(8)), [3, 4, 5, 6, 7, 100, 101, 102]),
        ("simd_shuffle_and_fill_up", (FAR, uint(1), uint(4)), [103, 0, 1, 2, 107, 4, 5, 6]),
        ("quad_shuffle_and_fill_down", (FAR, uint(1)), [1, 2, 3, 100, 5, 6, 7, 104]),
        ("quad_sum", (), [6] * 4 + [22] * 4),
        ("quad_shuffle_rotate_down", (uint(1),), [1, 2, 3, 0, 5, 6, 7, 4]),
    ],
)
def test_exchange_by_hand(operation, arguments, expected):
    x = s.Local(s.INT, "x")
    contents = run(
        s.Declare("x", s.INT, int_(0)),
        s.Simd(x, operation, s.Convert(s.INT, ID), arguments),
        store(x),
        threads=8,
        group=8,
    )
    assert contents["out"] == expected


def test_simdgroups_exchange_apart_and_under_their_own_conditions():
    x, first = s.Local(s.INT, "x"), op(op(INDEX, "/", uint(32)), "==", uint(0))
    contents = run(
        s.Declare("x", s.INT, int_(1)),
        s.If(first, (s.Simd(x, "simd_sum", x),)),
        s.Barrier(),
        store(x),
        threads=40,
        group=40,
    )
    assert contents["out"] == [32] * 32 + [1] * 8


def test_threads_that_part_exchange_with_those_beside_them():
    x, few = s.Local(s.INT, "x"), op(ID, "<", uint(2))
    contents = run(
        s.Declare("x", s.INT, int_(1)),
        s.If(few, (s.Simd(x, "simd_sum", int_(5)),), (s.Simd(x, "simd_sum", x),)),
        store(x),
        threads=8,
        group=8,
    )
    assert contents["out"] == [10] * 2 + [6] * 6


def test_threads_exchange_round_by_round_while_they_are_in_the_loop():
    x, i, total = s.Local(s.INT, "x"), s.Local(s.UINT, "i"), s.Local(s.INT, "total")
    skips = s.If(op(op(i, "+", ID), "==", uint(3)), (s.Continue(),))
    body = (skips, s.Simd(x, "simd_sum", int_(1)), s.Assign(total, x, "+"))
    step = s.Assign(i, uint(1), "+")
    contents = run(
        s.Declare("x", s.INT, int_(0)),
        s.Declare("total", s.INT, int_(0)),
        s.For(s.Declare("i", s.UINT, uint(0)), op(i, "<", ID), step, body),
        store(total),
        threads=4,
        group=4,
    )
    # Round 0: threads 1 and 2 (3 skips it); round 1: thread 3 (2 skips it); round 2: thread 3.
    assert contents["out"] == [0, 2, 2, 2]


def test_exchange_behind_a_barrier_that_others_have_not_reached_is_illegal():
    x = s.Local(s.INT, "x")
    early = s.If(op(ID, "<", uint(2)), (s.Barrier(),))
    with pytest.raises(IllegalKernelError, match="not all threads"):
        run(s.Declare("x", s.INT, int_(1)), early, s.Simd(x, "simd_sum", x), threads=8, group=8)


# ---- Positions and memory ----


def test_positions_in_a_grid_with_edges():
    uint3 = s.Vector(s.UINT, 3)
    names = (
        "thread_position_in_grid", "threadgroup_position_in_grid", "thread_position_in_threadgroup",
        "threads_per_threadgroup", "dispatch_threads_per_threadgroup", "threads_per_grid", "threadgroups_per_grid",
    )  # fmt: skip
    attributes = tuple(s.Attribute(name, f"a{i}", uint3) for i, name in enumerate(names))
    place = s.Local(uint3, "a0")
    row = s.Binary(s.UINT, "*", s.Swizzle(s.UINT, place, "y"), uint(5))
    at = s.Binary(s.UINT, "*", s.Binary(s.UINT, "+", s.Swizzle(s.UINT, place, "x"), row), uint(7))
    body = tuple(
        s.Assign(s.Element(uint3, "out", s.Binary(s.UINT, "+", at, uint(i))), s.Local(uint3, f"a{i}")) for i in range(7)
    )
    kernel = s.Kernel("k", attributes, (s.Buffer("out", uint3, "out", None, 7),), (), body)
    launch = s.Launch((5, 3, 1), (2, 2, 1))
    contents = memory.initial(kernel, launch)
    Reference(kernel).execute(launch, contents)
    last = contents["out"][-7:]
    assert last == [(4, 2, 0), (2, 1, 0), (0, 0, 0), (1, 1, 1), (2, 2, 1), (5, 3, 1), (3, 2, 1)]
    second = contents["out"][7:14]
    assert second == [(1, 0, 0), (0, 0, 0), (1, 0, 0), (2, 2, 1), (2, 2, 1), (5, 3, 1), (3, 2, 1)]


def test_atomics_reach_the_same_end_in_any_order():
    counters = s.Buffer("counters", s.INT, "atomic", 2)
    body = (
        s.Atomic("add", "counters", uint(0), s.Convert(s.INT, ID)),
        s.Atomic("max", "counters", uint(1), op(s.Convert(s.INT, ID), "*", int_(3))),
    )
    assert run(*body, threads=10, buffers=(counters,))["counters"] == [45, 27]


def test_struct_layout_is_metals():
    record = s.Struct("Record", (("a", s.CHAR), ("v", s.Vector(s.INT, 3)), ("b", s.SHORT), ("c", s.LONG)))
    assert record.offsets == (0, 16, 32, 40)
    assert (record.size, record.alignment) == (48, 16)
    values = [(-1, (1, 2, 3), 4, -5), (6, (7, 8, 9), 10, 11)]
    array = memory.to_array(values, record)
    assert array.dtype.itemsize == 48
    assert memory.to_values(array, record) == values


def test_text_of_a_kernel():
    text = metal_text(s.Kernel("k", ATTRIBUTES[:1], (OUT,), (), (store(s.Convert(s.INT, ID)),)))
    assert text.split("\n\n")[1] == (
        "kernel void k(\n        device int* out [[buffer(0)]],\n        uint id [[thread_position_in_grid]])\n"
        "{\n    out[id] = int(id);\n}\n"
    )
