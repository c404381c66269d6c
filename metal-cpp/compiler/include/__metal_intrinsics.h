// SPDX-License-Identifier: MIT
//
// What differs from target to target. The headers reach everything but arithmetic through these functions; each target
// lowers them in a pass or defines them in its run-time library.

#pragma once
#pragma clang system_header

struct __metal_texture;

typedef float __metal_v4f __attribute__((ext_vector_type(4)));
typedef int __metal_v4i __attribute__((ext_vector_type(4)));
typedef unsigned int __metal_v4u __attribute__((ext_vector_type(4)));

extern "C" {

// ---- Arguments and places in the grid ----

const void* __metal_argument(unsigned int slot);
threadgroup void* __metal_threadgroup_argument(unsigned int slot);
unsigned int __metal_index(unsigned int kind, unsigned int dimension);

// ---- Stages of the render pipeline ----

void __metal_discard_fragment();
unsigned int __metal_sample_count();
unsigned int __metal_covered_samples();
float __metal_sample_position(unsigned int sample, unsigned int axis);
unsigned int __metal_control_point_count();

// ---- Barriers ----

__attribute__((convergent, nomerge)) void __metal_threadgroup_barrier(unsigned int flags);
__attribute__((convergent)) void __metal_simdgroup_barrier(unsigned int flags);

// ---- Exchanges between the threads of a SIMD-group ----
//
// Threads that do not take part (they returned, they are elsewhere, the group is smaller) change no result; what is
// read from one of them is undefined. A sum of floats has one fixed order.

#define __METAL_EXCHANGE __attribute__((convergent, nomerge, const))

/// Bit i: thread i takes part and brings true.
__METAL_EXCHANGE unsigned long __metal_simd_ballot(bool);
/// Each thread names the lane it reads from; of a broadcast all name the same one.
__METAL_EXCHANGE unsigned int __metal_simd_shuffle_u32(unsigned int, unsigned int lane);
__METAL_EXCHANGE unsigned long __metal_simd_shuffle_u64(unsigned long, unsigned int lane);
__METAL_EXCHANGE unsigned int __metal_simd_broadcast_u32(unsigned int, unsigned int lane);
__METAL_EXCHANGE unsigned int __metal_simd_broadcast_first_u32(unsigned int);

#define __METAL_REDUCE(group, suffix, type)                                               \
    __METAL_EXCHANGE type __metal_##group##_reduce_add_##suffix(type);                    \
    __METAL_EXCHANGE type __metal_##group##_reduce_mul_##suffix(type);                    \
    __METAL_EXCHANGE type __metal_##group##_reduce_min_##suffix(type);                    \
    __METAL_EXCHANGE type __metal_##group##_reduce_max_##suffix(type);                    \
    __METAL_EXCHANGE type __metal_##group##_prefix_inclusive_add_##suffix(type);          \
    __METAL_EXCHANGE type __metal_##group##_prefix_inclusive_mul_##suffix(type);          \
    __METAL_EXCHANGE type __metal_##group##_prefix_exclusive_add_##suffix(type);          \
    __METAL_EXCHANGE type __metal_##group##_prefix_exclusive_mul_##suffix(type);
#define __METAL_REDUCE_BITS(group, suffix, type)                       \
    __METAL_EXCHANGE type __metal_##group##_reduce_and_##suffix(type); \
    __METAL_EXCHANGE type __metal_##group##_reduce_or_##suffix(type);  \
    __METAL_EXCHANGE type __metal_##group##_reduce_xor_##suffix(type);
__METAL_REDUCE(simd, i32, int)
__METAL_REDUCE(simd, u32, unsigned int)
__METAL_REDUCE(simd, f32, float)
__METAL_REDUCE_BITS(simd, u32, unsigned int)
__METAL_REDUCE(quad, i32, int)
__METAL_REDUCE(quad, u32, unsigned int)
__METAL_REDUCE(quad, f32, float)
__METAL_REDUCE(quad, i64, long)
__METAL_REDUCE(quad, u64, unsigned long)
__METAL_REDUCE_BITS(quad, u32, unsigned int)
__METAL_REDUCE_BITS(quad, u64, unsigned long)
#undef __METAL_REDUCE
#undef __METAL_REDUCE_BITS

// ---- Messages ----

/// `slots`: `count` numbers, from which `format` makes the text.
void __metal_log(unsigned int level, const constant char* subsystem, const constant char* category,
                 const constant char* format, const unsigned long* slots, unsigned int count);

/// True of a fragment that the primitive does not cover or that was discarded.
bool __metal_is_helper_thread();

// ---- Matrices of 8 x 8 elements, two in each thread of a SIMD-group ----
//
// Thread i holds columns c and c + 1 of row r, where q = i / 4, r = (q & 4) + i / 2 % 4, c = (q & 2) * 2 + i % 2 * 2.

/// Element `which` (0, 1: a constant) of the matrix whose rows start `elements_per_row` elements apart; `transpose`
/// (a constant) swaps rows and columns.
#define __METAL_MATRIX_MEMORY(suffix, type, space)                                                                     \
    __attribute__((convergent, nomerge, pure)) type __metal_simd_matrix_load_##suffix##_##space(                       \
        const space void*, unsigned long elements_per_row, bool transpose, unsigned int which);                        \
    __attribute__((convergent, nomerge)) void __metal_simd_matrix_store_##suffix##_##space(                            \
        space void*, unsigned long elements_per_row, bool transpose, type, type);
__METAL_MATRIX_MEMORY(u16, unsigned short, device)
__METAL_MATRIX_MEMORY(u16, unsigned short, threadgroup)
__METAL_MATRIX_MEMORY(u32, unsigned int, device)
__METAL_MATRIX_MEMORY(u32, unsigned int, threadgroup)
#undef __METAL_MATRIX_MEMORY
/// One of the two elements of A B + C: A's elements, and B's and C's of the same place.
__METAL_EXCHANGE float __metal_simd_matrix_multiply_f32(float a0, float a1, float b, float c);

#undef __METAL_EXCHANGE

// ---- Derivatives ----

/// Whether derivatives exist: in fragment functions. A constant before anything is inlined.
bool __metal_has_derivatives();
/// The difference inside the quad; zero where there are no derivatives.
__attribute__((convergent)) float __metal_dfdx_f32(float);
__attribute__((convergent)) float __metal_dfdy_f32(float);

// ---- Textures ----
//
// `kind` is the texture's MTL::TextureType, a constant. Texels are found by x and y; z is a 3D texture's depth or an
// array's slice; `part` is a cube's face or a sample. Numbers that a kind has no use for are zero.

#define __METAL_TEXEL unsigned int x, unsigned int y, unsigned int z, unsigned int part
#define __METAL_TEXTURE const __metal_texture*, unsigned int kind
#define __METAL_PLACE __METAL_TEXTURE, unsigned long sampler, float x, float y, float z, unsigned int array
#define __METAL_SHIFT int offset_x, int offset_y, int offset_z
#define __METAL_SLOPES float x_dx, float y_dx, float z_dx, float x_dy, float y_dy, float z_dy
#define __METAL_SHAPE(shape, suffix, vector)                                                                       \
    vector __metal_texture_sample_##shape##_##suffix(__METAL_PLACE, __METAL_SHIFT, float lod, float min_lod);      \
    vector __metal_texture_sample_gradient_##shape##_##suffix(__METAL_PLACE, __METAL_SHIFT, __METAL_SLOPES,        \
                                                              float bias, float min_lod);
#define __METAL_TEXELS(suffix, vector)                                                                             \
    vector __metal_texture_read_##suffix(__METAL_TEXTURE, __METAL_TEXEL, unsigned int level);                      \
    void __metal_texture_write_##suffix(__METAL_TEXTURE, vector, __METAL_TEXEL, unsigned int level);               \
    __METAL_SHAPE(1d, suffix, vector)                                                                              \
    __METAL_SHAPE(2d, suffix, vector)                                                                              \
    __METAL_SHAPE(3d, suffix, vector)                                                                              \
    __METAL_SHAPE(cube, suffix, vector)                                                                            \
    vector __metal_texture_gather_##suffix(__METAL_PLACE, __METAL_SHIFT, int component);
__METAL_TEXELS(f32, __metal_v4f)
__METAL_TEXELS(i32, __metal_v4i)
__METAL_TEXELS(u32, __metal_v4u)
#undef __METAL_TEXELS
#undef __METAL_SHAPE

float __metal_texture_compare(__METAL_PLACE, __METAL_SHIFT, float reference, float lod, float min_lod);
float __metal_texture_compare_gradient(__METAL_PLACE, __METAL_SHIFT, float reference, __METAL_SLOPES, float bias,
                                       float min_lod);
__metal_v4f __metal_texture_gather_compare(__METAL_PLACE, __METAL_SHIFT, float reference);
float __metal_texture_lod(__METAL_PLACE, __METAL_SLOPES, bool clamped);

#define __METAL_TEXEL_MODIFY(operation, suffix, type) \
    type __metal_texture_atomic_##operation##_##suffix(__METAL_TEXTURE, type, __METAL_TEXEL);
#define __METAL_TEXEL_ATOMICS(suffix, type)                                                                       \
    type __metal_texture_atomic_load_##suffix(__METAL_TEXTURE, __METAL_TEXEL);                                    \
    void __metal_texture_atomic_store_##suffix(__METAL_TEXTURE, type, __METAL_TEXEL);                             \
    bool __metal_texture_atomic_compare_exchange_##suffix(__METAL_TEXTURE, type* expected, type desired,          \
                                                          __METAL_TEXEL);                                         \
    __METAL_TEXEL_MODIFY(exchange, suffix, type)                                                                  \
    __METAL_TEXEL_MODIFY(fetch_min, suffix, type)                                                                 \
    __METAL_TEXEL_MODIFY(fetch_max, suffix, type)                                                                 \
    __METAL_TEXEL_MODIFY(fetch_add, suffix, type)                                                                 \
    __METAL_TEXEL_MODIFY(fetch_sub, suffix, type)                                                                 \
    __METAL_TEXEL_MODIFY(fetch_and, suffix, type)                                                                 \
    __METAL_TEXEL_MODIFY(fetch_or, suffix, type)                                                                  \
    __METAL_TEXEL_MODIFY(fetch_xor, suffix, type)
__METAL_TEXEL_ATOMICS(i32, int)
__METAL_TEXEL_ATOMICS(u32, unsigned int)
__METAL_TEXEL_ATOMICS(u64, unsigned long)
#undef __METAL_TEXEL_ATOMICS
#undef __METAL_TEXEL_MODIFY
#undef __METAL_SLOPES
#undef __METAL_SHIFT
#undef __METAL_PLACE
#undef __METAL_TEXTURE
#undef __METAL_TEXEL

unsigned int __metal_texture_width(const __metal_texture*, unsigned int level);
unsigned int __metal_texture_height(const __metal_texture*, unsigned int level);
unsigned int __metal_texture_depth(const __metal_texture*, unsigned int level);
unsigned int __metal_texture_array_size(const __metal_texture*);
unsigned int __metal_texture_num_mip_levels(const __metal_texture*);
unsigned int __metal_texture_num_samples(const __metal_texture*);
void __metal_texture_fence(const __metal_texture*);

// ---- Atomics, relaxed, and fences ----

#define __METAL_ATOMIC_MODIFY(operation, suffix, type, space) \
    type __metal_atomic_##operation##_##suffix##_##space(volatile space type*, type);
#define __METAL_ATOMIC_ACCESS(suffix, type, space)                                                               \
    type __metal_atomic_load_##suffix##_##space(const volatile space type*);                                     \
    void __metal_atomic_store_##suffix##_##space(volatile space type*, type);                                    \
    bool __metal_atomic_compare_exchange_##suffix##_##space(volatile space type*, type* expected, type desired); \
    __METAL_ATOMIC_MODIFY(exchange, suffix, type, space)
#define __METAL_ATOMIC_SUM(suffix, type, space)           \
    __METAL_ATOMIC_MODIFY(fetch_add, suffix, type, space) \
    __METAL_ATOMIC_MODIFY(fetch_sub, suffix, type, space)
#define __METAL_ATOMIC_INTEGER(suffix, type, space)       \
    __METAL_ATOMIC_ACCESS(suffix, type, space)            \
    __METAL_ATOMIC_SUM(suffix, type, space)               \
    __METAL_ATOMIC_MODIFY(fetch_and, suffix, type, space) \
    __METAL_ATOMIC_MODIFY(fetch_or, suffix, type, space)  \
    __METAL_ATOMIC_MODIFY(fetch_xor, suffix, type, space) \
    __METAL_ATOMIC_MODIFY(fetch_min, suffix, type, space) \
    __METAL_ATOMIC_MODIFY(fetch_max, suffix, type, space)
#define __METAL_ATOMICS(space)                       \
    __METAL_ATOMIC_INTEGER(i32, int, space)          \
    __METAL_ATOMIC_INTEGER(u32, unsigned int, space) \
    __METAL_ATOMIC_ACCESS(bool, bool, space)         \
    __METAL_ATOMIC_ACCESS(f32, float, space)         \
    __METAL_ATOMIC_SUM(f32, float, space)
__METAL_ATOMICS(device)
__METAL_ATOMICS(threadgroup)
#undef __METAL_ATOMICS
#undef __METAL_ATOMIC_INTEGER
#undef __METAL_ATOMIC_SUM
#undef __METAL_ATOMIC_ACCESS
#undef __METAL_ATOMIC_MODIFY
void __metal_atomic_min_u64_device(volatile device unsigned long*, unsigned long);
void __metal_atomic_max_u64_device(volatile device unsigned long*, unsigned long);
void __metal_atomic_thread_fence(unsigned int flags, unsigned int scope);
}
