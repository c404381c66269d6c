# SPDX-License-Identifier: MIT
"""What Metal forbids: whole messages, carets included."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

FORBIDDEN = {
    "pointer of a kernel without address space": (
        "kernel void f(float* a [[buffer(0)]]) {}\n",
        """\
program_source:1:22: error: invalid address space qualification for buffer 'float *': a pointer of a kernel function \
must be to the 'device', 'constant' or 'threadgroup' address space
kernel void f(float* a [[buffer(0)]]) {}
              ~~~~~~~^
""",
    ),
    "reference without address space": (
        "void g(thread float* p, float& q, thread float& r) {}\n",
        """\
program_source:1:30: error: reference type must have explicit address space qualifier: 'device', 'constant', \
'threadgroup' or 'thread'
void g(thread float* p, float& q, thread float& r) {}
                             ^
""",
    ),
    "double": (
        "kernel void f(device float* a) { double x = 1; a[0] = x; }\n",
        """\
program_source:1:34: error: 'double' is not supported in Metal; use 'float'
kernel void f(device float* a) { double x = 1; a[0] = x; }
                                 ^
""",
    ),
    "recursion": (
        "int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }\n",
        """\
program_source:1:42: error: recursion is not supported in Metal: 'fact' can reach itself; write a loop instead
int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
                                         ^
""",
    ),
    "recursion over another function": (
        "int odd(int n);\n"
        "int even(int n) { return n == 0 ? 1 : odd(n - 1); }\n"
        "int odd(int n) { return n == 0 ? 0 : even(n - 1); }\n",
        """\
program_source:3:38: error: recursion is not supported in Metal: 'even' can reach itself; write a loop instead
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
                                     ^
""",
    ),
    "virtual function": (
        "struct A { virtual void f(); };\n",
        """\
program_source:1:25: error: virtual functions are not supported in Metal
struct A { virtual void f(); };
                        ^
""",
    ),
    "new": (
        "void f() { thread int* p = new int; *p = 1; }\n",
        """\
program_source:1:28: error: 'new' is not supported in Metal; declare a variable or use a buffer
void f() { thread int* p = new int; *p = 1; }
                           ^
""",
    ),
    "exceptions": (
        "void f() { try { } catch (...) { } }\n",
        """\
program_source:1:12: error: exceptions are not supported in Metal
void f() { try { } catch (...) { } }
           ^
""",
    ),
    "mutable global": (
        "int counter = 0;\nconstant int fine = 4;\n",
        """\
program_source:1:5: error: program scope variable must reside in constant address space
int counter = 0;
    ^
""",
    ),
    "constant global without its space": (
        "const int fixed = 3;\n",
        """\
program_source:1:11: error: program scope variable must reside in constant address space; write 'constant' before \
its type
const int fixed = 3;
          ^
""",
    ),
    "array of variable length": (
        "void f(int n) { int v[n]; v[0] = 1; }\n",
        """\
program_source:1:22: error: variable length arrays are not supported in Metal; give the length as a constant
void f(int n) { int v[n]; v[0] = 1; }
                     ^
""",
    ),
    "goto": (
        "void f() { goto end; end: ; }\n",
        """\
program_source:1:12: error: 'goto' is not supported in Metal
void f() { goto end; end: ; }
           ^
""",
    ),
    "inline assembly": (
        'void f() { asm("nop"); }\n',
        """\
program_source:1:12: error: inline assembly is not supported in Metal
void f() { asm("nop"); }
           ^
""",
    ),
    "function pointer": (
        "typedef void (*callback)(int);\n",
        """\
program_source:1:15: error: function pointers are not supported in Metal
typedef void (*callback)(int);
              ^
""",
    ),
    "device pointer to thread pointer": (
        "kernel void f(device float* a) { thread float* p = a; *p = 1; }\n",
        """\
program_source:1:48: error: cannot initialize a variable of type 'thread float *' with an lvalue of type \
'device float *'
kernel void f(device float* a) { thread float* p = a; *p = 1; }
                                               ^   ~
""",
    ),
    "threadgroup pointer to a thread parameter": (
        "void g(thread float* p) { *p = 1; }\nvoid f(threadgroup float* a) { g(a); }\n",
        """\
program_source:2:34: error: cannot initialize a parameter of type 'thread float *' with an lvalue of type \
'threadgroup float *'
void f(threadgroup float* a) { g(a); }
                                 ^
""",
    ),
    "constant pointer to device pointer": (
        "void f(constant float* a) { device float* p = a; }\n",
        """\
program_source:1:43: error: cannot initialize a variable of type 'device float *' with an lvalue of type \
'constant float *'
void f(constant float* a) { device float* p = a; }
                                          ^   ~
""",
    ),
    "static variable of a function": (
        "void f() { static int n = 0; n = 1; }\n",
        """\
program_source:1:23: error: static variable in a function must reside in constant address space
void f() { static int n = 0; n = 1; }
                      ^
""",
    ),
    "threadgroup variable with a value": (
        "kernel void f(device int* a) { threadgroup int t = 3; a[0] = t; }\n",
        """\
program_source:1:48: error: variable in threadgroup address space cannot have an initializer
kernel void f(device int* a) { threadgroup int t = 3; a[0] = t; }
                                               ^
""",
    ),
}


@pytest.mark.parametrize("name", FORBIDDEN)
def test_forbidden(run: Run, name: str) -> None:
    source, message = FORBIDDEN[name]
    result = run(source)
    assert result.stderr == message
    assert result.returncode == 1


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
