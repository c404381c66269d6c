# SPDX-License-Identifier: MIT
"""Control flow and barriers of the shapes that are hard to compile, each kernel beside the same thread in Python."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from .by_hand import MEET, check

LINE = [((64,), (32,)), ((100,), (32,)), ((70,), (35,)), ((5,), (8,)), ((200,), (100,))]
SQUARE = [((16, 8), (8, 4)), ((13, 7), (5, 3)), ((33, 2), (33, 2)), ((4, 40), (2, 20))]
GROUPS = [((64,), (64,)), ((96,), (32,)), ((8,), (8,)), ((80,), (40,)), ((50,), (40,))]


def ints(count: int, seed: int = 1, low: int = 0, high: int = 100) -> np.ndarray:
    return np.random.default_rng(seed).integers(low, high, count, dtype=np.int32)


def zeros(count: int = 256) -> np.ndarray:
    return np.zeros(count, np.int32)


# ---- Loops that threads leave at different times ----


def test_nested_divergent_loops_with_break_continue_and_return():
    source = """
    kernel void k(device const int* a, device int* out, uint id [[thread_position_in_grid]]) {
        int total = 0;
        for (int i = 0; i < a[id] % 11; i++) {
            if (i == a[id] % 3) continue;
            for (int j = i; ; j += 2) {
                if (j > a[(id + 1) % 64] % 9) break;
                if (j == 7 && i == 4) { out[id] = -total; return; }
                if ((j + i) % 3 == 0) continue;
                total += j * 10 + i;
            }
            if (total > 300) break;
            total++;
        }
        out[id] = total;
    }"""

    def thread(t, m):
        total = 0
        for i in range(m.a[t.id] % 11):
            if i == m.a[t.id] % 3:
                continue
            j = i - 2
            while True:
                j += 2
                if j > m.a[(t.id + 1) % 64] % 9:
                    break
                if j == 7 and i == 4:
                    m.out[t.id] = -total
                    return
                if (j + i) % 3 == 0:
                    continue
                total += j * 10 + i
            if total > 300:
                break
            total += 1
        m.out[t.id] = total

    check(source, thread, {"a": ints(256), "out": zeros()}, *LINE)


def test_do_while_whose_continue_goes_to_the_condition():
    source = """
    kernel void k(device const int* a, device int* out, uint id [[thread_position_in_grid]]) {
        int n = a[id], turns = 0;
        do {
            turns++;
            n -= 3;
            if (n % 2 == 0) continue;
            turns += 100;
            if (n == 5) break;
        } while (n > 0);
        out[id] = turns * 1000 + n;
    }"""

    def thread(t, m):
        n, turns = m.a[t.id], 0
        while True:
            turns += 1
            n -= 3
            if n % 2 != 0:
                turns += 100
                if n == 5:
                    break
            if not n > 0:
                break
        m.out[t.id] = turns * 1000 + n

    check(source, thread, {"a": ints(256, high=40), "out": zeros()}, *LINE)


def test_switch_that_falls_through_inside_a_loop():
    source = """
    kernel void k(device const int* a, device int* out, uint id [[thread_position_in_grid]]) {
        int total = 0;
        for (int i = 0; i < 6; i++) {
            switch ((a[id] + i) % 6) {
                case 0: total += 1;
                case 1:
                case 2: total += 10; break;
                default: total += 100; if (i == 3) continue;
                case 3: total += 1000; break;
                case 4: out[id] = -total; if (a[id] % 5 == 0) return; break;
            }
            total += 10000;
        }
        out[id] += total;
    }"""

    def thread(t, m):
        total = 0
        for i in range(6):
            case = (m.a[t.id] + i) % 6
            if case == 0:
                total += 11
            elif case in (1, 2):
                total += 10
            elif case == 3:
                total += 1000
            elif case == 4:
                m.out[t.id] = -total
                if m.a[t.id] % 5 == 0:
                    return
            else:
                total += 100
                if i == 3:
                    continue
                total += 1000
            total += 10000
        m.out[t.id] += total

    check(source, thread, {"a": ints(256), "out": zeros()}, *LINE)


def test_divergent_loop_with_two_exits_that_leave_different_values():
    source = """
    kernel void k(device const int* a, device int* out, uint id [[thread_position_in_grid]]) {
        uint n = uint(a[id]) + 1;
        int steps = 0, why = 0;
        while (n != 1) {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
            if (++steps == 20) { why = 1; break; }
            if (n > 1000) { why = 2; break; }
        }
        out[id] = steps * 10 + why + int(n) * 1000;
    }"""

    def thread(t, m):
        n, steps, why = m.a[t.id] + 1, 0, 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
            if steps == 20:
                why = 1
                break
            if n > 1000:
                why = 2
                break
        m.out[t.id] = steps * 10 + why + n * 1000

    check(source, thread, {"a": ints(256), "out": zeros()}, *LINE)


def test_uniform_loop_inside_a_divergent_branch_and_the_other_way_round():
    source = """
    kernel void k(device const int* a, constant int& n, device int* out, uint id [[thread_position_in_grid]]) {
        int x = a[id];
        if (x % 2 == 1) {
            for (int i = 0; i < n; i++) { if (x % 7 == i) continue; x += i; }
        } else {
            for (int i = 0; i < n; i++) for (int j = 0; j < x % 4; j++) x += i ^ j;
        }
        for (int i = 0; i < n; i++) if (x % 3 == 0) { int y = x; while (y > 10) y /= 3; x += y + 1; } else x--;
        out[id] = x;
    }"""

    def thread(t, m):
        x = m.a[t.id]
        if x % 2 == 1:
            for i in range(m.n[0]):
                if x % 7 == i:
                    continue
                x += i
        else:
            for i in range(m.n[0]):
                j = 0
                while j < x % 4:
                    x += i ^ j
                    j += 1
        for _ in range(m.n[0]):
            if x % 3 == 0:
                y = x
                while y > 10:
                    y //= 3
                x += y + 1
            else:
                x -= 1
        m.out[t.id] = x

    check(source, thread, {"a": ints(256), "n": np.array([9], np.int32), "out": zeros()}, *LINE)


def test_lanes_that_are_off_neither_load_nor_store_nor_divide():
    source = """
    kernel void k(device const int* a, constant int& n, device int* out, uint id [[thread_position_in_grid]]) {
        long far = long(id) * 4000000000l;
        if (int(id) < n && a[id + far / 1] >= 0) out[far + id] = 5;
        int d = a[id] % 4, x = 0;
        if (d != 0) x = 100 / d;
        x += d == 0 ? 7 : (1000 % d);
        for (int i = 3; i > d; i--) x += 60 / (i - d);
        if (id != 0) out[id] = x;
    }"""

    def thread(t, m):
        if t.id < m.n[0]:
            m.out[t.id] = 5
        d, x = m.a[t.id] % 4, 0
        if d != 0:
            x = 100 // d
        x += 7 if d == 0 else 1000 % d
        for i in range(3, d, -1):
            x += 60 // (i - d)
        if t.id != 0:
            m.out[t.id] = x

    check(source, thread, {"a": ints(256), "n": np.array([1], np.int32), "out": zeros()}, *LINE)


# ---- Barriers ----


def test_barrier_in_a_loop_in_a_loop():
    source = """
    kernel void k(device const int* a, constant int& n, device int* out, uint id [[thread_position_in_grid]],
                  uint index [[thread_index_in_threadgroup]], uint count [[threads_per_threadgroup]]) {
        threadgroup int t[128];
        int x = a[id];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                t[index] = x;
                threadgroup_barrier(mem_flags::mem_threadgroup);
                x = x / 2 + t[(index + i + 1) % count] - t[(index + j) % count];
                threadgroup_barrier(mem_flags::mem_threadgroup);
            }
            x += i;
        }
        out[id] = x;
    }"""

    def thread(t, m):
        x = m.a[t.id]
        for i in range(m.n[0]):
            for j in range(i + 1):
                m.shared[t.index] = x
                yield MEET(1)
                half = abs(x) // 2 * (1 if x >= 0 else -1)
                x = half + m.shared[(t.index + i + 1) % t.count] - m.shared[(t.index + j) % t.count]
                yield MEET(2)
            x += i
        m.out[t.id] = x

    check(source, thread, {"a": ints(256), "n": np.array([4], np.int32), "out": zeros()}, *GROUPS)


def test_barrier_under_branches_that_a_buffer_decides():
    source = """
    kernel void k(device const int* plan, device int* out, uint id [[thread_position_in_grid]],
                  uint index [[thread_index_in_threadgroup]], uint count [[threads_per_threadgroup]],
                  uint group [[threadgroup_position_in_grid]]) {
        threadgroup int t[128];
        int x = int(id);
        for (int step = 0; plan[step] >= 0; step++) {
            if (plan[step] == 1) {
                t[index] = x;
                threadgroup_barrier(mem_flags::mem_threadgroup);
                x += t[count - 1 - index];
                threadgroup_barrier(mem_flags::mem_threadgroup);
            } else if (plan[step] == 2) {
                if (x % 2 == 0) x++; else x *= 3;
                continue;
            } else if (plan[step] == 3 && group == 1) {
                break;
            } else {
                threadgroup_barrier(mem_flags::mem_none);
            }
            x -= step;
        }
        out[id] = x;
    }"""

    def thread(t, m):
        x, step = t.id, -1
        while True:
            step += 1
            if not m.plan[step] >= 0:
                break
            if m.plan[step] == 1:
                m.shared[t.index] = x
                yield MEET(1)
                x += m.shared[t.count - 1 - t.index]
                yield MEET(2)
            elif m.plan[step] == 2:
                x = x + 1 if x % 2 == 0 else x * 3
                continue
            elif m.plan[step] == 3 and t.group[0] == 1:
                break
            else:
                yield MEET(3)
            x -= step
        m.out[t.id] = x

    plan = np.array([1, 2, 0, 1, 2, 3, 1, 1, -1], np.int32)
    check(source, thread, {"plan": plan, "out": zeros()}, *GROUPS)


def test_whole_threadgroups_return_before_a_barrier():
    source = """
    kernel void k(constant int& limit, device int* out, uint id [[thread_position_in_grid]],
                  uint index [[thread_index_in_threadgroup]], uint count [[threads_per_threadgroup]],
                  uint group [[threadgroup_position_in_grid]]) {
        threadgroup int t[128];
        out[id] = -1;
        if (int(group) == limit) return;
        t[index] = int(id * id);
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (int i = 0; i < 3; i++) {
            if (i == 2 && group % 2 == 0) { out[id] = -2; return; }
            int x = t[(index + 1) % count];
            threadgroup_barrier(mem_flags::mem_threadgroup);
            t[index] = x + i;
            threadgroup_barrier(mem_flags::mem_threadgroup);
        }
        out[id] = t[index];
    }"""

    def thread(t, m):
        m.out[t.id] = -1
        if t.group[0] == m.limit[0]:
            return
        m.shared[t.index] = t.id * t.id
        yield MEET(1)
        for i in range(3):
            if i == 2 and t.group[0] % 2 == 0:
                m.out[t.id] = -2
                return
            x = m.shared[(t.index + 1) % t.count]
            yield MEET(2)
            m.shared[t.index] = x + i
            yield MEET(3)
        m.out[t.id] = m.shared[t.index]

    check(source, thread, {"limit": np.array([2], np.int32), "out": zeros()}, ((96,), (16,)), ((100,), (32,)))


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


def test_tree_reduction():
    source = """
    kernel void k(device const int* a, device int* out, uint id [[thread_position_in_grid]],
                  uint index [[thread_index_in_threadgroup]], uint count [[threads_per_threadgroup]],
                  uint group [[threadgroup_position_in_grid]]) {
        threadgroup int t[64];
        t[index] = a[id];
        for (uint stride = count / 2; stride > 0; stride /= 2) {
            threadgroup_barrier(mem_flags::mem_threadgroup);
            if (index < stride) t[index] += t[index + stride];
        }
        if (index == 0) out[group] = t[0];
    }"""

    def thread(t, m):
        m.shared[t.index] = m.a[t.id]
        stride = t.count // 2
        while stride > 0:
            yield MEET(1)
            if t.index < stride:
                m.shared[t.index] += m.shared[t.index + stride]
            stride //= 2
        if t.index == 0:
            m.out[t.group[0]] = m.shared[0]

    check(source, thread, {"a": ints(256), "out": zeros()}, ((256,), (64,)), ((64,), (16,)), ((4,), (1,)), ((6,), (2,)))


def test_loop_that_goes_on_until_shared_memory_says_stop():
    """Odd-even sort; whether it goes on is uniform only because all threads read the same element."""
    source = """
    kernel void k(device const int* a, device int* out, uint id [[thread_position_in_grid]],
                  uint index [[thread_index_in_threadgroup]], uint count [[threads_per_threadgroup]]) {
        threadgroup int t[128];
        threadgroup int changed;
        t[index] = a[id];
        int rounds = 0;
        do {
            threadgroup_barrier(mem_flags::mem_threadgroup);
            if (index == 0) changed = 0;
            threadgroup_barrier(mem_flags::mem_threadgroup);
            for (uint odd = 0; odd < 2; odd++) {
                if (index % 2 == odd && index + 1 < count && t[index] > t[index + 1]) {
                    int x = t[index]; t[index] = t[index + 1]; t[index + 1] = x;
                    changed = 1;
                }
                threadgroup_barrier(mem_flags::mem_threadgroup);
            }
            rounds++;
        } while (changed != 0);
        out[id] = t[index] * 100 + rounds;
    }"""

    def thread(t, m):
        m.shared[t.index] = m.a[t.id]
        rounds = 0
        while True:
            yield MEET(1)
            if t.index == 0:
                m.shared["changed"] = 0
            yield MEET(2)
            for odd in range(2):
                if t.index % 2 == odd and t.index + 1 < t.count and m.shared[t.index] > m.shared[t.index + 1]:
                    m.shared[t.index], m.shared[t.index + 1] = m.shared[t.index + 1], m.shared[t.index]
                    m.shared["changed"] = 1
                yield MEET(3)
            rounds += 1
            if m.shared["changed"] == 0:
                break
        m.out[t.id] = m.shared[t.index] * 100 + rounds

    check(source, thread, {"a": ints(256), "out": zeros()}, ((32,), (16,)), ((20,), (10,)), ((33,), (33,)))


def test_barrier_inside_helpers_that_take_threadgroup_pointers():
    source = """
    static int shift(threadgroup int* t, int x, uint index, uint count) {
        t[index] = x;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        int y = t[(index + 1) % count];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        return y;
    }
    template <typename T> void twice(threadgroup T* t, thread T& x, uint index, uint count) {
        for (int i = 0; i < 2; i++) x = shift(t, x, index, count) + i;
    }
    kernel void k(device const int* a, device int* out, uint id [[thread_position_in_grid]],
                  uint index [[thread_index_in_threadgroup]], uint count [[threads_per_threadgroup]]) {
        threadgroup int t[128], u[128];
        int x = a[id];
        twice(t, x, index, count);
        int y = shift(u, x, index, count);
        if (count > 8) twice(u, y, index, count);
        out[id] = x * 1000 + y;
    }"""

    def shift(t, m, name, x):
        m.shared[name, t.index] = x
        yield MEET(name)
        y = m.shared[name, (t.index + 1) % t.count]
        yield MEET(name)
        return y

    def thread(t, m):
        x = m.a[t.id]
        for i in range(2):
            x = (yield from shift(t, m, "t", x)) + i
        y = yield from shift(t, m, "u", x)
        if t.count > 8:
            for i in range(2):
                y = (yield from shift(t, m, "u", y)) + i
        m.out[t.id] = x * 1000 + y

    check(source, thread, {"a": ints(256), "out": zeros()}, *GROUPS)


def test_bitonic_sort_in_threadgroup_memory():
    source = """
    kernel void k(device int* out, threadgroup int* t [[threadgroup(0)]], uint id [[thread_position_in_grid]],
                  uint index [[thread_index_in_threadgroup]], uint count [[threads_per_threadgroup]]) {
        t[index] = out[id];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (uint size = 2; size <= count; size <<= 1)
            for (uint stride = size >> 1; stride > 0; stride >>= 1) {
                uint other = index ^ stride;
                if (other > index) {
                    bool up = (index & size) == 0;
                    int x = t[index], y = t[other];
                    if ((x > y) == up) { t[index] = y; t[other] = x; }
                }
                threadgroup_barrier(mem_flags::mem_threadgroup);
            }
        out[id] = t[index];
    }"""

    def thread(t, m):
        m.shared[t.index] = m.out[t.id]
        yield MEET(1)
        size = 2
        while size <= t.count:
            stride = size >> 1
            while stride > 0:
                other = t.index ^ stride
                if other > t.index:
                    x, y = m.shared[t.index], m.shared[other]
                    if (x > y) == ((t.index & size) == 0):
                        m.shared[t.index], m.shared[other] = y, x
                yield MEET(2)
                stride >>= 1
            size <<= 1
        m.out[t.id] = m.shared[t.index]

    check(source, thread, {"out": ints(256)}, ((256,), (64,)), ((64,), (16,)), ((8,), (4,)), t=512)


def test_barrier_in_a_switch_that_all_take_together():
    source = """
    kernel void k(device int* out, uint id [[thread_position_in_grid]], uint index [[thread_index_in_threadgroup]],
                  uint count [[threads_per_threadgroup]], uint group [[threadgroup_position_in_grid]]) {
        threadgroup int t[128];
        t[index] = int(index);
        int x = 0;
        switch (group) {
            case 0:
                threadgroup_barrier(mem_flags::mem_threadgroup);
                x = t[(index + 1) % count];
            case 1:
                threadgroup_barrier(mem_flags::mem_threadgroup);
                x += t[(index + 2) % count] * 100;
                break;
            case 2: x = -1; break;
            default:
                for (uint i = 0; i < group; i++) threadgroup_barrier(mem_flags::mem_threadgroup);
                x = t[count - 1 - index];
        }
        out[id] = x;
    }"""

    def thread(t, m):
        m.shared[t.index] = t.index
        x, group = 0, t.group[0]
        if group == 0:
            yield MEET(1)
            x = m.shared[(t.index + 1) % t.count]
        if group in (0, 1):
            yield MEET(2)
            x += m.shared[(t.index + 2) % t.count] * 100
        elif group == 2:
            x = -1
        else:
            for _ in range(group):
                yield MEET(3)
            x = m.shared[t.count - 1 - t.index]
        m.out[t.id] = x

    check(source, thread, {"out": zeros()}, ((96,), (16,)), ((200,), (40,)))


def test_divergent_return_after_the_last_barrier():
    source = """
    kernel void k(device const int* a, device int* out, uint id [[thread_position_in_grid]],
                  uint index [[thread_index_in_threadgroup]], uint count [[threads_per_threadgroup]]) {
        threadgroup int t[128];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        t[index] = a[id];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
        if (t[index] % 3 == 0) return;
        for (uint i = 0; i < count; i++)
            for (uint j = 0; j < i; j++) if (t[i] + t[j] == t[index]) { out[id] = int(i * 1000 + j); return; }
        out[id] = -1;
    }"""

    def thread(t, m):
        yield MEET(1)
        m.shared[t.index] = m.a[t.id]
        yield MEET(2)
        yield MEET(3)
        if m.shared[t.index] % 3 == 0:
            return
        for i in range(t.count):
            for j in range(i):
                if m.shared[i] + m.shared[j] == m.shared[t.index]:
                    m.out[t.id] = i * 1000 + j
                    return
        m.out[t.id] = -1

    check(
        source, thread, {"a": ints(256), "out": zeros()}, ((64,), (32,)), ((80,), (40,)), ((50,), (40,)), ((8,), (8,))
    )


def test_transpose_through_a_tile_with_edges():
    source = """
    kernel void k(device const int* a, device int* out, uint2 place [[thread_position_in_grid]],
                  ushort2 local [[thread_position_in_threadgroup]], ushort2 size [[threads_per_threadgroup]],
                  uint2 grid [[threads_per_grid]], uint2 group [[threadgroup_position_in_grid]]) {
        threadgroup int t[40][40];
        t[local.y][local.x] = a[place.y * grid.x + place.x];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        out[place.y * grid.x + place.x] = t[size.y - 1 - local.y][size.x - 1 - local.x] * 10 + int(group.x + group.y);
    }"""

    def thread(t, m):
        at = t.gid[1] * t.grid[0] + t.gid[0]
        m.shared[t.lid[1], t.lid[0]] = m.a[at]
        yield MEET(1)
        m.out[at] = m.shared[t.size[1] - 1 - t.lid[1], t.size[0] - 1 - t.lid[0]] * 10 + t.group[0] + t.group[1]

    check(source, thread, {"a": ints(256), "out": zeros()}, *SQUARE)


def test_histogram_with_threadgroup_atomics():
    source = """
    kernel void k(device const int* a, device atomic_int* out, uint id [[thread_position_in_grid]],
                  uint index [[thread_index_in_threadgroup]], uint count [[threads_per_threadgroup]]) {
        threadgroup atomic_int bins[10];
        for (uint i = index; i < 10; i += count) atomic_store_explicit(&bins[i], 0, memory_order_relaxed);
        threadgroup_barrier(mem_flags::mem_threadgroup);
        if (a[id] % 2 == 0) atomic_fetch_add_explicit(&bins[a[id] % 10], 1, memory_order_relaxed);
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (uint i = index; i < 10; i += count) {
            int found = atomic_load_explicit(&bins[i], memory_order_relaxed);
            if (found) atomic_fetch_add_explicit(&out[i], found, memory_order_relaxed);
        }
    }"""

    def thread(t, m):
        if m.a[t.id] % 2 == 0:
            m.out[m.a[t.id] % 10] += 1

    check(source, thread, {"a": ints(256), "out": zeros(10)}, *GROUPS)


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


def test_threads_of_a_group_exchange_through_device_memory():
    source = """
    kernel void k(device int* out, uint id [[thread_position_in_grid]], uint index [[thread_index_in_threadgroup]],
                  uint count [[threads_per_threadgroup]]) {
        device int* mine = out + (id - index);
        for (int i = 0; i < 4; i++) {
            int x = mine[(index + 1) % count];
            threadgroup_barrier(mem_flags::mem_device);
            mine[index] = x * 3 + i;
            threadgroup_barrier(mem_flags::mem_device);
        }
    }"""

    def thread(t, m):
        first = t.id - t.index
        for i in range(4):
            x = m.out[first + (t.index + 1) % t.count]
            yield MEET(1)
            m.out[t.id] = x * 3 + i
            yield MEET(2)

    check(source, thread, {"out": ints(256)}, *GROUPS)


# ---- Everything else that a lane may hold ----


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
                  uint3 groups [[threadgroups_per_grid]], ushort index [[thread_index_in_threadgroup]]) {
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
