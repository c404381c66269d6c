// SPDX-License-Identifier: MIT
//
// How the scalar functions reach vectors. Scalars are plain overloads, so that a call with mixed types is the same error
// as on a Mac. With a vector among the arguments the others must be that vector, a packed one, or scalars that may stand
// for it: `clamp(v, 0.0, 1.0)`. This header finds the vector and applies functions component by component.

#pragma once
#pragma clang system_header

#include <metal_types>

namespace metal {

/// A packed vector counts as the vector.
template <typename A>
struct __unpacked {
    using type = A;
};
template <typename T, int N>
struct __unpacked<packed_vec<T, N>> {
    using type = vec<T, N>;
};

/// The vector of two arguments; scalars join to themselves and no type at all stands for a mismatch.
struct __no_vector {};
template <typename A, typename B>
struct __join {
    using type = __no_vector;
};
template <typename T, int N>
struct __join<vec<T, N>, vec<T, N>> {
    using type = vec<T, N>;
};
template <typename T, int N, typename S>
struct __join<vec<T, N>, S> {
    using type = __conditional<__splats<S, T>, vec<T, N>, __no_vector>;
};
template <typename S, typename T, int N>
struct __join<S, vec<T, N>> {
    using type = __conditional<__splats<S, T>, vec<T, N>, __no_vector>;
};
template <typename T, int N, typename U, int M>
struct __join<vec<T, N>, vec<U, M>> {
    using type = __no_vector;
};
template <typename A, typename B>
using __join_t = typename __join<A, B>::type;
/// Of three: the first two when one of them is a vector, else the last two first.
template <typename A, typename B, typename C>
struct __join3 {
    using type = __join_t<A, __join_t<B, C>>;
};
template <typename T, int N, typename B, typename C>
struct __join3<vec<T, N>, B, C> {
    using type = __join_t<__join_t<vec<T, N>, B>, C>;
};

enum __elements { __any_element, __float_element, __single_element, __integer_element, __bool_element };
template <typename V, __elements kind>
struct __if_vector {};
template <typename T, int N>
struct __if_vector<vec<T, N>, __any_element> : enable_if<!__is_same(T, bool), vec<T, N>> {};
template <typename T, int N>
struct __if_vector<vec<T, N>, __float_element> : enable_if<__is_floating_point(T), vec<T, N>> {};
template <typename T, int N>
struct __if_vector<vec<T, N>, __single_element> : enable_if<__is_same(T, float), vec<T, N>> {};
template <typename T, int N>
struct __if_vector<vec<T, N>, __integer_element> : enable_if<__kind_of<T> == __integer_kind, vec<T, N>> {};
template <typename T, int N>
struct __if_vector<vec<T, N>, __bool_element> : enable_if<__is_same(T, bool), vec<T, N>> {};

/// Functions take a bfloat as the float of the same value, to which it converts, and give a float. Templates and not
/// overloads, so that sources which declare overloads of their own for bfloat may, and so that theirs are chosen.
template <typename B>
using __if_bfloat = __enable_if_t<__is_same(B, bfloat), float>;

/// The vector that a call is about, of elements of a kind; no type otherwise.
template <__elements kind, typename A>
using __vector1 = typename __if_vector<typename __unpacked<A>::type, kind>::type;
template <__elements kind, typename A, typename B>
using __vector2 = typename __if_vector<__join_t<typename __unpacked<A>::type, typename __unpacked<B>::type>, kind>::type;
template <__elements kind, typename A, typename B, typename C>
using __vector3 = typename __if_vector<
    typename __join3<typename __unpacked<A>::type, typename __unpacked<B>::type, typename __unpacked<C>::type>::type,
    kind>::type;

template <typename V>
inline constexpr int __size_of = 1;
template <typename T, int N>
inline constexpr int __size_of<vec<T, N>> = N;
template <typename V>
struct __scalar_of;
template <typename T, int N>
struct __scalar_of<vec<T, N>> {
    using type = T;
};
template <typename V>
using __scalar = typename __scalar_of<V>::type;
/// A vector of as many elements of another type.
template <typename U, typename V>
using __like = vec<U, __size_of<V>>;

}  // namespace metal

/// Ends a function of vectors a, b, c: f of each component, as the vector R. (Of bfloat, f gives a float.)
#define __METAL_EACH1(R, V, f)                                                    \
    if constexpr (metal::__size_of<V> == 2) return R(f(a.x), f(a.y));             \
    else if constexpr (metal::__size_of<V> == 3) return R(f(a.x), f(a.y), f(a.z)); \
    else return R(f(a.x), f(a.y), f(a.z), f(a.w));
#define __METAL_EACH2(R, V, f)                                                                            \
    if constexpr (metal::__size_of<V> == 2) return R(f(a.x, b.x), f(a.y, b.y));                           \
    else if constexpr (metal::__size_of<V> == 3) return R(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z));         \
    else return R(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w));
#define __METAL_EACH3(R, V, f)                                                                            \
    if constexpr (metal::__size_of<V> == 2) return R(f(a.x, b.x, c.x), f(a.y, b.y, c.y));                 \
    else if constexpr (metal::__size_of<V> == 3)                                                          \
        return R(f(a.x, b.x, c.x), f(a.y, b.y, c.y), f(a.z, b.z, c.z));                                   \
    else return R(f(a.x, b.x, c.x), f(a.y, b.y, c.y), f(a.z, b.z, c.z), f(a.w, b.w, c.w));

/// The function f for vectors, given the one for scalars.
#define __METAL_VECTOR1(kind, name)                                  \
    template <typename A, typename V = metal::__vector1<kind, A>>    \
    constexpr V name(A p) {                                          \
        const V a(p);                                                \
        __METAL_EACH1(V, V, name)                                    \
    }
#define __METAL_VECTOR2(kind, name)                                                \
    template <typename A, typename B, typename V = metal::__vector2<kind, A, B>>   \
    constexpr V name(A p, B q) {                                                   \
        const V a(p), b(q);                                                        \
        __METAL_EACH2(V, V, name)                                                  \
    }
#define __METAL_VECTOR3(kind, name)                                                                \
    template <typename A, typename B, typename C, typename V = metal::__vector3<kind, A, B, C>>    \
    constexpr V name(A p, B q, C r) {                                                              \
        const V a(p), b(q), c(r);                                                                  \
        __METAL_EACH3(V, V, name)                                                                  \
    }

#define __METAL_BFLOAT1(name)                        \
    template <typename B>                            \
    constexpr metal::__if_bfloat<B> name(B a) {      \
        return name(float(a));                       \
    }
#define __METAL_BFLOAT2(name)                        \
    template <typename B>                            \
    constexpr metal::__if_bfloat<B> name(B a, B b) { \
        return name(float(a), float(b));             \
    }
#define __METAL_BFLOAT3(name)                             \
    template <typename B>                                 \
    constexpr metal::__if_bfloat<B> name(B a, B b, B c) { \
        return name(float(a), float(b), float(c));        \
    }
