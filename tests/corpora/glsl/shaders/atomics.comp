#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Counters {
    uint sum; int least; int most; uint ands; uint ors; uint xors; uint tickets; uint last;
    uint histogram[8];
};
layout(std430, binding = 1) writeonly buffer Order { uint order[]; };
shared uint groupSum;
shared int groupMost;
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (gl_LocalInvocationIndex == 0u) { groupSum = 0u; groupMost = -2147483647; }
    barrier();
    atomicAdd(groupSum, i);
    atomicMax(groupMost, int(i * 37u % 101u) - 50);
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        atomicAdd(sum, groupSum);
        atomicMax(most, groupMost);
    }
    atomicMin(least, int(i * 53u % 97u) - 60);
    atomicAnd(ands, ~(1u << (i % 7u)));
    atomicOr(ors, 1u << (i % 13u));
    atomicXor(xors, i * 2654435761u);
    order[atomicAdd(tickets, 1u)] = i;
    atomicAdd(histogram[i * i % 8u], 1u);
    // A maximum by hand.
    uint seen = last, wanted = i * 31u % 257u;
    while (seen < wanted) {
        uint found = atomicCompSwap(last, seen, wanted);
        if (found == seen) break;
        seen = found;
    }
}
