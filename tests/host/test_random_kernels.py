# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (kernels are kept dense)
"""Random kernels of nested divergent control flow, arrays and barriers against the slow reference.

HOST_RANDOM_KERNELS=500 tries that many instead of a few; HOST_RANDOM_SEED starts elsewhere."""

from __future__ import annotations

import os
import random

import numpy as np
import pytest
from host_kernels import LINEAR, ROWS, HostKernel

COUNT = int(os.environ.get("HOST_RANDOM_KERNELS", "12"))
SEED = int(os.environ.get("HOST_RANDOM_SEED", "1"))
TYPES = ("int", "uint", "short", "uchar", "long")


class Writer:
    """Writes one kernel. Barriers stand only where every thread comes that has not returned."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.depth = 0
        self.loops: list[bool] = []  # from the outside in: all threads go round it equally often
        self.counter = 0
        self.uniform = True  # all threads of the group are here
        self.barriers = self.random.random() < 0.6
        self.budget = 26

    def pick(self, *choices: object) -> object:
        return self.random.choice(choices)

    def atom(self) -> str:
        variable = self.random.randrange(5)
        return str(self.pick(f"v{variable}", f"v{variable}", "i", "t", "n", self.random.randrange(-9, 99), "s", f"a[{self.index(8)}]",
                             f"in[{self.index(64)}]", "m"))  # fmt: skip

    def index(self, size: int) -> str:
        variable = self.random.randrange(5)
        return str(
            self.pick(
                f"(v{variable} & {size - 1})", self.random.randrange(size), f"(t & {size - 1})", f"(s & {size - 1})"
            )
        )

    def value(self, depth: int = 0) -> str:
        if depth > 2 or self.random.random() < 0.3:
            return self.atom()
        a, b = self.value(depth + 1), self.value(depth + 1)
        operator = self.pick("+", "-", "*", "^", "&", "|", "+", "-")
        return str(self.pick(f"({a} {operator} {b})", f"({a} {operator} {b})", f"(({a}) >> {self.random.randrange(9)})",
                             f"({self.condition(depth + 1)} ? {a} : {b})", f"(int)(({self.pick(*TYPES)})({a}))",
                             f"({a} / (({b}) | 1 | 2))" , f"((uint){a} % ((uint)({b}) | 1u))", f"(({a}) << {self.random.randrange(5)})"))  # fmt: skip

    def condition(self, depth: int = 0) -> str:
        a, b = self.value(depth + 1), self.atom()
        return str(
            self.pick(f"({a} < {b})", f"(({a} & {self.pick(1, 3, 4)}) == 0)", f"({a} != {b})", f"((uint){a} > 77u)")
        )

    def uniform_condition(self) -> str:
        return str(
            self.pick(
                f"(m > {self.random.randrange(9)})", "(s & 1)", f"((s ^ m) > {self.random.randrange(9)})", "(n > 40)"
            )
        )

    def block(self) -> str:
        self.depth += 1
        text = " ".join(self.statement() for _ in range(self.random.randrange(1, 4)))
        self.depth -= 1
        return "{ " + text + " }"

    def apart(self) -> str:
        before, self.uniform = self.uniform, False
        text = self.block()
        self.uniform = before
        return text

    def loop(self, uniform: bool) -> str:
        self.counter += 1
        name = f"k{self.counter}"
        bound = str(self.random.randrange(1, 5)) if uniform else f"(({self.atom()}) & 7)"
        extra = "" if uniform else str(self.pick("", f" && {self.condition()}"))
        self.loops.append(uniform)
        body = self.block() if uniform else self.apart()
        self.loops.pop()
        step = "s += 3; " if uniform and self.uniform else ""
        return f"for (int {name} = 0; {name} < {bound}{extra}; {name}++) {{ {step}v{self.random.randrange(5)} += {name}; {body} }}"

    def statement(self) -> str:
        self.budget -= 1
        variable = f"v{self.random.randrange(5)}"
        assign = f"{variable} {self.pick('=', '+=', '^=')} {self.value()};"
        if self.budget < 0 or self.depth > 4:
            return assign
        kind = self.random.random()
        if kind < 0.28:
            return assign
        if kind < 0.36:
            return f"a[{self.index(8)}] {self.pick('=', '+=')} {self.value()};"
        if kind < 0.50:
            other = f" else {self.apart()}" if self.random.random() < 0.5 else ""
            return f"if {self.condition()} {self.apart()}{other}"
        if kind < 0.58:
            other = f" else {self.block()}" if self.random.random() < 0.5 else ""
            return f"if {self.uniform_condition()} {self.block()}{other}"
        if kind < 0.68:
            return self.loop(uniform=False)
        if kind < 0.76:
            return self.loop(uniform=True)
        if kind < 0.82 and self.loops and not self.loops[-1]:
            return f"if {self.condition()} {self.pick('break', 'continue')};"
        if kind < 0.86:
            cases = " ".join(f"case {c}: {self.apart()} {self.pick('break;', '')}" for c in range(3))
            return f"switch ({self.value()} & 3) {{ {cases} default: {self.apart()} }}"
        if kind < 0.89 and not self.uniform:
            return f"if {self.condition()} {{ out[i] = {self.value()}; return; }}"
        if kind < 0.97 and self.barriers and self.uniform:
            size = f"(({self.index(64)}) % g)"
            return f"barrier(); tile[t] = {self.value()}; barrier(); {variable} ^= tile[{size}]; barrier();"
        return assign

    def kernel(self) -> str:
        statements = " ".join(self.statement() for _ in range(self.random.randrange(4, 9)))
        total = " + ".join(f"v{k} * {2 * k + 1}" for k in range(5)) + " + a[0] + a[(t + 3) & 7]"
        return f"""
static THREADGROUP int tile[1024];
KERNEL(test) {{
  DEVICE int* out = device<int>(0); DEVICE int* in = device<int>(1); int i = gid(), t = flat(), n = gridSize(), g = groupSize(0) * groupSize(1);
  int m = constant<int>(2)[1], s = constant<int>(2)[2]; (void)m; (void)g; int a[8]; for (int k = 0; k < 8; k++) a[k] = in[(i + k) & 63];
  int v0 = in[i], v1 = i * 3, v2 = n - t, v3 = 1, v4 = s; tile[t] = v0; {"barrier();" if self.barriers else ""}
  {statements}
  out[i] = {total}; }}"""


@pytest.mark.parametrize("seed", range(SEED, SEED + COUNT))
def test_random_kernel(seed, tmp_path_factory):
    kernel = HostKernel(Writer(seed).kernel(), tmp_path_factory.getbasetemp(), ("-Wno-everything",))
    values = np.random.default_rng(seed).integers(-(2**31), 2**31, 400).astype(np.int32)
    values[::2] &= 31
    for grid, threadgroup, mapping, width in [(200, 64, ROWS, 32), (90, 45, LINEAR, 8)]:
        kernel.check(
            [np.zeros(grid, np.int32), values, np.array([1, 6, 9], np.int32)], grid, threadgroup, mapping, width
        )
