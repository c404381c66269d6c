#include <metal_stdlib>
#include <metal_simdgroup>
using namespace metal;

#define RADIX_BITS 4
#define RADIX (1 << RADIX_BITS)
constexpr constant uint GROUP = 256;

template <typename T>
static T group_prefix_exclusive(T value, threadgroup T* sums, uint lane, uint simd, uint simds, thread T& total) {
    T scan = simd_prefix_exclusive_sum(value);
    if (lane == 31) sums[simd] = scan + value;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (simd == 0) {
        T s = lane < simds ? sums[lane] : T(0);
        s = simd_prefix_exclusive_sum(s);
        if (lane < simds) sums[lane] = s;
        if (lane == simds - 1) sums[32] = s;
    }
    T last = sums[simds - 1];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    total = sums[32] + last;
    return scan + sums[simd];
}

kernel void scan_blocks(device const uint* in [[buffer(0)]], device uint* out [[buffer(1)]], device uint* totals [[buffer(2)]],
                        constant uint& n [[buffer(3)]], uint gid [[thread_position_in_grid]], uint tid [[thread_position_in_threadgroup]],
                        uint group [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]],
                        uint simd [[simdgroup_index_in_threadgroup]], uint simds [[simdgroups_per_threadgroup]]) {
    threadgroup uint sums[33];
    uint total;
    uint value = gid < n ? in[gid] : 0;
    uint scan = group_prefix_exclusive(value, sums, lane, simd, simds, total);
    if (gid < n) out[gid] = scan;
    if (tid + 1 == GROUP) totals[group] = scan + value;
}

// One digit of a radix sort by one threadgroup: ballots rank the keys.
kernel void sort_digit(device uint* keys [[buffer(0)]], device uint* values [[buffer(1)]], constant uint& n [[buffer(2)]],
                       uint tid [[thread_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]],
                       uint simd [[simdgroup_index_in_threadgroup]], uint simds [[simdgroups_per_threadgroup]]) {
    threadgroup uint counts[RADIX][8];
    for (uint shift = 0; shift < 32; shift += RADIX_BITS) {
        const bool valid = tid < n;
        const uint key = valid ? keys[tid] : ~0u, value = valid ? values[tid] : 0u;
        const uint digit = extract_bits(key, shift, RADIX_BITS);
        uint same = ~0u;
        for (uint bit = 0; bit < RADIX_BITS; ++bit) {
            const bool set = (digit >> bit) & 1;
            const uint votes = uint(static_cast<simd_vote::vote_t>(simd_ballot(set)));
            same &= set ? votes : ~votes;
        }
        const uint rank = popcount(same & ((1u << lane) - 1));
        for (uint i = tid; i < RADIX * simds; i += GROUP) counts[i / simds][i % simds] = 0;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        if (rank == 0) counts[digit][simd] = popcount(same);
        threadgroup_barrier(mem_flags::mem_threadgroup);
        if (tid == 0) {
            uint running = 0;
            for (uint d = 0; d < RADIX; ++d)
                for (uint s = 0; s < simds; ++s) { const uint c = counts[d][s]; counts[d][s] = running; running += c; }
        }
        threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
        const uint place = counts[digit][simd] + rank;
        if (valid) { keys[place] = key; values[place] = value; }
        threadgroup_barrier(mem_flags::mem_device);
    }
}

kernel void bitonic(device float* data [[buffer(0)]], constant uint2& step [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    const uint k = step.x, j = step.y, other = i ^ j;
    if (other > i) {
        const bool ascending = (i & k) == 0;
        const float a = data[i], b = data[other];
        if ((a > b) == ascending) { data[i] = b; data[other] = a; }
    }
}
