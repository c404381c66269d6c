# SPDX-License-Identifier: MIT
"""Mutants of Metal source: bytes, tokens and lines of real files, changed as accidents and attackers change them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

__all__ = ["PREAMBLE", "Mutator", "pieces"]

PREAMBLE = b"#include <metal_stdlib>\nusing namespace metal;\n"
_TOKEN = re.compile(rb"\s+|\w+|//[^\n]*|\"[^\"\n]*\"|[<>]{2}=?|->|::|\[\[|\]\]|.", re.DOTALL)

_WORDS = (
    b"kernel vertex fragment device constant threadgroup thread const volatile static inline constexpr template "
    b"typename struct union enum class using namespace typedef auto void bool char uchar short ushort int uint long "
    b"ulong half bfloat float double float2 float3 float4 half4 uint3 float4x4 texture2d<float> sampler atomic_int "
    b"array<int,4> if else for while do switch case default break continue return goto sizeof alignof decltype "
    b"static_assert operator new delete throw try catch this nullptr true false asm __attribute__ __declspec "
    b"dynamic_cast static_cast reinterpret_cast as_type<float> _Float16 __bf16 __int128 __metal_index "
    b"__metal_operand _Pragma __builtin_trap() main simd_sum threadgroup_barrier(mem_flags::mem_threadgroup) sin max "
    b"is_function_constant_defined"
).split()
_SIGNS = [
    b"...",
    b"->",
    b"::",
    b"[[",
    b"]]",
    b"<",
    b">",
    b"(",
    b")",
    b"{",
    b"}",
    b";",
    b",",
    b"?",
    b":",
    b"=",
    b"&&",
]

_TOKENS = (*_WORDS, *_SIGNS)

_ATTRIBUTES = [
    b"[[buffer(0)]]", b"[[buffer(-1)]]", b"[[buffer(99999999999999999999)]]", b"[[buffer(x)]]", b"[[buffer]]",
    b"[[buffer(", b"[[]]", b"[[texture(0), texture(1)]]", b"[[thread_position_in_grid]]", b"[[function_constant(0)]]",
    b"[[host_name(\"\")]]", b"[[host_name(\"a\" \"b\")]]", b"[[host_name(1)]]", b"[[stage_in]]", b"[[user(a b)]]",
    b"[[gnu::noinline]]", b"[[nonsense::nonsense(]]", b"[[id(0)]]", b"[[max_total_threads_per_threadgroup(0)]]",
    b"__attribute__((annotate(\"metal:buffer=0\")))", b"alignas(3)", b"alignas(1ul << 40)", b"[[using gnu: cold]]",
    b"__attribute__((vector_size(64)))", b"__attribute__((ext_vector_type(4)))", b"__attribute__((mode(XX)))",
    b"__attribute__((enable_if(1, \"\")))", b"__attribute__((cleanup(f)))", b"__attribute__((alias(\"f\")))",
]  # fmt: skip

_LINES = [
    b"#pragma unroll", b"#pragma unroll(99999999)", b"#pragma METAL fp math_mode(fast)",
    b"#pragma clang loop unroll(full)",
    b"#pragma pack(push, 1)", b"#pragma once", b"#pragma clang diagnostic push", b"#pragma STDC FP_CONTRACT OFF",
    b"#pragma clang attribute push(__attribute__((annotate(\"x\"))), apply_to=function)", b"#pragma weak f",
    b"#include <metal_stdlib>", b"#include __FILE__", b"#include \"program_source\"", b"#include <metal_nonsense>",
    b"#define device", b"#define kernel void", b"#define float double", b"#define f f f f f f f f",
    b"#if 0", b"#else", b"#endif", b"#if 1/0", b"#line 4294967295", b"#line 5 \"/etc/passwd\"", b"#error stop",
    b"#define A(x) x x x x x x x x", b"A(A(A(A(A(A(1))))))", b"#undef __METAL_VERSION__", b"_Pragma(\"unroll\")",
    b"constant int bad = bad + 1;", b"template <int n> struct B { B<n + 1> b; };", b"using T = T*;",
    b"int a[1ul << 40];",
    b"constexpr int f() { while (true) {} return 0; } constant int c = f();", b"struct S { S s; };",
    b"union U { U(); };",
    b"threadgroup float huge[1 << 28];", b"constant float big[1 << 24] = {};", b"static_assert(false, \"no\");",
    b"namespace metal { template <typename T, int N> struct vec; }", b"namespace metal = std;", b"extern \"C\" {",
    b"template <> struct metal::vec<float, 4> {};", b"auto l = [&](auto x) { return x; };", b"kernel void k(",
    b"enum E : float { A };", b"operator int();", b"template <typename... T> void p(T... t) { p(t..., t...); }",
]  # fmt: skip


def pieces(text: bytes, size: int = 2500) -> list[bytes]:
    """Cut a file into pieces that begin where a declaration could."""
    found: list[bytes] = []
    current: list[bytes] = []
    length = 0
    for line in text.splitlines(keepends=True):
        if (length > size // 2 and line[:1].isalpha()) or length > size:
            found.append(b"".join(current))
            current, length = [], 0
        if not line.startswith(b"#include"):
            current.append(line)
            length += len(line)
    return [piece for piece in [*found, b"".join(current)] if len(piece) > 80]


class Mutator:
    """Makes mutants of texts, each group as often; the same numbers make the same mutants."""

    def __init__(self, groups: Sequence[Sequence[bytes]], seed: int) -> None:
        self._groups = groups
        self._seed = seed
        self._ways: list[tuple[int, Callable[[random.Random, bytes], bytes]]] = [
            (6, self._change_token),
            (4, self._change_line),
            (3, self._change_byte),
            (2, self._splice),
            (2, self._attribute),
            (2, self._number),
            (1, self._repeat),
            (1, self._cut),
            (1, self._nest),
        ]

    def mutant(self, number: int) -> bytes:
        """Make mutant `number`."""
        choice = random.Random(f"{self._seed} {number}")
        text = choice.choice(choice.choice(self._groups))
        weights = [weight for weight, _ in self._ways]
        for _ in range(choice.choice((1, 1, 1, 2, 3, 8))):
            text = choice.choices(self._ways, weights)[0][1](choice, text)
        return PREAMBLE + text

    def _change_token(self, choice: random.Random, text: bytes) -> bytes:
        tokens = _TOKEN.findall(text)
        if not tokens:
            return text
        at = choice.randrange(len(tokens))
        way = choice.randrange(5)
        if way == 0:
            del tokens[at]
        elif way == 1:
            tokens.insert(at, choice.choice(tokens))
        elif way == 2:
            other = choice.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif way == 3:
            tokens[at] = b" " + choice.choice(_TOKENS) + b" "
        else:
            tokens.insert(at, b" " + choice.choice(_TOKENS) + b" ")
        return b"".join(tokens)

    def _change_line(self, choice: random.Random, text: bytes) -> bytes:
        lines = text.split(b"\n")
        at = choice.randrange(len(lines))
        way = choice.randrange(4)
        if way == 0:
            del lines[at]
        elif way == 1:
            lines.insert(at, choice.choice(lines))
        elif way == 2:
            lines.insert(at, choice.choice(_LINES))
        else:
            part = lines[at : at + choice.randrange(1, 6)]
            choice.shuffle(part)
            lines[at : at + len(part)] = part
        return b"\n".join(lines)

    def _change_byte(self, choice: random.Random, text: bytes) -> bytes:
        data = bytearray(text)
        for _ in range(choice.choice((1, 1, 4, 30))):
            at = choice.randrange(len(data) + 1)
            way = choice.randrange(3)
            if way == 0 and at < len(data):
                del data[at]
            elif way == 1 and at < len(data):
                data[at] = choice.choice((0, 9, 0x1A, 0x5C, 0x7F, 0x80, 0xC3, 0xFF, choice.randrange(256)))
            else:
                data[at:at] = choice.choice(
                    (b"\0", b"\\\n", b"\xef\xbb\xbf", b"\xff\xfe", "ü".encode(), b"??/", b"*/", b"/*")
                )
        return bytes(data)

    def _splice(self, choice: random.Random, text: bytes) -> bytes:
        other = choice.choice(choice.choice(self._groups))
        return text[: choice.randrange(len(text) + 1)] + other[choice.randrange(len(other) + 1) :]

    def _attribute(self, choice: random.Random, text: bytes) -> bytes:
        tokens = _TOKEN.findall(text)
        tokens.insert(choice.randrange(len(tokens) + 1), b" " + choice.choice(_ATTRIBUTES) + b" ")
        return b"".join(tokens)

    def _number(self, choice: random.Random, text: bytes) -> bytes:
        numbers = list(re.finditer(rb"\b\d[\w.]*", text))
        if not numbers:
            return text
        chosen = choice.choice(numbers)
        value = choice.choice((
            b"-1", b"0", b"0xffffffffffffffff", b"99999999999999999999999999", b"1e999999", b"1.0h", b"0x", b"1" * 500,
            b"2147483648",
            b"-2147483648", b"1ul << 63", b"0.0/0.0", b"4294967296", b"1.e", b"08", b"0b", b"1'", b"1.5bf",
        ))  # fmt: skip
        return text[: chosen.start()] + value + text[chosen.end() :]

    def _repeat(self, choice: random.Random, text: bytes) -> bytes:
        tokens = _TOKEN.findall(text)
        at = choice.randrange(len(tokens))
        return b"".join([*tokens[:at], tokens[at] * choice.choice((2, 30, 1000)), *tokens[at:]])

    def _cut(self, choice: random.Random, text: bytes) -> bytes:
        return text[: choice.randrange(len(text) + 1)]

    def _nest(self, choice: random.Random, text: bytes) -> bytes:
        tokens = _TOKEN.findall(text)
        at = choice.randrange(len(tokens) + 1)
        left, right = choice.choice((
            (b"(", b")"), (b"{", b"}"), (b"[", b"]"), (b"[[", b"]]"), (b"a<", b">"), (b"if (1) {", b"}"), (b"-", b""),
            (b"x ? (", b") : 0"), (b"struct S {", b"};"), (b"namespace n {", b"}"),
            (b"*", b""), (b"f(", b")"), (b"#if 1\n", b"\n#endif\n"),
        ))  # fmt: skip
        depth = choice.choice((2, 40, 300, 2000))
        return b"".join([*tokens[:at], left * depth, b" 1 ", right * depth, *tokens[at:]])
