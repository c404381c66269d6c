#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write `__metal_vectors.h`: the components, swizzles, constructors and operators of Metal's vectors.

A vector is a class whose `x y z w` are real members. Every other name (`rgba` and each swizzle) is a property
(`__declspec(property)`) that reads and assigns a true `vec`. The text is regular, so it is written here:

    python3 generate_vectors.py            # rewrite __metal_vectors.h beside this file
    python3 generate_vectors.py --check    # fail when the file there is not what would be written
"""

import argparse
import itertools
import pathlib
import sys

XYZW, RGBA = "xyzw", "rgba"
ARITHMETIC = ["+", "-", "*", "/"]
COMPARISON = ["==", "!=", "<", ">", "<=", ">="]
INTEGER = ["%", "&", "|", "^", "<<", ">>"]
SPACES = ("device", "threadgroup")


def swizzles(n):
    """Yield each swizzle of n components, two letters or more, as a tuple of indices."""
    for length in (2, 3, 4):
        yield from itertools.product(range(n), repeat=length)


def spell(swizzle, letters):
    """Return the swizzle's name in one of the two alphabets."""
    return "".join(letters[i] for i in swizzle)


def components(n):
    """Return the class that holds the members and swizzles, shared by vec and packed_vec."""
    names = XYZW[:n]
    out = [f"template <typename T>\nstruct __components<T, {n}> {{", f"    T {', '.join(names)};"]
    for name, alias in zip(names, RGBA, strict=False):
        out.append(f"    constexpr T __get_{name}() const {{ return {name}; }}")
        out.append(f"    constexpr T __put_{name}(T v) {{ return {name} = v; }}")
        out.append(f"    __declspec(property(get = __get_{name}, put = __put_{name})) T {alias};")
    for s in swizzles(n):
        name, size = spell(s, XYZW), len(s)
        out.append(f"    constexpr vec<T, {size}> __get_{name}() const {{ return {{{', '.join(name)}}}; }}")
        put = ""
        if len(set(s)) == size:
            moves = " ".join(f"{to} = v.{source};" for to, source in zip(name, XYZW, strict=False))
            out.append(f"    constexpr vec<T, {size}> __put_{name}(vec<T, {size}> v) {{ {moves} return v; }}")
            put = f", put = __put_{name}"
        both = f"{name}, {spell(s, RGBA)}"
        out.append(f"    __declspec(property(get = __get_{name}{put})) vec<T, {size}> {both};")
    out.append("};")
    return out


def each(n, pattern):
    """Return the pattern for each component, `@` standing for its letter, as a list."""
    return ", ".join(pattern.replace("@", letter) for letter in XYZW[:n])


def operators(n, names, result="T", prefix="    "):
    """Return componentwise friends; scalars reach them through the implicit constructor."""
    vector = f"__bools<T, {n}>" if result == "bool" else f"vec<{result}, {n}>"
    for op in names:
        body = each(n, f"{result}(a.@ {op} b.@)")
        yield f"{prefix}friend constexpr {vector} operator{op}(vec<T, {n}> a, vec<T, {n}> b) {{ return {{{body}}}; }}"


def assignments(n, names):
    """Return compound assignments, members so that objects in every address space have them."""
    for op in names:
        body = " ".join(f"self.{c} = T(self.{c} {op} b.{c});" for c in XYZW[:n])
        yield f"    constexpr vec<T, {n}>& operator{op}=(vec<T, {n}> b) {{"
        yield f"        auto& self = static_cast<vec<T, {n}>&>(*this); {body} return self;"
        yield "    }"


def by_kind(n):
    """Return the operators that only integer vectors, only bool vectors or all but bool vectors have."""
    out = [
        f"template <typename T>\nstruct __operators<T, {n}, __integer_kind> : __operators<T, {n}, __floating_kind> {{"
    ]
    out += operators(n, INTEGER)
    out.append(f"    friend constexpr vec<T, {n}> operator~(vec<T, {n}> a) {{ return {{{each(n, 'T(~a.@)')}}}; }}")
    out += assignments(n, INTEGER)
    out.append("};")
    out.append(f"template <typename T>\nstruct __operators<T, {n}, __bool_kind> : __components<T, {n}> {{")
    out += operators(n, ["&", "|", "^", "&&", "||", "==", "!="])
    out += assignments(n, ["&", "|", "^"])
    out.append(f"    friend constexpr vec<T, {n}> operator!(vec<T, {n}> a) {{ return {{{each(n, '!a.@')}}}; }}")
    out.append("};")
    out.append(f"template <typename T>\nstruct __operators<T, {n}, __floating_kind> : __components<T, {n}> {{")
    out += operators(n, ARITHMETIC)
    out += operators(n, COMPARISON, "bool")
    out += assignments(n, ARITHMETIC)
    out.append(f"    friend constexpr vec<T, {n}> operator+(vec<T, {n}> a) {{ return a; }}")
    out.append(f"    friend constexpr vec<T, {n}> operator-(vec<T, {n}> a) {{ return {{{each(n, 'T(-a.@)')}}}; }}")
    for op in ("++", "--"):
        body = " ".join(f"{op}self.{c};" for c in XYZW[:n])
        out.append(f"    constexpr vec<T, {n}>& operator{op}() {{")
        out.append(f"        auto& self = static_cast<vec<T, {n}>&>(*this); {body} return self;")
        out.append("    }")
        out.append(f"    constexpr vec<T, {n}> operator{op}(int) {{")
        out.append(f"        auto& self = static_cast<vec<T, {n}>&>(*this); vec<T, {n}> old = self; {body} return old;")
        out.append("    }")
    out.append("};")
    return out


def parts(n):
    """Yield each way to make n components from scalars and shorter vectors, two parts or more."""

    def split(rest):
        if rest == 0:
            yield ()
        for first in range(1, rest + 1):
            for tail in split(rest - first):
                yield (first, *tail)

    yield from (p for p in split(n) if len(p) > 1)


def constructors(n, name):
    """Return all constructors Metal gives a vector of n components."""
    base = f"__operators<T, {n}>" if name == "vec" else f"__components<T, {n}>"
    splat = f"{name}({', '.join(['T(s)'] * n)})"
    out = [
        f"    {name}() = default;",
        "    template <typename S, __enable_if_t<__splats<S, T>, int> = 0>",
        f"    constexpr {name}(S s) : {splat} {{}}",
        "    template <typename S, __enable_if_t<!__splats<S, T> && __is_convertible(S, T), int> = 0>",
        f"    constexpr explicit {name}(S s) : {splat} {{}}",
    ]
    for sizes in parts(n):
        letters = "abcd"[: len(sizes)]
        parameters = [f"{'T' if size == 1 else f'vec<T, {size}>'} {c}" for size, c in zip(sizes, letters, strict=True)]
        if len(sizes) == n:
            out.append(f"    constexpr {name}({', '.join(parameters)}) : {base}{{{', '.join(letters)}}} {{}}")
        else:
            values = []
            for size, c in zip(sizes, letters, strict=True):
                values += [c] if size == 1 else [f"{c}.{m}" for m in XYZW[:size]]
            out.append(f"    constexpr {name}({', '.join(parameters)}) : {name}({', '.join(values)}) {{}}")
    for other in ("vec", "packed_vec"):
        if other == "vec" and name == "packed_vec":
            out.append(f"    constexpr packed_vec(vec<T, {n}> o) : packed_vec({each(n, 'o.@')}) {{}}")
        out.append("    template <typename U>")
        # Between half and bfloat the language has no conversion of its own; the token stage writes the same.
        convert = each(n, "T((__metal_to<T>(), o.@))")
        out.append(f"    constexpr explicit {name}({other}<U, {n}> o) : {name}({convert}) {{}}")
    return out


def subscripts(n):
    """Return operator[]: assignable on named objects only, the reference in the object's own address space.

    Values without a name are in no space that a method could ask for: theirs is the one for `&&`.
    """
    chain = " : ".join(f"i == {k} ? this->{XYZW[k]}" for k in range(n - 1)) + f" : this->{XYZW[n - 1]}"
    out = [
        "    constexpr T& operator[](int i) & __METAL_OBJECT_IN(thread) {",
        f"        if (__builtin_is_constant_evaluated()) return {chain};",
        "        return (&this->x)[i];",
        "    }",
        f"    constexpr T operator[](int i) const& __METAL_OBJECT_IN(thread) {{ return {chain}; }}",
        f"    constexpr T operator[](int i) && {{ return {chain}; }}",
    ]
    for space in SPACES:
        out.append(f"    {space} T& operator[](int i) & __METAL_OBJECT_IN({space}) {{ return (&this->x)[i]; }}")
    for space in (*SPACES, "constant"):
        constant = "" if space == "constant" else "const "
        out.append(
            f"    {constant}{space} T& operator[](int i) const& __METAL_OBJECT_IN({space}) {{ return (&this->x)[i]; }}"
        )
    return out


def vector(n):
    """Return the class template vec for n components."""
    lanes = 4 if n == 3 else n
    out = [f"template <typename T>\nstruct alignas({lanes} * sizeof(T)) vec<T, {n}> : __operators<T, {n}> {{"]
    return out + constructors(n, "vec") + subscripts(n) + ["};"]


def packed(n):
    """Return the class template packed_vec for n components: same names, the elements' own alignment."""
    vector_type, this = f"vec<T, {n}>", f"packed_vec<T, {n}>"
    out = [f"template <typename T>\nstruct packed_vec<T, {n}> : __components<T, {n}> {{"]
    out += constructors(n, "packed_vec")
    out.append(f"    constexpr operator {vector_type}() const {{ return {{{each(n, 'this->@')}}}; }}")
    out += subscripts(n)
    for op in (*ARITHMETIC, *INTEGER):
        out.append(
            f"    constexpr {this}& operator{op}=({vector_type} b) {{ return *this = {vector_type}(*this) {op} b; }}"
        )
    out.append("};")
    return out


def packed_operators():
    """Return operators without a vec among the operands; with one, the friends of vec apply."""
    for op in (*ARITHMETIC, *INTEGER, *COMPARISON):
        result = "vec<bool, N>" if op in COMPARISON else "vec<T, N>"
        out = f"constexpr {result} operator{op}"
        both = "packed_vec<T, N> a, packed_vec<T, N> b"
        yield f"template <typename T, int N>\n{out}({both}) {{ return vec<T, N>(a) {op} vec<T, N>(b); }}"
        scalar = "template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>"
        yield f"{scalar}\n{out}(packed_vec<T, N> a, S b) {{ return vec<T, N>(a) {op} b; }}"
        yield f"{scalar}\n{out}(S a, packed_vec<T, N> b) {{ return a {op} vec<T, N>(b); }}"
    yield "template <typename T, int N>\nconstexpr vec<T, N> operator-(packed_vec<T, N> a) { return -vec<T, N>(a); }"


HEADER = """// SPDX-License-Identifier: MIT
//
// Metal's vectors: components, swizzles, constructors, operators. Written by generate_vectors.py; change that instead.

// clang-format off
"""


def text():
    """Return the whole header."""
    out = [HEADER]
    for n in (2, 3, 4):
        out += components(n)
    for n in (2, 3, 4):
        out += by_kind(n)
        out += vector(n)
    for n in (2, 3, 4):
        out += packed(n)
    out += packed_operators()
    return "\n".join(out) + "\n"


def main():
    """Write or check the header."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    arguments = parser.parse_args()
    path = pathlib.Path(__file__).with_name("__metal_vectors.h")
    if not arguments.check:
        path.write_text(text(), encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != text():
        sys.exit(f"{path.name} is not what generate_vectors.py writes: run it again")


if __name__ == "__main__":
    main()
