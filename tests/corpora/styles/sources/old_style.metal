#include <metal_common>
#include <metal_texture>
#include <metal_geometric>
#include <metal_graphics>
#include <metal_matrix>

using namespace metal;

// Metal 1 as it was written at first.

struct vertex_in {
    packed_float3 position;
    packed_uchar4 color;
};

struct vertex_out {
    float4 position [[ position ]];
    half4  color;
    float  point_size [[ point_size ]];
    float  clip [[ clip_distance ]] [1];
};

struct constants_t {
    float4x4 modelview_projection_matrix;
    float4x4 normal_matrix;
} __attribute__ ((aligned (256)));

vertex vertex_out unlit_vertex (device vertex_in* vertex_array [[ buffer (0) ]],
                                constant constants_t& constants [[ buffer (1) ]],
                                unsigned int vid [[ vertex_id ]],
                                unsigned int iid [[ instance_id ]])
{
    vertex_out out;
    float4 in_position = float4 (float3 (vertex_array[vid].position), 1.0);
    out.position = constants.modelview_projection_matrix * in_position;
    uchar4 c = vertex_array[vid].color;
    out.color = half4 (float4 (c) / 255.0);
    out.point_size = 2.0f + float (iid);
    out.clip[0] = in_position.x;
    return out;
}

fragment half4 unlit_fragment (vertex_out in [[ stage_in ]], float2 where [[ point_coord ]], bool front [[ front_facing ]])
{
    if (length (where - 0.5) > 0.5) discard_fragment ();
    return front ? in.color : half4 (in.color.bgr, in.color.a);
}

typedef struct { float4 m_Position [[position]]; float2 m_TexCoord [[user(texturecoord)]]; } FragInput;

fragment float4 textured (FragInput in [[ stage_in ]], texture2d<float> tex2D [[ texture (0) ]], sampler sampler2D [[ sampler (0) ]],
                          depth2d<float> shadow [[ texture (1) ]])
{
    constexpr sampler shadow_sampler (coord::normalized, filter::linear, address::clamp_to_edge, compare_func::less);
    float lit = shadow.sample_compare (shadow_sampler, in.m_TexCoord, in.m_Position.z);
    return tex2D.sample (sampler2D, in.m_TexCoord) * mix (0.5, 1.0, lit);
}
