// SPDX-License-Identifier: MIT
//
// Matrices: columns of vectors, as Metal lays them in memory.

#pragma once
#pragma clang system_header

#include <metal_types>

namespace metal {

template <typename T, int C, int R>
struct matrix;

// The columns and the constructors from as many of them.
template <typename T, int C, int R>
struct __columns;
template <typename T, int R>
struct __columns<T, 2, R> {
    vec<T, R> columns[2];
    __columns() = default;
    constexpr __columns(vec<T, R> a, vec<T, R> b) : columns{a, b} {}
};
template <typename T, int R>
struct __columns<T, 3, R> {
    vec<T, R> columns[3];
    __columns() = default;
    constexpr __columns(vec<T, R> a, vec<T, R> b, vec<T, R> c) : columns{a, b, c} {}
};
template <typename T, int R>
struct __columns<T, 4, R> {
    vec<T, R> columns[4];
    __columns() = default;
    constexpr __columns(vec<T, R> a, vec<T, R> b, vec<T, R> c, vec<T, R> d) : columns{a, b, c, d} {}
};

template <int... I>
struct __indices {};
template <typename T, T... I>
using __indices_of = __indices<I...>;
template <int N>
using __first = __make_integer_seq<__indices_of, int, N>;

template <typename T, int C, int R>
struct matrix : __columns<T, C, R> {
    static_assert(__is_floating_point(T), "matrices are of half, bfloat or float");
    using column = vec<T, R>;
    using __columns<T, C, R>::__columns;
    matrix() = default;

    /// s on the diagonal, zero elsewhere.
    constexpr explicit matrix(T s) : matrix(s, __first<C>()) {}

    /// C * R scalars, column after column.
    template <typename... S, typename = __enable_if_t<sizeof...(S) == C * R && (__splats<S, T> && ...)>>
    constexpr matrix(S... s) : matrix(__all{T(s)...}, __first<C>()) {}

    template <typename U, typename = __enable_if_t<!__is_same(T, U)>>
    constexpr explicit matrix(matrix<U, C, R> m) : matrix(m, __first<C>()) {}

    constexpr column& operator[](int i) & __METAL_OBJECT_IN(thread) { return this->columns[i]; }
    constexpr const column& operator[](int i) const& __METAL_OBJECT_IN(thread) { return this->columns[i]; }
    constexpr column operator[](int i) && { return this->columns[i]; }
    device column& operator[](int i) & __METAL_OBJECT_IN(device) { return this->columns[i]; }
    const device column& operator[](int i) const& __METAL_OBJECT_IN(device) { return this->columns[i]; }
    threadgroup column& operator[](int i) & __METAL_OBJECT_IN(threadgroup) { return this->columns[i]; }
    const threadgroup column& operator[](int i) const& __METAL_OBJECT_IN(threadgroup) { return this->columns[i]; }
    constant column& operator[](int i) const& __METAL_OBJECT_IN(constant) { return this->columns[i]; }

    friend constexpr matrix operator+(matrix a, matrix b) { return add(a, b, __first<C>()); }
    friend constexpr matrix operator-(matrix a, matrix b) { return subtract(a, b, __first<C>()); }
    friend constexpr matrix operator-(matrix a) { return scale(a, T(-1), __first<C>()); }
    friend constexpr matrix operator*(matrix a, T s) { return scale(a, s, __first<C>()); }
    friend constexpr matrix operator*(T s, matrix a) { return scale(a, s, __first<C>()); }
    friend constexpr vec<T, R> operator*(matrix a, vec<T, C> v) { return apply(a, v, __first<C>()); }
    friend constexpr vec<T, C> operator*(vec<T, R> v, matrix a) { return apply_left(v, a, __first<C>()); }
    template <int K>
    friend constexpr matrix<T, K, R> operator*(matrix a, matrix<T, K, C> b) {
        return multiply(a, b, __first<K>());
    }
    friend constexpr bool operator==(matrix a, matrix b) { return equal(a, b, __first<C>()); }
    friend constexpr bool operator!=(matrix a, matrix b) { return !equal(a, b, __first<C>()); }

    constexpr matrix& operator+=(matrix b) { return *this = *this + b; }
    constexpr matrix& operator-=(matrix b) { return *this = *this - b; }
    constexpr matrix& operator*=(T s) { return *this = *this * s; }
    constexpr matrix& operator*=(matrix<T, C, C> b) { return *this = *this * b; }

private:
    template <typename, int, int>
    friend struct matrix;
    struct __all {
        T values[C * R];
    };

    // Written out for each column by pack expansion: no loop, so no indexed private memory.
    template <int... I>
    constexpr matrix(T s, __indices<I...>) : __columns<T, C, R>(unit(s, I, __first<R>())...) {}
    template <int... I>
    constexpr matrix(__all s, __indices<I...>) : __columns<T, C, R>(slice<I>(s, __first<R>())...) {}
    template <typename U, int... I>
    constexpr matrix(matrix<U, C, R> m, __indices<I...>) : __columns<T, C, R>(column(m.columns[I])...) {}

    template <int... J>
    static constexpr column unit(T s, int i, __indices<J...>) {
        return {(i == J ? s : T(0))...};
    }
    template <int I, int... J>
    static constexpr column slice(__all s, __indices<J...>) {
        return {s.values[I * R + J]...};
    }
    template <int... I>
    static constexpr matrix add(matrix a, matrix b, __indices<I...>) {
        return {(a.columns[I] + b.columns[I])...};
    }
    template <int... I>
    static constexpr matrix subtract(matrix a, matrix b, __indices<I...>) {
        return {(a.columns[I] - b.columns[I])...};
    }
    template <int... I>
    static constexpr matrix scale(matrix a, T s, __indices<I...>) {
        return {(a.columns[I] * s)...};
    }
    template <int... I>
    static constexpr vec<T, R> apply(matrix a, vec<T, C> v, __indices<I...>) {
        return (... + (a.columns[I] * static_cast<const vec<T, C>&>(v)[I]));
    }
    static constexpr T inner(vec<T, R> a, vec<T, R> b) {
        vec<T, R> p = a * b;
        if constexpr (R == 2) return p.x + p.y;
        else if constexpr (R == 3) return p.x + p.y + p.z;
        else return p.x + p.y + p.z + p.w;
    }
    template <int... I>
    static constexpr vec<T, C> apply_left(vec<T, R> v, matrix a, __indices<I...>) {
        return {inner(v, a.columns[I])...};
    }
    template <int K, int... I>
    static constexpr matrix<T, K, R> multiply(matrix a, matrix<T, K, C> b, __indices<I...>) {
        return {(a * b.columns[I])...};
    }
    static constexpr bool every(vec<bool, R> b) {
        if constexpr (R == 2) return b.x && b.y;
        else if constexpr (R == 3) return b.x && b.y && b.z;
        else return b.x && b.y && b.z && b.w;
    }
    template <int... I>
    static constexpr bool equal(matrix a, matrix b, __indices<I...>) {
        return (every(a.columns[I] == b.columns[I]) && ...);
    }
};

#define __METAL_MATRICES(T)     \
    typedef matrix<T, 2, 2> T##2x2; \
    typedef matrix<T, 2, 3> T##2x3; \
    typedef matrix<T, 2, 4> T##2x4; \
    typedef matrix<T, 3, 2> T##3x2; \
    typedef matrix<T, 3, 3> T##3x3; \
    typedef matrix<T, 3, 4> T##3x4; \
    typedef matrix<T, 4, 2> T##4x2; \
    typedef matrix<T, 4, 3> T##4x3; \
    typedef matrix<T, 4, 4> T##4x4;
__METAL_MATRICES(half)
__METAL_MATRICES(bfloat)
__METAL_MATRICES(float)
#undef __METAL_MATRICES

}  // namespace metal

#define __METAL_GLOBAL_MATRICES(T)                                                        \
    using metal::T##2x2, metal::T##2x3, metal::T##2x4, metal::T##3x2, metal::T##3x3, metal::T##3x4; \
    using metal::T##4x2, metal::T##4x3, metal::T##4x4;
__METAL_GLOBAL_MATRICES(half)
__METAL_GLOBAL_MATRICES(bfloat)
__METAL_GLOBAL_MATRICES(float)
#undef __METAL_GLOBAL_MATRICES
