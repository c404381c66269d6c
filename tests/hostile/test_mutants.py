# SPDX-License-Identifier: MIT
"""Hundreds of mutants through the compiler's service: each is an answer in time, and nothing dies.

``MTLPY_HOSTILE_MUTANTS`` sets how many, ``MTLPY_HOSTILE_SEED`` which; a mutant that once did harm is in `KNOWN`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.compiler.conftest import Service, find_compiler

from .mutate import PREAMBLE, Mutator
from .seeds import seeds

COUNT = int(os.environ.get("MTLPY_HOSTILE_MUTANTS", "600"))
SEED = int(os.environ.get("MTLPY_HOSTILE_SEED", "1"))
DEADLINE = 10  # seconds, as the fixture's service has it

FINE = "kernel void fine(device float* a) { a[0] = 1; }"


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    compiler = find_compiler()
    if compiler is None:
        pytest.skip("metal-compiler is not built: set MTLPY_COMPILER")
    served = Service(compiler)
    yield served
    assert served.close() == (0, b"")


def outcome(service: Service, source: bytes) -> tuple[str, float]:
    """What became of a source: fine, refused, late or dead."""
    start = time.monotonic()
    reply = service.compile(source)
    seconds = time.monotonic() - start
    if reply is not None:
        assert reply[0] or "error:" in reply[1], reply
        return "fine" if reply[0] else "refused", seconds
    # At the limit of time the compiler gives up, as it should; before that it must answer.
    return "late" if seconds > DEADLINE - 0.5 else "dead", seconds


@pytest.mark.timeout(120 + COUNT)
def test_every_mutant_is_answered(service: Service) -> None:
    mutator = Mutator(seeds(), SEED)

    def one(number: int) -> tuple[str, float]:
        return outcome(service, mutator.mutant(number))

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(one, range(COUNT)))
    # A machine that is busy makes some late; alone they have it for themselves.
    kinds = [one(number)[0] if kind == "late" else kind for number, (kind, _) in enumerate(found)]
    assert [number for number, kind in enumerate(kinds) if kind == "dead"] == []
    assert kinds.count("late") <= 2 + COUNT // 500, "mutants that take the compiler's whole time"
    # Most are refused; were all of them, the mutants would only test the lexer.
    assert kinds.count("fine") > COUNT // 50
    assert service.compile(PREAMBLE.decode() + FINE) == (True, "")


KNOWN: dict[str, bytes] = {
    "zero bytes": b"kernel void f(device float* a) { a[0] = \0\0 1; }",
    "no UTF-8": b"kernel void f(device float* \xff\xfe) { /* \x80 */ }",
    "half a byte order mark": b"\xef\xbbkernel void f() {}",
    "ends within a directive": b"using namespace metal",
    "includes itself": b'#include "program_source"\n',
    "macro bomb": b"#define A(x) x x x x x x x x x x\nint a = A(A(A(A(A(A(1))))));",
    "template bomb": b"template <int n> struct B { B<n + 1> b; }; B<0> b;",
    "endless constant": b"constexpr int f() { while (true) {} return 0; } constant int c = f();",
    "array of a terabyte": b"kernel void f(device int* a) { int x[1ul << 38]; x[a[0]] = 1; a[0] = x[a[1]]; }",
    "threadgroup array of a terabyte": (
        b"kernel void f(device int* a) { threadgroup int x[1ul << 38]; a[0] = x[a[1]]; }"
    ),
    "argument of a terabyte": (
        b"struct S { int x[1ul << 38]; }; kernel void f(constant S& s, device int* a) { a[0] = s.x[1]; }"
    ),
    "number of a megabyte": b"constant float x = " + b"9" * 1_000_000 + b".0;",
    "text of a megabyte": b'constant char x[] = "' + b"a" * 1_000_000 + b'";',
    "name of a megabyte": b"kernel void " + b"f" * 1_000_000 + b"() {}",
    "attributes that are none": (
        b"[[]] [[,]] [[buffer()]] [[buffer(]] kernel [[ [[ ]] ]] void f(device int* a [[buffer(0)) {}"
    ),
    "method spaces everywhere": b"struct S { int f() device constant thread threadgroup; S() device; ~S() thread; };",
    "kernel within itself": b"kernel kernel void f() { kernel void g(); } kernel struct S {} kernel;",
    "space keywords alone": b"device; constant constant; thread thread* threadgroup& device&& x;",
    "specialised vector": b"template <> struct metal::vec<float, 4> {}; kernel void f(device float4* a) { a->x = 1; }",
    "hundred thousand brackets": b"int a = " + b"(" * 100_000 + b"1" + b")" * 100_000 + b";",
    "hundred thousand conditionals": b"constant int a = " + b"1 ? 2 : " * 100_000 + b"3;",
    "hundred thousand minuses": b"constant int a = " + b"- " * 100_000 + b"3;",
    "argument buffer of 2^40 members": (
        b"struct S0 { device int* p [[id(0)]]; };\n"
        + b"\n".join(b"struct S%d { S%d a [[id(0)]]; S%d b; };" % (i, i - 1, i - 1) for i in range(1, 41))
        + b"kernel void f(constant S40& s, device int* a) { a[0] = 1; }"
    ),
    "ten thousand nested blocks": b"void f() " + b"{" * 10_000 + b"}" * 10_000,
    "ten thousand parameters": b"void f(" + b", ".join(b"int p%d" % i for i in range(10_000)) + b") {}",
    "three thousand kernels": b"\n".join(
        b"kernel void f%d(device int* a) { a[0] = %d; }" % (i, i) for i in range(3_000)
    ),
}


@pytest.mark.timeout(180)
@pytest.mark.parametrize("name", KNOWN)
def test_known_harm_is_answered(service: Service, name: str) -> None:
    kind, _ = outcome(service, PREAMBLE + KNOWN[name])
    assert kind != "dead"
    assert service.compile(PREAMBLE.decode() + FINE) == (True, "")
