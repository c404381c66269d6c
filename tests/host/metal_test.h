// SPDX-License-Identifier: MIT
//
// What a test kernel written in C++ needs: address spaces and intrinsics of the host target, and KERNEL(name,
// slots...), which defines the entry. The reference (REFERENCE) has the same functions over plain memory, one fiber a
// thread.

#pragma once

#include <stdint.h>

typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned long ulong;

#ifdef REFERENCE
#define DEVICE
#define CONSTANT const
#define THREADGROUP
#else
#define DEVICE __attribute__((address_space(5)))
#define CONSTANT const __attribute__((address_space(6)))
#define THREADGROUP __attribute__((address_space(3)))
#endif

extern "C" {
void* __metal_argument(int slot);
THREADGROUP void* __metal_threadgroup_argument(int slot);
int __metal_index(int kind, int dimension) __attribute__((const));
void __metal_threadgroup_barrier(int flags) __attribute__((convergent, noduplicate));
void __metal_simdgroup_barrier(int flags) __attribute__((convergent, noduplicate));
int __metal_atomic_fetch_add_i32_device(volatile DEVICE int* p, int v);
int __metal_atomic_fetch_max_i32_device(volatile DEVICE int* p, int v);
int __metal_atomic_exchange_i32_device(volatile DEVICE int* p, int v);
int __metal_atomic_fetch_add_i32_threadgroup(volatile THREADGROUP int* p, int v);
}

template <class T>
inline DEVICE T* device(int slot) {
    return (DEVICE T*)__metal_argument(slot);
}
template <class T>
inline CONSTANT T* constant(int slot) {
    return (CONSTANT T*)__metal_argument(slot);
}

inline int gid(int d = 0) {
    return __metal_index(0, d);
}
inline int group(int d = 0) {
    return __metal_index(1, d);
}
inline int tid(int d = 0) {
    return __metal_index(2, d);
}
inline int groupSize(int d = 0) {
    return __metal_index(3, d);
}
inline int gridSize(int d = 0) {
    return __metal_index(4, d);
}
inline int flat() {
    return __metal_index(6, 0);
}
inline void barrier() {
    __metal_threadgroup_barrier(3);
}

#define KERNEL(name) extern "C" void name()
