# SPDX-License-Identifier: MIT
"""Control flow that threads take different ways through, each kernel beside the same thread in Python."""

from __future__ import annotations

import numpy as np

from .by_hand import LINE, check, ints, zeros


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


def test_what_the_round_before_left_is_not_what_this_one_makes():
    source = """
    kernel void k(device const int* a, device int* out, uint id [[thread_position_in_grid]]) {
        int total = 0, before;
        for (int i = 0; i < a[id] % 13; i++) {
            int now = a[(id + i) % 64] * (i + 1);
            if (now % 5 == 0) total += 1000;
            if (i > 0) total += before;
            if (now % 3 == 0) total -= i;
            before = now;
        }
        out[id] = total;
    }"""

    def thread(t, m):
        total, before = 0, None
        for i in range(m.a[t.id] % 13):
            now = m.a[(t.id + i) % 64] * (i + 1)
            if now % 5 == 0:
                total += 1000
            if i > 0:
                total += before
            if now % 3 == 0:
                total -= i
            before = now
        m.out[t.id] = total

    check(source, thread, {"a": ints(256), "out": zeros()}, *LINE)
