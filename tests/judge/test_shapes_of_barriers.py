# SPDX-License-Identifier: MIT
"""Barriers in the places that are hard to compile, each kernel beside the same thread in Python."""

from __future__ import annotations

import numpy as np

from .by_hand import GROUPS, MEET, SQUARE, check, ints, zeros


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
