# SPDX-License-Identifier: MIT
"""Legal Metal: attributes, address spaces, templates, reflection, function constants."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

STDLIB = "#include <metal_stdlib>\nusing namespace metal;\n"

ACCEPTED = {
    "attribute forms": "[[kernel]] void f(device int* a) {}\nkernel void g(device int* a) {}\n",
    "host name before a template instantiation": (
        "template <typename T> kernel void add(device T* a) { a[0] += 1; }\n"
        'template [[host_name("add_f")]] [[kernel]] void add<float>(device float*);\n'
        'template [[host_name("add_i")]] kernel void add<int>(device int*);\n'
        "#define INSTANTIATE(n, T) template [[host_name(n)]] [[kernel]] decltype(add<T>) add<T>;\n"
        'INSTANTIATE("add_s", short)\n'
    ),
    "indices that are names": (
        "enum { inputIndex = 2 };\nconstant constexpr int outputIndex = 3;\n"
        "kernel void f(device int* a [[buffer(inputIndex)]], device int* b [[buffer(outputIndex)]]) {}\n"
        "template <int N> kernel void g(device int* a [[buffer(N)]]) {}\n"
        'template [[host_name("g5")]] kernel void g<5>(device int*);\n'
    ),
    "overloads on address spaces": (
        "int space(device int*) { return 1; }\nint space(constant int*) { return 2; }\n"
        "int space(threadgroup int*) { return 3; }\nint space(thread int*) { return 4; }\n"
        "kernel void f(device int* a, constant int* b, threadgroup int* c [[threadgroup(0)]]) {\n"
        "    int d; a[0] = space(a) + space(b) + space(c) + space(&d);\n}\n"
    ),
    "literals without a suffix are floats": (
        "#include <metal_stdlib>\nusing namespace metal;\n"
        "template <typename T> T half_of(T a) {\n"
        "    static_assert(is_same_v<decltype(0.5 * a), T> && is_same_v<decltype(2. * 1e-3), float>);\n"
        "    return sqrt(0.5 * a) + .5 + 0x1.8p3;\n}\n"
        "static_assert(is_same_v<decltype(1.0), float> && 0xe == 14 && 1.5F == 1.5);\n"
        "kernel void f(device float* a) { a[0] = half_of(a[1]); }\n"
    ),
    "conditionals between address spaces": (
        "#include <metal_stdlib>\nusing namespace metal;\nstruct S { int a; float3 b; };\n"
        "kernel void f(device const float4* a, constant float4& b, device float4* c, constant S* s, device int* n) {\n"
        "    c[0] = n[0] ? a[1] : float4(0); c[1] = n[1] ? float4(0) : b; c[2] = n[2] ? a[0] : n[3] ? c[1] : b;\n"
        "    S r = n[4] ? s[0] : S{1, float3(2)};\n"
        "    device int* p = n[5] ? n + 1 : nullptr; device int* q = n[6] ? 0 : n;\n"
        "    int x = 1, y = 2; (n[7] ? x : y) = r.a; n[8] = p ? *q : x + y; n[9] ? (void)x++ : (void)y;\n}\n"
    ),
    "threadgroup variables of kernels and templates of them": (
        "void helper(int i, threadgroup int (&shared)[4]) { shared[i] = 1; }\n"
        "template <typename T> kernel void generic(T device* i) { threadgroup T shared[4]; *shared = *i; }\n"
        'template [[host_name("g")]] kernel void generic(device float*);\n'
        "kernel void f(device int* a) { threadgroup int s[4]; helper(1, s); }\n"
    ),
    "casts to threadgroup pointers": (
        "struct P { float a; };\n"
        "void helper(threadgroup int* t) { const threadgroup P* q = (const threadgroup P*)t; t[0] = q->a; }\n"
        "kernel void f(device int* a) {\n"
        "    threadgroup uint x, y[2]; int threadgroup z; *(threadgroup int*)&x = 1; *(int threadgroup*)y = 2;\n"
        "    *reinterpret_cast<threadgroup float*>(&x) = 2; helper((threadgroup int*)y); helper(&z);\n}\n"
    ),
    "methods in address spaces": (
        "template <typename T, int N> struct Array {\n"
        "    T elements[N];\n"
        "    thread T& operator[](int i) thread { return elements[i]; }\n"
        "    device T& operator[](int i) device { return elements[i]; }\n"
        "    constant T& operator[](int i) constant { return elements[i]; }\n"
        "    const threadgroup T& operator[](int i) const threadgroup { return elements[i]; }\n"
        "};\n"
        "kernel void f(device Array<int, 4>* a, constant Array<int, 4>& c) {\n"
        "    threadgroup Array<int, 4> s; Array<int, 4> t; t[0] = c[1]; device int& r = a[0][1]; r = t[0] + s[2];\n}\n"
    ),
    "copies out of every space": (
        "struct P { float x; int y[3]; };\n"
        "kernel void f(device P* a, constant P& b) { P p = a[0]; p = b; a[1] = p; a[2] = b; threadgroup P s; s = p; }\n"
    ),
    "shift and condition before an address space": (
        "kernel void f(device int* a, int i [[thread_position_in_grid]]) {}\n".replace("int i", "uint i")
        + "void g(device int* a) { if (a[0]) device int* p = a; device int* q = (device int*)a; *q = 1; }\n"
    ),
    "kernels without external linkage": "static kernel void f() {}\nnamespace { kernel void g() {} }\n",
    "a kernel in a namespace": "namespace ns { kernel void f() {} }\n",
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(run: Run, name: str) -> None:
    result = run(ACCEPTED[name], "--show", "ir", "--emit-library")
    assert (result.returncode, "error" in result.stderr) == (0, False), result.stderr


def test_kernels_of_templates_are_named_by_host_name(run: Run) -> None:
    result = run(ACCEPTED["host name before a template instantiation"], "--show", "reflection")
    assert [line.split()[1] for line in result.stdout.splitlines() if line.startswith("kernel")] == [
        "add_f",
        "add_i",
        "add_s",
    ]


def test_reflection(run: Run) -> None:
    result = run(
        STDLIB
        + """\
struct P { float4 a; packed_float3 b; float c[3]; half2x2 m; };
[[max_total_threads_per_threadgroup(256)]]
kernel void f(device P* p, constant float3& k [[buffer(4)]], texture2d<float, access::write> t [[texture(1)]],
              texture2d<half> u, sampler s, threadgroup int* tg [[threadgroup(0)]], device atomic_uint* au,
              uint2 g [[thread_position_in_grid]]) {
    p[g.x].c[0] = k.x;
    t.write(float4(1), g);
}
""",
        "--show",
        "reflection",
    )
    assert (
        result.stdout
        == """\
kernel f (line 5, entry __metal_entry_0)
  at most 256 threads
  buffer(0) slot 0: device P* p, read_write, 48 bytes, alignment 16
  buffer(4) slot 1: constant float3& k, read, 16 bytes, alignment 16
  texture(1) slot 2: texture2d<float, access::write> t, write, 8 bytes, alignment 8
  texture(0) slot 3: texture2d<half> u, read, 8 bytes, alignment 8, unused
  sampler(0) slot 4: sampler s, read, 8 bytes, alignment 8, unused
  threadgroup(0) slot 5: threadgroup int* tg, read_write, 4 bytes, alignment 4, unused
  buffer(1) slot 6: device atomic_uint* au, read_write, 4 bytes, alignment 4, unused
struct P: 48 bytes, alignment 16
  0: float4 a
  16: packed_float3 b
  28: float[3] c
  40: half2x2 m
"""
    )


CONSTANTS = """\
constant int n [[function_constant(0)]];
constant bool optional [[function_constant(7)]];
constant int twice = n * 2;
constant int chosen = is_function_constant_defined(optional) ? 10 : 20;
kernel void f(device int* a) { a[0] = twice + n; a[1] = chosen; }
kernel void g(device int* a) { a[0] = 1; }
"""


def test_function_constants_are_reflected(run: Run) -> None:
    result = run(CONSTANTS, "--show", "reflection")
    assert "function constant 0: int n\n" in result.stdout
    assert "function constant 7: bool optional, optional\n" in result.stdout
    kernel_f, kernel_g = result.stdout.split("kernel ")[1:3]
    assert "  function constant 0\n  function constant 7\n" in kernel_f
    assert "  function constant" not in kernel_g


def test_function_constant_without_a_value(run: Run) -> None:
    result = run(CONSTANTS, "--kernel", "f", "--show", "asm")
    assert (result.returncode, result.stderr) == (
        1,
        "function constant 'n' (index 0) has no value: the function uses it\n",
    )


@pytest.mark.parametrize(("options", "second"), [([], 20), (["--constant", "7=true"], 10)])
def test_function_constants_fold_what_depends_on_them(run: Run, options: list[str], second: int) -> None:
    result = run(CONSTANTS, "--kernel", "f", "--show", "ir", "--constant", "0=111", *options)
    assert result.returncode == 0, result.stderr
    assert "333" in result.stdout
    assert f"i32 {second}" in result.stdout


def test_macros_and_included_files(run: Run, tmp_path) -> None:
    (tmp_path / "shared.h").write_text("struct P { float x; };\n")
    result = run('#include "shared.h"\nkernel void f(device P* p) { p[0].x = VALUE; }\n', "-D", "VALUE=3")
    assert (result.returncode, result.stderr) == (0, "")


def test_language_version_macro(run: Run) -> None:
    assert run("#if __METAL_VERSION__ < 300\n#error old\n#endif\n").returncode == 0


def test_shared_object(run: Run, tmp_path) -> None:
    result = run("kernel void f(device int* a, uint i [[thread_position_in_grid]]) { a[i] = 1; }\n", "-o", "f.so")
    assert (result.returncode, result.stderr) == (0, "")
    assert (tmp_path / "f.so").read_bytes()[:4] == b"\x7fELF"


def test_shift_counts_and_divisors_beyond_what_c_defines(run: Run) -> None:
    """Counts are taken modulo the width; a divisor of zero is one."""
    result = run(
        "constant int k = 1 << 33;\n"
        "kernel void f(device int* a) {\n"
        "    a[0] = a[1] << 33; a[1] = a[2] >> -13; a[2] = a[3] / 0; a[3] <<= 40; a[4] = k;\n"
        "}\n",
        "--show",
        "ir",
        "--emit-library",
    )
    assert "poison" not in result.stdout
    for text in ("= shl i32 %1, 1", ", 19\n", "sdiv i32", ", 8\n", "store i32 2,"):
        assert text in result.stdout


def test_reflection_of_vectors_that_nothing_else_uses(run: Run) -> None:
    result = run(STDLIB + "kernel void f(device packed_int3* a, constant ushort3& b) {}\n", "--show", "reflection")
    assert "device packed_int3* a, read_write, 12 bytes, alignment 4, unused\n" in result.stdout
    assert "constant ushort3& b, read, 8 bytes, alignment 8, unused\n" in result.stdout


def test_attributes_in_a_casts_type_are_warned_of(run: Run) -> None:
    """`aligned` says nothing there; generated kernels write it nevertheless."""
    source = "kernel void f(device float* a) { *(device __attribute__((aligned(16))) int*)a = 1; }\n"
    result = run(source, "--show", "reflection")
    assert result.returncode == 0
    assert "warning: 'aligned' attribute ignored when parsing type" in result.stderr


def test_vectors_convert_between_half_and_bfloat(run: Run) -> None:
    source = "kernel void f(device bfloat4* a, device half4* b) { b[0] = half4(a[0]); a[1] = (bfloat4)b[1]; }\n"
    assert run(STDLIB + source, "-o", "f.so").stderr == ""


def test_only_what_is_instantiated_by_name_is_a_function(run: Run) -> None:
    """A type written as decltype(f<half>) makes no kernel of f<half>."""
    source = (
        "template <typename T> kernel void f(device T* a) { a[0] = 1; }\n"
        "typedef decltype(f<half>) type;\n"
        'template [[host_name("g")]] kernel type f<half>;\n'
        "typedef decltype(f<int>) other;\n"
    )
    result = run(source, "--show", "reflection")
    assert [line.split()[1] for line in result.stdout.splitlines() if line.startswith("kernel")] == ["g"]


def test_one_kernel_of_many_with_what_it_leads_to(run: Run) -> None:
    """Only that is read of the library: the constructor of a constant and a helper's helper belong to it."""
    source = (
        "constant int n [[function_constant(0)]];\n"
        "constant int twice = n * 2;\n"
        "int inner(int x) { return x + twice; }\n"
        "int outer(int x) { return inner(x) * 3; }\n"
        "kernel void f(device int* a) { a[0] = outer(1); }\n"
        "kernel void g(device int* a) { a[0] = 12345; }\n"
    )
    result = run(source, "--kernel", "f", "--constant", "0=5", "--show", "ir")
    assert "store i32 33" in result.stdout
    assert "12345" not in result.stdout
