#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { uint a[]; };
layout(std430, binding = 1) writeonly buffer Out { uint result[128][16]; };
void main() {
    uint i = gl_GlobalInvocationID.x, x = a[i], lane = gl_SubgroupInvocationID;
    bool odd = (x & 1u) != 0u;
    uvec4 ballot = subgroupBallot(odd);
    uint kept = 0u;
    if (gl_SubgroupID == 1u) kept = subgroupMax(x);
    result[i] = uint[16](subgroupAdd(x), subgroupMin(x), subgroupOr(x), subgroupInclusiveAdd(x), subgroupExclusiveAdd(x),
        subgroupBroadcast(x, 5u), subgroupBroadcastFirst(x), subgroupShuffle(x, 31u - lane), subgroupShuffleXor(x, 3u),
        lane >= 2u ? subgroupShuffleUp(x, 2u) : 0u, ballot.x, subgroupBallotBitCount(ballot),
        uint(subgroupAny(x > 90u)) + 2u * uint(subgroupAll(x > 2u)) + 4u * uint(subgroupElect()),
        subgroupQuadSwapHorizontal(x) + 1000u * subgroupQuadBroadcast(x, 2u), kept, gl_NumSubgroups * 100u + gl_SubgroupSize);
}
