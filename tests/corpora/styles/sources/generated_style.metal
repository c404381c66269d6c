#pragma clang diagnostic ignored "-Wmissing-prototypes"
#pragma clang diagnostic ignored "-Wmissing-braces"
#pragma clang diagnostic ignored "-Wunused-variable"

#include <metal_stdlib>
#include <simd/simd.h>
#include <metal_atomic>

using namespace metal;

// What cross-compilers write: wrapped arrays, discarded copies, discrete names.

template<typename T, size_t Num>
struct spvUnsafeArray
{
    T elements[Num ? Num : 1];

    thread T& operator [] (size_t pos) thread { return elements[pos]; }
    constexpr const thread T& operator [] (size_t pos) const thread { return elements[pos]; }
    device T& operator [] (size_t pos) device { return elements[pos]; }
    constexpr const device T& operator [] (size_t pos) const device { return elements[pos]; }
    constexpr const constant T& operator [] (size_t pos) const constant { return elements[pos]; }
    threadgroup T& operator [] (size_t pos) threadgroup { return elements[pos]; }
    constexpr const threadgroup T& operator [] (size_t pos) const threadgroup { return elements[pos]; }
};

template<typename Tx, typename Ty>
inline Tx mod(Tx x, Ty y)
{
    return x - y * floor(x / y);
}

struct _12
{
    float4x4 _m0;
    float3x4 _m1;
    packed_float3 _m2;
    float _m3;
    spvUnsafeArray<float4, 4> _m4;
    char _m5_pad[8];
    spvUnsafeArray<spvUnsafeArray<float2, 2>, 3> _m6;
};

constant spvUnsafeArray<float2, 3> _56 = spvUnsafeArray<float2, 3>({ float2(-1.0, -1.0), float2(3.0, -1.0), float2(-1.0, 3.0) });
constant uint SPIRV_CROSS_CONSTANT_ID_0_tmp [[function_constant(0)]];
constant uint SPIRV_CROSS_CONSTANT_ID_0 = is_function_constant_defined(SPIRV_CROSS_CONSTANT_ID_0_tmp) ? SPIRV_CROSS_CONSTANT_ID_0_tmp : 3u;
constant bool _77 = SPIRV_CROSS_CONSTANT_ID_0 > 2u;

struct main0_out
{
    float2 vUV [[user(locn0)]];
    float4 vColor_0 [[user(locn1)]];
    float4 vColor_1 [[user(locn2)]];
    uint vLayer [[user(locn3), flat]];
    float4 gl_Position [[position, invariant]];
    float gl_PointSize [[point_size]];
    uint gl_Layer [[render_target_array_index]];
};

struct main0_in
{
    float3 aPosition [[attribute(0)]];
    uint4 aJoints [[attribute(1)]];
    float4 aWeights [[attribute(2)]];
};

static inline __attribute__((always_inline))
float4 skin(thread const float4& p, constant _12& _15, thread const uint4& joints)
{
    float4 r = float4(0.0);
    for (int i = 0; i < int(SPIRV_CROSS_CONSTANT_ID_0); i++)
    {
        r += (_15._m0 * p) * _15._m4[joints[i] & 3u];
    }
    return r;
}

vertex main0_out main0(main0_in in [[stage_in]], constant _12& _15 [[buffer(0)]], uint gl_VertexIndex [[vertex_id]], uint gl_InstanceIndex [[instance_id]], uint gl_BaseVertex [[base_vertex]])
{
    main0_out out = {};
    spvUnsafeArray<float4, 2> vColor = {};
    float4 param = float4(in.aPosition, 1.0);
    uint4 param_1 = in.aJoints;
    out.gl_Position = skin(param, _15, param_1);
    out.vUV = mod(_56[(int(gl_VertexIndex) - int(gl_BaseVertex)) % 3], 2.0);
    vColor[0] = float4((_15._m1 * float3(_15._m2)).xyz, _15._m3).xyzw;
    vColor[1] = _77 ? in.aWeights.wzyx : float4(_15._m6[1][0], _15._m6[2][1]);
    out.vLayer = gl_InstanceIndex;
    out.gl_Layer = gl_InstanceIndex;
    out.gl_PointSize = 1.0;
    out.vColor_0 = vColor[0];
    out.vColor_1 = vColor[1];
    out.gl_Position.z = (out.gl_Position.z + out.gl_Position.w) * 0.5;
    return out;
}
