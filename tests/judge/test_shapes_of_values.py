# SPDX-License-Identifier: MIT
"""What a lane may hold, and keep across barriers, each kernel beside the same thread in Python."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from .by_hand import GROUPS, LINE, MEET, check, ints, zeros


def test_private_arrays_keep_their_values_across_barriers():
    source = """
    kernel void k(device const int* a, device int* out, uint id [[thread_position_in_grid]],
                  uint index [[thread_index_in_threadgroup]], uint count [[threads_per_threadgroup]]) {
        threadgroup int t[128];
        int kept[5] = {1, 2, 3, 4, 5};
        struct { int x; short y; } pair[2] = {{1, 2}, {3, 4}};
        for (int i = 0; i < 5; i++) {
            kept[(a[id] + i) % 5] += a[id] * i;
            t[index] = kept[i];
            threadgroup_barrier(mem_flags::mem_threadgroup);
            kept[a[id] % 5] ^= t[(index * 7 + 1) % count];
            pair[a[id] % 2].x += kept[i];
            pair[i % 2].y++;
            threadgroup_barrier(mem_flags::mem_threadgroup);
        }
        int total = pair[0].x + pair[1].x * 3 + pair[0].y * 5 + pair[1].y * 7;
        for (int i = 0; i < 5; i++) total = total * 3 + kept[i];
        out[id] = total;
    }"""

    def thread(t, m):
        kept, x, y = [1, 2, 3, 4, 5], [1, 3], [2, 4]
        a = m.a[t.id]
        for i in range(5):
            kept[(a + i) % 5] += a * i
            m.shared[t.index] = kept[i]
            yield MEET(1)
            kept[a % 5] ^= m.shared[(t.index * 7 + 1) % t.count]
            x[a % 2] += kept[i]
            y[i % 2] += 1
            yield MEET(2)
        total = x[0] + x[1] * 3 + y[0] * 5 + y[1] * 7
        for i in range(5):
            total = total * 3 + kept[i]
        m.out[t.id] = total

    check(source, thread, {"a": ints(256), "out": zeros()}, *GROUPS)


def test_values_live_across_a_barrier_in_loop_carried_and_narrow_variables():
    source = """
    kernel void k(device const int* a, device int* out, uint id [[thread_position_in_grid]],
                  uint index [[thread_index_in_threadgroup]], uint count [[threads_per_threadgroup]]) {
        threadgroup short t[128];
        short x = short(a[id]), previous = 0;
        bool odd = x % 2;
        uchar turns = 250;
        long wide = long(a[id]) << 33;
        for (int i = 0; i < 10; i++) {
            t[index] = short(x + previous);
            threadgroup_barrier(mem_flags::mem_threadgroup);
            previous = x;
            x = odd ? t[(index + 1) % count] : short(x - 1);
            odd = !odd;
            turns++;
            wide = wide * 3 + x;
            threadgroup_barrier(mem_flags::mem_threadgroup);
        }
        out[id] = int(wide >> 33) ^ (int(turns) << 20) ^ int(x) ^ int(odd);
    }"""

    def wrap(x, bits):
        x &= (1 << bits) - 1
        return x - (1 << bits) if x >> (bits - 1) else x

    def thread(t, m):
        x, previous, turns, wide = m.a[t.id], 0, 250, m.a[t.id] << 33
        odd = x % 2 == 1
        for _ in range(10):
            m.shared[t.index] = wrap(x + previous, 16)
            yield MEET(1)
            previous = x
            x = m.shared[(t.index + 1) % t.count] if odd else wrap(x - 1, 16)
            odd = not odd
            turns = (turns + 1) & 255
            wide = wrap(wide * 3 + x, 64)
            yield MEET(2)
        m.out[t.id] = wrap(wrap(wide >> 33, 32) ^ (turns << 20) ^ x ^ odd, 32)

    check(source, thread, {"a": ints(256), "out": zeros()}, *GROUPS)


def test_tables_and_structs_indexed_by_lane():
    source = """
    struct Rule { short from; int2 to; uchar kind; };
    constant Rule rules[3] = {{1, int2(2, 3), 4}, {-5, int2(6, -7), 200}, {8, int2(9, 10), 11}};
    struct State { int values[3]; Rule rule; };
    static State step(State s, int which) {
        s.values[which % 3] += s.rule.to.y;
        s.rule = rules[which % 3];
        s.rule.to.x *= which;
        return s;
    }
    kernel void k(device const int* a, device int* out, uint id [[thread_position_in_grid]]) {
        State s = {{1, 2, 3}, rules[0]}, old[2] = {s, s};
        for (int i = 0; i < a[id] % 5; i++) {
            old[i % 2] = s;
            s = step(old[(i + a[id]) % 2], a[id] + i);
        }
        thread State* p = a[id] % 2 ? &old[0] : &s;
        out[id] = p->values[a[id] % 3] + p->rule.from * 10 + p->rule.to.x * 100 + p->rule.to.y + p->rule.kind;
    }"""
    rules = [(1, 2, 3, 4), (-5, 6, -7, 200), (8, 9, 10, 11)]

    def thread(t, m):
        a = m.a[t.id]
        s = ((1, 2, 3), rules[0])
        old = [s, s]
        for i in range(a % 5):
            old[i % 2] = s
            values, rule = old[(i + a) % 2]
            which = (a + i) % 3
            values = tuple(v + rule[2] if j == which else v for j, v in enumerate(values))
            new = rules[which]
            s = (values, (new[0], new[1] * (a + i), new[2], new[3]))
        values, rule = old[0] if a % 2 else s
        m.out[t.id] = values[a % 3] + rule[0] * 10 + rule[1] * 100 + rule[2] + rule[3]

    check(source, thread, {"a": ints(256), "out": zeros()}, *LINE)


def test_bits_as_vectors_of_other_elements():
    source = """
    kernel void k(device const uint* a, device uint* out, uint id [[thread_position_in_grid]]) {
        short2 two = as_type<short2>(a[id]);
        uchar4 four = as_type<uchar4>(a[id] ^ a[0]);
        ushort4 wide = as_type<ushort4>(ulong(a[id]) << 24);
        uint x = as_type<uint>(two.yx) + as_type<uint>(four.wxyz);
        for (int i = 0; i < (two.x & 3); i++) x += as_type<uint>(ushort2(wide[i], wide[3 - i]));
        uint2 halves = as_type<uint2>(wide);
        out[id] = x ^ halves.x ^ halves.y ^ as_type<uint>(as_type<uchar4>(two));
    }"""

    def thread(t, m):
        def parts(value, bits, count):
            return [value >> bits * i & (1 << bits) - 1 for i in range(count)]

        def whole(values, bits):
            return sum(value << bits * i for i, value in enumerate(values))

        a = m.a[t.id]
        two, four, wide = parts(a, 16, 2), parts(a ^ m.a[0], 8, 4), parts(a << 24, 16, 4)
        x = whole(two[::-1], 16) + whole([four[3], *four[:3]], 8)
        for i in range(two[0] & 3):
            x += whole([wide[i], wide[3 - i]], 16)
        m.out[t.id] = (x ^ a << 24 ^ a >> 8 ^ a) & 0xFFFFFFFF

    a = np.random.default_rng(3).integers(0, 1 << 32, 256, dtype=np.uint32)
    check(source, thread, {"a": a, "out": np.zeros(256, np.uint32)}, *LINE)


def test_positions_in_three_dimensions_with_edges():
    source = """
    kernel void k(device int* out, uint3 place [[thread_position_in_grid]],
                  uint3 local [[thread_position_in_threadgroup]], uint3 group [[threadgroup_position_in_grid]],
                  uint3 size [[threads_per_threadgroup]], uint3 full [[dispatch_threads_per_threadgroup]],
                  uint3 grid [[threads_per_grid]],
                  uint3 groups [[threadgroups_per_grid]], uint index [[thread_index_in_threadgroup]]) {
        uint id = place.x + grid.x * (place.y + grid.y * place.z);
        uint3 all = local + group * 4 + size * 16 + full * 64 + groups * 256;
        out[id] = int(all.x + all.y * 7 + all.z * 49 + index * 4096);
    }"""

    def thread(t, m, full):
        groups = tuple(-(-g // s) for g, s in zip(t.grid, full, strict=True))
        at = t.gid[0] + t.grid[0] * (t.gid[1] + t.grid[1] * t.gid[2])
        parts = [t.lid[i] + t.group[i] * 4 + t.size[i] * 16 + full[i] * 64 + groups[i] * 256 for i in range(3)]
        m.out[at] = parts[0] + parts[1] * 7 + parts[2] * 49 + t.index * 4096

    for launch in [((5, 4, 3), (2, 3, 2)), ((7, 3, 2), (7, 3, 2)), ((40, 2, 3), (33, 1, 2)), ((3, 9, 5), (1, 5, 4))]:
        check(source, partial(thread, full=launch[1]), {"out": zeros(300)}, launch)


@pytest.mark.parametrize("width", [1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 1000, 1024])
def test_every_width_of_threadgroup(width):
    source = """
    kernel void k(device const int* a, device int* out, uint id [[thread_position_in_grid]],
                  uint index [[thread_index_in_threadgroup]], uint count [[threads_per_threadgroup]]) {
        threadgroup int t[1024];
        t[index] = a[id];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        int x = t[count - 1 - index];
        int n = x % 5;
        for (int i = 0; i < n; i++) x = x * 3 + int(index);
        out[id] = x;
    }"""

    def thread(t, m):
        m.shared[t.index] = m.a[t.id]
        yield MEET(1)
        x = m.shared[t.count - 1 - t.index]
        for _ in range(x % 5):
            x = x * 3 + t.index
        m.out[t.id] = x

    length = width * 2 + width // 2
    check(source, thread, {"a": ints(length), "out": zeros(length)}, ((length,), (width,)))
