#include <metal_stdlib>
#include <metal_atomic>
using namespace metal;

inline void atomic_max_float(volatile device atomic_uint* where, float value) {
    uint old = atomic_load_explicit(where, memory_order_relaxed);
    while (value > as_type<float>(old)) {
        if (atomic_compare_exchange_weak_explicit(where, &old, as_type<uint>(value), memory_order_relaxed, memory_order_relaxed)) break;
    }
}

template <typename T> static void atomic_add_cas(device atomic<uint>* address, T operand) {
    uint expected = atomic_load_explicit(address, memory_order_relaxed), desired;
    do { desired = as_type<uint>(as_type<T>(expected) + operand); }
    while (!atomic_compare_exchange_weak_explicit(address, &expected, desired, memory_order_relaxed, memory_order_relaxed));
}

static void atomic_add_half(device half* target, uint index, half v) {
    device atomic_uint* word = (device atomic_uint*)target + (index >> 1);
    uint old = atomic_load_explicit(word, memory_order_relaxed), next;
    do { half2 pair = as_type<half2>(old); pair[index & 1] += v; next = as_type<uint>(pair); }
    while (!atomic_compare_exchange_weak_explicit(word, &old, next, memory_order_relaxed, memory_order_relaxed));
}

struct Stats { atomic_int lowest; atomic<int> highest; atomic_uint count; atomic_float sum; atomic_bool any; };

kernel void gather(device const float* in [[buffer(0)]], device Stats* stats [[buffer(1)]], device atomic_uint* cells [[buffer(2)]],
                   device half* halves [[buffer(3)]], uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
    threadgroup atomic_int local;
    if (t == 0) atomic_store_explicit(&local, 0, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float v = in[i];
    atomic_fetch_min_explicit(&stats->lowest, int(v), memory_order_relaxed);
    atomic_fetch_max_explicit(&stats->highest, int(v), memory_order_relaxed);
    atomic_fetch_add_explicit(&stats->sum, v, memory_order_relaxed);
    atomic_store_explicit(&stats->any, true, memory_order_relaxed);
    atomic_max_float(&cells[0], v);
    atomic_add_cas<float>(&cells[1], v);
    atomic_fetch_or_explicit(&cells[2], 1u << (i & 31), memory_order_relaxed);
    atomic_fetch_xor_explicit(&cells[3], i, memory_order_relaxed);
    atomic_fetch_and_explicit(&cells[4], ~(1u << (i & 31)), memory_order_relaxed);
    atomic_add_half(halves, i & 3, half(1));
    atomic_fetch_add_explicit(&local, 1, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t == 0) atomic_fetch_add_explicit(&stats->count, uint(atomic_load_explicit(&local, memory_order_relaxed)), memory_order_relaxed);
}
