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

// ---- Barriers ----

__attribute__((convergent, nomerge)) void __metal_threadgroup_barrier(unsigned int flags);
__attribute__((convergent)) void __metal_simdgroup_barrier(unsigned int flags);

// ---- Textures ----

#define __METAL_TEXTURE2D(suffix, vector)                                                                             \
    vector __metal_texture2d_read_##suffix(const __metal_texture*, unsigned int x, unsigned int y,                    \
                                           unsigned int level);                                                       \
    void __metal_texture2d_write_##suffix(const __metal_texture*, vector, unsigned int x, unsigned int y,             \
                                          unsigned int level);                                                        \
    vector __metal_texture2d_sample_##suffix(const __metal_texture*, unsigned long sampler, float x, float y,         \
                                             int offset_x, int offset_y, int lod_mode, float lod);                    \
    vector __metal_texture2d_gather_##suffix(const __metal_texture*, unsigned long sampler, float x, float y,         \
                                             int offset_x, int offset_y, int component);
__METAL_TEXTURE2D(f32, __metal_v4f)
__METAL_TEXTURE2D(i32, __metal_v4i)
__METAL_TEXTURE2D(u32, __metal_v4u)
#undef __METAL_TEXTURE2D

unsigned int __metal_texture_width(const __metal_texture*, unsigned int level);
unsigned int __metal_texture_height(const __metal_texture*, unsigned int level);
unsigned int __metal_texture_depth(const __metal_texture*, unsigned int level);
unsigned int __metal_texture_array_size(const __metal_texture*);
unsigned int __metal_texture_num_mip_levels(const __metal_texture*);
unsigned int __metal_texture_num_samples(const __metal_texture*);
void __metal_texture_fence(const __metal_texture*);

// ---- Atomics, relaxed ----

#define __METAL_ATOMIC_MODIFY(operation, suffix, type, space) \
    type __metal_atomic_##operation##_##suffix##_##space(volatile space type*, type);
#define __METAL_ATOMIC_ACCESS(suffix, type, space)                                   \
    type __metal_atomic_load_##suffix##_##space(const volatile space type*);         \
    void __metal_atomic_store_##suffix##_##space(volatile space type*, type);        \
    __METAL_ATOMIC_MODIFY(exchange, suffix, type, space)                             \
    __METAL_ATOMIC_MODIFY(fetch_add, suffix, type, space)                            \
    bool __metal_atomic_compare_exchange_##suffix##_##space(volatile space type*, type* expected, type desired);
#define __METAL_ATOMIC_INTEGER(suffix, type, space)       \
    __METAL_ATOMIC_ACCESS(suffix, type, space)            \
    __METAL_ATOMIC_MODIFY(fetch_sub, suffix, type, space) \
    __METAL_ATOMIC_MODIFY(fetch_and, suffix, type, space) \
    __METAL_ATOMIC_MODIFY(fetch_or, suffix, type, space)  \
    __METAL_ATOMIC_MODIFY(fetch_xor, suffix, type, space) \
    __METAL_ATOMIC_MODIFY(fetch_min, suffix, type, space) \
    __METAL_ATOMIC_MODIFY(fetch_max, suffix, type, space)
__METAL_ATOMIC_INTEGER(i32, int, device)
__METAL_ATOMIC_INTEGER(u32, unsigned int, device)
__METAL_ATOMIC_INTEGER(i32, int, threadgroup)
__METAL_ATOMIC_INTEGER(u32, unsigned int, threadgroup)
__METAL_ATOMIC_ACCESS(f32, float, device)
#undef __METAL_ATOMIC_INTEGER
#undef __METAL_ATOMIC_ACCESS
#undef __METAL_ATOMIC_MODIFY
}
