#include <metal_stdlib>
#include <simd/simd.h>

using namespace metal;

struct spvDescriptorSetBuffer0
{
    array<texture2d<float>, 4> textures [[id(0)]];
    array<sampler, 4> texturesSmplr [[id(4)]];
    constant float4* ubo [[id(8)]];
    device uint* ssbo [[id(9)]];
    texture_buffer<uint, access::read_write> texels [[id(10)]];
    texture2d<uint, access::read_write> image [[id(11)]];
    device atomic_uint* image_atomic [[id(12)]];
};

struct Push { float4x4 transform; uint index; };

#define spvImage2DAtomicCoord(tc, tex) (((((tex).get_width() + 3) / 4) * 4) * (tc).y + (tc).x)

kernel void main0(constant spvDescriptorSetBuffer0& spvDescriptorSet0 [[buffer(0)]], constant Push& push [[buffer(1)]],
                  constant uint* spvSwizzleConstants [[buffer(30)]],
                  uint3 gl_GlobalInvocationID [[thread_position_in_grid]], uint gl_SubgroupSize [[threads_per_simdgroup]],
                  uint3 gl_NumWorkGroups [[threadgroups_per_grid]])
{
    uint i = gl_GlobalInvocationID.x & 3u;
    float4 c = spvDescriptorSet0.textures[i].sample(spvDescriptorSet0.texturesSmplr[i], float2(0.5), level(0.0));
    c = push.transform * c + (*spvDescriptorSet0.ubo);
    spvDescriptorSet0.ssbo[gl_GlobalInvocationID.x] = pack_float_to_unorm4x8(c) + gl_SubgroupSize * gl_NumWorkGroups.x + spvSwizzleConstants[0];
    spvDescriptorSet0.texels.write(uint4(7u), uint(gl_GlobalInvocationID.x));
    uint2 at = uint2(gl_GlobalInvocationID.xy);
    spvDescriptorSet0.image.write(uint4(spvDescriptorSet0.image.read(at).x + 1u), at);
    spvDescriptorSet0.image.fence();
    uint old = atomic_fetch_add_explicit((device atomic_uint*)&spvDescriptorSet0.image_atomic[spvImage2DAtomicCoord(at, spvDescriptorSet0.image)], 1u, memory_order_relaxed);
    spvDescriptorSet0.ssbo[gl_GlobalInvocationID.x + 64] = old;
}
