// SPDX-License-Identifier: MIT
//
// The names of Apple's simd library that headers shared between Metal and C use.

#pragma once
#pragma clang system_header

#include <metal_matrix>
#include <metal_types>

#define __METAL_SIMD(T)                                                      \
    namespace simd {                                                         \
    using metal::T##2, metal::T##3, metal::T##4;                             \
    using metal::packed_##T##2, metal::packed_##T##3, metal::packed_##T##4;  \
    }                                                                        \
    typedef T simd_##T##1;                                                   \
    typedef metal::packed_##T##2 simd_packed_##T##2;                         \
    typedef metal::packed_##T##3 simd_packed_##T##3;                         \
    typedef metal::packed_##T##4 simd_packed_##T##4;                         \
    typedef metal::T##2 simd_##T##2;                                         \
    typedef metal::T##3 simd_##T##3;                                         \
    typedef metal::T##4 simd_##T##4;                                         \
    typedef metal::T##2 vector_##T##2;                                       \
    typedef metal::T##3 vector_##T##3;                                       \
    typedef metal::T##4 vector_##T##4;
__METAL_SIMD(char)
__METAL_SIMD(uchar)
__METAL_SIMD(short)
__METAL_SIMD(ushort)
__METAL_SIMD(int)
__METAL_SIMD(uint)
__METAL_SIMD(long)
__METAL_SIMD(ulong)
__METAL_SIMD(half)
__METAL_SIMD(float)
#undef __METAL_SIMD

#define __METAL_SIMD_MATRIX(name)       \
    namespace simd {                    \
    using metal::name;                  \
    }                                   \
    typedef metal::name simd_##name;    \
    typedef metal::name matrix_##name;
#define __METAL_SIMD_MATRICES(T)                                                           \
    __METAL_SIMD_MATRIX(T##2x2) __METAL_SIMD_MATRIX(T##2x3) __METAL_SIMD_MATRIX(T##2x4)    \
    __METAL_SIMD_MATRIX(T##3x2) __METAL_SIMD_MATRIX(T##3x3) __METAL_SIMD_MATRIX(T##3x4)    \
    __METAL_SIMD_MATRIX(T##4x2) __METAL_SIMD_MATRIX(T##4x3) __METAL_SIMD_MATRIX(T##4x4)
__METAL_SIMD_MATRICES(half)
__METAL_SIMD_MATRICES(float)
#undef __METAL_SIMD_MATRICES
#undef __METAL_SIMD_MATRIX
