#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D image;
layout(std430, binding = 1) writeonly buffer Out { vec4 result[]; };
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = textureSize(image, 0);
    vec2 uv = (vec2(at) + 0.25) / 16.0;
    vec4 filtered = textureLod(image, uv, 0.0);
    vec4 exact = texelFetch(image, at % size, 0);
    vec4 four = textureGather(image, uv, 1);
    vec4 moved = textureLodOffset(image, (vec2(at % size) + 0.5) / vec2(size), 0.0, ivec2(1, -1));
    uint i = (gl_GlobalInvocationID.y * 16u + gl_GlobalInvocationID.x) * 4u;
    result[i] = filtered;
    result[i + 1u] = exact;
    result[i + 2u] = four;
    result[i + 3u] = moved;
}
