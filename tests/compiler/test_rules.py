# SPDX-License-Identifier: MIT
"""What Metal forbids: whole messages, carets included."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Service

Run = Callable[..., subprocess.CompletedProcess[str]]


USUAL = "#include <metal_stdlib>\nusing namespace metal;\n"


def read_rules() -> dict[str, tuple[str, str]]:
    """Read name, source and message of each."""
    found = {}
    for block in Path(__file__).with_name("rules.txt").read_text().split("\n=== ")[1:]:
        name, rest = block.split("\n", 1)
        source, message = rest.split("---\n", 1)
        found[name] = source.replace("<usual>\n", USUAL), message.rstrip("\n") + "\n"
    return found


FORBIDDEN = read_rules()


@pytest.mark.parametrize("name", FORBIDDEN)
def test_forbidden(run: Run, name: str) -> None:
    source, message = FORBIDDEN[name]
    result = run(source)
    # A line of carets may end in spaces, which editors drop.
    assert "".join(f"{line.rstrip()}\n" for line in result.stderr.splitlines()) == message
    assert result.returncode == 1


def test_the_documentation_lists_every_rule() -> None:
    table = (Path(__file__).parents[2] / "docs" / "language-rules.md").read_text()
    rows = re.findall(r"^\| [^|]+ \| [\d.]+ \| ([^|]+) \|$", table, re.MULTILINE)
    assert [name for row in rows for name in row.split("; ")] == list(FORBIDDEN)


LEGAL = {
    "an array of samplers": (
        USUAL + "constexpr array<sampler, 2> samplers = {sampler(address::clamp_to_zero), sampler(coord::pixel)};\n"
        "kernel void f(texture2d<float> t, device float4* a, constant int& i) { *a = t.sample(samplers[i], 0.5f); }\n"
    ),
    "derived structs": "struct A { float x; };\nstruct B : A { float y; };\nvoid f(thread B& b) { b.x = b.y; }\n",
    "recursion of a constexpr function": (
        "constexpr int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }\n"
        "void f(device int* a) { int x[sum(3)]; *a = x[5]; }\n"
    ),
    "lambdas": "void f(device float* a) { float y = 2; auto g = [&](float x) { return x * y; }; a[0] = g(a[1]); }\n",
    "function pointers": (
        "float g(float x) { return x; }\nvoid f(device float* a) { float (*p)(float) = g; *a = p(1); }\n"
    ),
    "functions as template arguments": (
        "float g(float x) { return x; }\ntemplate <float (*op)(float)> float h(float x) { return op(x); }\n"
        "void f(device float* a) { a[0] = h<g>(a[1]); }\n"
    ),
    "pointers to members": "struct A { float x; };\nfloat f(A a) { float A::*p = &A::x; return a.*p; }\n",
    "noexcept": "float f(float x) noexcept { return noexcept(x) ? x : 0; }\n",
    "unions with constructors": "union U { float f; int i; U() { f = 1; } };\nint f() { U u; return u.i; }\n",
    "bit-fields": "struct S { uint a : 3; uint b : 29; };\nuint f(device S* s) { return s->a + s->b; }\n",
    "destructors": "struct S { int x; ~S() { x = 0; } };\nint f() { S s; s.x = 1; return s.x; }\n",
    "range-based loops": "float f() { float v[] = {1, 2}; float s = 0; for (float x : v) s += x; return s; }\n",
    "structured bindings": "struct P { int x, y; };\nint f(P p) { auto [x, y] = p; return x + y; }\n",
    "if constexpr and folds": (
        "template <typename... T> int f(T... v) { if constexpr (sizeof...(v) > 1) return (v + ...); else return 0; }\n"
        "int g() { return f(1, 2, 3) + f(1); }\n"
    ),
    "enumerations of a type": "enum class E : ushort { a, b };\nvoid f(device E* e) { *e = E::b; }\n",
    "wide characters": "int f() { return L'a' + u'b' + U'c'; }\n",
    "constant arrays of functions": "int f(int i) { static constant int t[] = {1, 2, 3}; return t[i]; }\n",
    "constant members": "struct S { static constexpr constant int k = 3; };\nint f() { return S::k; }\n",
    "pointers to pointers": "void f(device int* thread* p) { **p = 1; }\n",
    "unused declarations": (
        "float later(float x);\ntemplate <typename T> T never();\nusing N = decltype(never<int>());\n"
    ),
    "recursion of templates": (
        "template <int n> int f() { return n + f<n - 1>(); }\ntemplate <> int f<0>() { return 0; }\n"
        "int g() { return f<5>(); }\n"
    ),
    "a last call of itself": "int f(int n, int s) { return n == 0 ? s : f(n - 1, s + n); }\n",
    "threadgroup pointers in structs": "struct S { threadgroup float* p; };\nvoid f(S s) { s.p[0] = 1; }\n",
    "pointers to pointers without a space of their own": "void f(device int** p, thread int** q) { **p = **q; }\n",
    "pragma once": "#pragma once\nint f() { return 1; }\n",
}


@pytest.mark.parametrize("name", LEGAL)
def test_what_is_legal_is_not_refused(run: Run, name: str) -> None:
    result = run(LEGAL[name], "--show", "ir", "--emit-library")
    assert (result.returncode, "error" in result.stderr) == (0, False), result.stderr


def test_a_program_is_no_part_of_the_library(run: Run) -> None:
    for space in ("clang", "GCC"):
        assert (
            "'double' is not supported"
            in run(f"#pragma {space} system_header\nfloat f() {{ double x = 1; return x; }}\n").stderr
        )


def test_lambdas_are_refused_before_metal_3_2(service: Service) -> None:
    source = "int f() { return [] { return 1; }(); }"
    assert service.compile(source, language_version=3 << 16 | 2) == (True, "")
    refused = service.compile(source, language_version=3 << 16 | 1)
    assert refused is not None
    assert "program_source:1:18: error: lambda expressions are not supported before Metal 3.2" in refused[1]


def test_rule_speaks_once_for_all_instantiations(run: Run) -> None:
    result = run(
        "template <typename T> T half_of(T x) { double y = x; return y / 2; }\n"
        "kernel void f(device float* a, device int* b) { a[0] = half_of(a[0]); b[0] = half_of(b[0]); }\n"
    )
    assert result.stderr.count("'double' is not supported in Metal") == 1


def test_thread_may_stand_on_either_side_and_in_template_arguments(run: Run) -> None:
    result = run(
        "template <typename T> struct box { T value; };\n"
        "void f(thread float* a, float thread* b, const thread float* c, thread box<float>& d, box<thread int*> e) {\n"
        "    *a = *b + *c + d.value + *e.value;\n"
        "}\n"
        "template <typename T> void g(T& x) { x = 1; }\n"
        "void h(device float* p) { g(*p); }\n"
    )
    assert (result.returncode, result.stderr) == (0, "")


def test_numbers_with_a_point_are_floats(run: Run) -> None:
    source = 'void f() { auto x = 2.5; static_assert(sizeof(x) == 4, ""); (void)x; }'
    assert (run(source).returncode, run(source).stderr) == (0, "")
