#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba8) uniform readonly image2D source;
layout(binding = 1, rgba8) uniform writeonly image2D result;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(source);
    if (any(greaterThanEqual(at, size))) return;
    vec4 sum = vec4(0.0);
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) sum += imageLoad(source, clamp(at + ivec2(dx, dy), ivec2(0), size - 1));
    imageStore(result, at, sum / 9.0);
}
