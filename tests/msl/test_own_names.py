# SPDX-License-Identifier: MIT
"""Programs that define what our headers have, too, though the specification does not list it."""

from __future__ import annotations

import numpy as np
import pytest

FUNCTIONS = """
template <typename T> void swap(thread T& a, thread T& b) { T old = a; a = b; b = old + T(1); }
template <typename T>
constexpr thread T&& forward(thread remove_reference_t<T>& value) { return static_cast<thread T&&>(value); }
template <typename T> constexpr thread T&& move(thread T& value) { return static_cast<thread T&&>(value); }
template <typename T, typename U> T exchange(thread T& place, U value) { T old = place; place = value + 2; return old; }
template <typename T> T as_const(thread T& value) { return value + 3; }
"""
CLASSES = """
template <typename A, typename B> struct pair { A first; B second; int third; };
template <typename T> struct is_vector { enum : bool { value = true }; };
template <typename T> struct type_identity { using type = T; using own = int; };
template <typename T> using remove_cvref_t = int;
template <typename T> constant constexpr bool is_vector_v = is_vector<T>::value;
"""
USES = """
kernel void k(device float* out) {
    float a = 1, b = 2;
    swap(a, b);
    out[0] = a; out[1] = b;
    out[2] = exchange(a, 5); out[3] = a;
    out[4] = as_const(b); out[5] = move(a); out[6] = forward<float>(b);
    pair<float, int> p = {1, 2, 3};
    out[7] = p.first + p.second + p.third;
    typename type_identity<float>::own c = 4;
    out[8] = c + is_vector<float>::value + remove_cvref_t<float>(2.5f);
}
"""
WANTED = [2, 2, 2, 7, 5, 7, 2, 6, 7]


@pytest.mark.parametrize("where", ["file", "metal", "other"])
def test_a_program_has_its_own(compiles, where: str) -> None:
    own = FUNCTIONS + CLASSES
    program = {
        "file": own + USES,
        "metal": f"namespace metal {{ {own} }}\n{USES}",
        "other": f"namespace mine {{ {own}\n{USES} }}",
    }[where]
    out = np.zeros(9, np.float32)
    library = compiles(program)
    library[next(iter(library))](out, grid=1)
    assert out.tolist() == WANTED


def test_the_librarys_where_the_program_means_it(compiles) -> None:
    """A name in a namespace of the program's, or made of the library's, leaves that as it was."""
    library = compiles("""
        namespace mine {
            template <typename T> struct is_integral : metal::bool_constant<metal::is_integral<T>::value> {};
            template <> struct is_integral<half> : metal::true_type {};
        }
        template <typename A, typename B> struct pair { A first; B second; int third; };
        kernel void k(device int* out) {
            metal::pair<int, int> theirs = metal::make_pair(1, 2);
            ::pair<int, int> own = {3, 4, 5};
            out[0] = theirs.second + own.third;
            out[1] = mine::is_integral<half>::value + is_integral<half>::value;
            int a = 1, b = 2;
            swap(a, b);
            out[2] = a;
        }
    """)
    out = np.zeros(3, np.int32)
    library["k"](out, grid=1)
    assert out.tolist() == [7, 1, 2]
