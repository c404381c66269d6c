#include <metal_stdlib>
#include <simd/simd.h>

// Types that the application's code shares with this.
#import "shader_types.h"

using namespace metal;

typedef struct
{
    float3 position [[attribute(VertexAttributePosition)]];
    float2 texCoord [[attribute(VertexAttributeTexcoord)]];
    half3  normal   [[attribute(VertexAttributeNormal)]];
} Vertex;

typedef struct
{
    float4 position [[position]];
    float2 texCoord;
    half3  normal;
    float3 eye;
} ColorInOut;

vertex ColorInOut meshVertex(Vertex in [[stage_in]],
                             constant Uniforms & uniforms [[ buffer(BufferIndexUniforms) ]])
{
    ColorInOut out;

    float4 position = float4(in.position, 1.0);
    float4 eye = uniforms.modelViewMatrix * position;
    out.position = uniforms.projectionMatrix * eye;
    out.position.xy += uniforms.jitter * out.position.w / float2(uniforms.viewport);
    out.texCoord = in.texCoord;
    out.normal = half3(normalize(uniforms.normalMatrix * float3(in.normal)));
    out.eye = eye.xyz;

    return out;
}

fragment half4 meshFragment(ColorInOut in [[stage_in]],
                            constant Uniforms & uniforms [[ buffer(BufferIndexUniforms) ]],
                            texture2d<half> colorMap     [[ texture(TextureIndexBaseColor) ]],
                            texture2d<half> normalMap    [[ texture(TextureIndexNormal) ]])
{
    constexpr sampler colorSampler(mip_filter::linear,
                                   mag_filter::linear,
                                   min_filter::linear);

    half4 albedo = colorMap.sample(colorSampler, in.texCoord.xy);
    half3 n = normalize(in.normal + normalMap.sample(colorSampler, in.texCoord).xyz * 0.25h);
    float3 total = 0;
    for (int i = 0; i < uniforms.lightCount; i++)
    {
        const constant PointLight & light = uniforms.lights[i];
        float3 toLight = light.position - in.eye;
        float d = length(toLight);
        float attenuation = saturate(1.0 - d / light.radius);
        total += light.color * attenuation * max(dot(float3(n), toLight / d), 0.0);
    }
    return half4(half3(pow(float3(albedo.rgb) * total, 1.0 / kGamma)), albedo.a);
}
