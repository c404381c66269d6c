//
//  Filters in the manner of image-processing frameworks: one full-screen quad, a fragment function each.
//
#include <metal_stdlib>
using namespace metal;

namespace filters {
    typedef struct {
        float4 position [[ position ]];
        float2 textureCoordinate;
    } VertexOut;

    constant half3 luminanceWeighting = half3(0.2125, 0.7154, 0.0721);

    METAL_FUNC half luminance(half3 c) { return dot(c, luminanceWeighting); }

    METAL_FUNC half overlay(half base, half top) {
        return base < 0.5h ? 2.0h * base * top : 1.0h - 2.0h * (1.0h - base) * (1.0h - top);
    }

    METAL_FUNC half3 rgb2hsl(half3 c) {
        half cmin = min3(c.r, c.g, c.b), cmax = max3(c.r, c.g, c.b), delta = cmax - cmin;
        half3 hsl(0.0h, 0.0h, (cmax + cmin) / 2.0h);
        if (delta == 0.0h) return hsl;
        hsl.y = hsl.z < 0.5h ? delta / (cmax + cmin) : delta / (2.0h - cmax - cmin);
        half3 d = (((cmax - c) / 6.0h) + (delta / 2.0h)) / delta;
        if (c.r == cmax) hsl.x = d.b - d.g;
        else if (c.g == cmax) hsl.x = (1.0h / 3.0h) + d.r - d.b;
        else hsl.x = (2.0h / 3.0h) + d.g - d.r;
        hsl.x = fract(hsl.x + 1.0h);
        return hsl;
    }

    static inline half hue(half p, half q, half t) {
        if (t < 0) t += 1;
        if (t > 1) t -= 1;
        if (t < 1.0/6.0) return p + (q - p) * 6.0h * t;
        if (t < 1.0/2.0) return q;
        if (t < 2.0/3.0) return p + (q - p) * ((2.0h / 3.0h) - t) * 6.0h;
        return p;
    }

    vertex VertexOut passthroughVertex(const device packed_float2 *position [[buffer(0)]],
                                       const device packed_float2 *texturecoord [[buffer(1)]],
                                       uint vid [[vertex_id]]) {
        VertexOut out;
        out.position = float4(position[vid], 0, 1.0);
        out.textureCoordinate = texturecoord[vid];
        return out;
    }

    struct LevelsParameters { float black; float white; float gamma; };

    fragment half4 levels(VertexOut in [[stage_in]], texture2d<half, access::sample> source [[texture(0)]],
                          sampler s [[sampler(0)]], constant LevelsParameters &p [[buffer(0)]]) {
        half4 c = source.sample(s, in.textureCoordinate);
        half3 v = clamp((c.rgb - half(p.black)) / half(p.white - p.black), 0.0h, 1.0h);
        return half4(pow(v, half3(p.gamma)), c.a);
    }

    fragment half4 saturation(VertexOut in [[stage_in]], texture2d<half> source [[texture(0)]],
                              constant float &amount [[buffer(0)]]) {
        constexpr sampler quadSampler;
        half4 color = source.sample(quadSampler, in.textureCoordinate);
        return half4(mix(half3(luminance(color.rgb)), color.rgb, half(amount)), color.a);
    }

    fragment half4 hueRotate(VertexOut in [[stage_in]], texture2d<half> source [[texture(0)]],
                             constant float &angle [[buffer(0)]]) {
        constexpr sampler s(coord::normalized, address::clamp_to_edge, filter::linear);
        half4 color = source.sample(s, in.textureCoordinate);
        half3 hsl = rgb2hsl(color.rgb);
        hsl.x = fract(hsl.x + half(angle));
        half q = hsl.z < 0.5h ? hsl.z * (1.0h + hsl.y) : hsl.z + hsl.y - hsl.z * hsl.y;
        half p = 2.0h * hsl.z - q;
        return half4(hue(p, q, hsl.x + 1.0h / 3.0h), hue(p, q, hsl.x), hue(p, q, hsl.x - 1.0h / 3.0h), color.a);
    }

    fragment half4 overlayBlend(VertexOut in [[stage_in]], texture2d<half> base [[texture(0)]],
                                texture2d<half> top [[texture(1)]], sampler s [[sampler(0)]], sampler s2 [[sampler(1)]]) {
        half4 b = base.sample(s, in.textureCoordinate);
        half4 t = top.sample(s2, in.textureCoordinate);
        return half4(overlay(b.r, t.r), overlay(b.g, t.g), overlay(b.b, t.b), b.a);
    }

    fragment half4 vignette(VertexOut vertexIn [[ stage_in ]],
                            texture2d<half, access::sample> sourceTexture [[ texture(0) ]],
                            sampler sourceSampler [[ sampler(0) ]],
                            constant float2 & center [[ buffer(0) ]],
                            constant packed_float3 & color [[ buffer(1) ]],
                            constant float2 & range [[ buffer(2) ]]) {
        half4 textureColor = sourceTexture.sample(sourceSampler, vertexIn.textureCoordinate);
        float d = distance(vertexIn.textureCoordinate, float2(center.x, center.y));
        float percent = smoothstep(range.x, range.y, d);
        return half4(mix(textureColor.rgb, half3(float3(color)), half(percent)), textureColor.a);
    }

    fragment float4 lookup(VertexOut in [[stage_in]], texture2d<float> source [[texture(0)]],
                           texture3d<float> table [[texture(1)]], constant float &intensity [[buffer(0)]]) {
        constexpr sampler s(filter::linear, s_address::clamp_to_edge, t_address::clamp_to_edge, r_address::clamp_to_edge);
        float4 color = source.sample(s, in.textureCoordinate);
        const float size = table.get_width();
        float3 where = color.rgb * ((size - 1.0) / size) + 0.5 / size;
        return mix(color, float4(table.sample(s, where).rgb, color.a), intensity);
    }
}
