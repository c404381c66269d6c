#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_shuffle_relative : enable
#extension GL_KHR_shader_subgroup_quad : enable
#extension GL_KHR_shader_subgroup_clustered : enable
#extension GL_KHR_shader_subgroup_basic : enable
layout(local_size_x=64) in; layout(binding=0) buffer B { uint x[]; }; layout(binding=1) buffer F { vec4 f[]; };
void main(){ uint i = gl_GlobalInvocationID.x; uint v = x[i]; uint r = subgroupAdd(v) + subgroupInclusiveAdd(v) + subgroupExclusiveAdd(v) + subgroupMul(v) + subgroupMin(v) + subgroupMax(v) + subgroupAnd(v) + subgroupOr(v) + subgroupXor(v) + subgroupInclusiveMul(v)+subgroupExclusiveMul(v);
 uvec4 b = subgroupBallot(v > 3u); r += subgroupBallotBitCount(b) + subgroupBallotInclusiveBitCount(b) + subgroupBallotExclusiveBitCount(b) + subgroupBallotFindLSB(b) + subgroupBallotFindMSB(b) + uint(subgroupInverseBallot(b)) + uint(subgroupBallotBitExtract(b, 3)) + gl_SubgroupEqMask.x + gl_SubgroupGeMask.x + gl_SubgroupGtMask.x + gl_SubgroupLeMask.x + gl_SubgroupLtMask.x;
 r += uint(subgroupAll(v>1u)) + uint(subgroupAny(v>1u)) + uint(subgroupAllEqual(v)) + uint(subgroupAllEqual(f[i])) + subgroupShuffle(v, 3) + subgroupShuffleXor(v, 1) + subgroupShuffleUp(v, 1) + subgroupShuffleDown(v, 2) + subgroupBroadcast(v, 5) + subgroupBroadcastFirst(v) + uint(subgroupElect());
 vec4 q = f[i]; q += subgroupQuadBroadcast(q, 2) + subgroupQuadSwapHorizontal(q) + subgroupQuadSwapVertical(q) + subgroupQuadSwapDiagonal(q) + subgroupAdd(q) + subgroupClusteredAdd(q, 4) + subgroupClusteredMax(q, 4); r += subgroupBroadcast(uint(v>2u), 1);
 subgroupBarrier(); subgroupMemoryBarrier(); x[i] = r + gl_SubgroupID + gl_NumSubgroups + gl_SubgroupInvocationID + gl_SubgroupSize; f[i] = q; }
