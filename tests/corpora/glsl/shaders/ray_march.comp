#version 450
// A sphere over a plane, lit from one side.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba32f) uniform writeonly image2D picture;
struct Hit { float distance; int material; };
float sphere(vec3 p, vec3 c, float r) { return length(p - c) - r; }
Hit scene(vec3 p) {
    Hit ground = Hit(p.y + 1.0, 0), ball = Hit(sphere(p, vec3(0.0, 0.0, 4.0), 1.0), 1);
    if (ball.distance < ground.distance) return ball;
    return ground;
}
vec3 normal(vec3 p) {
    const vec2 e = vec2(0.01, 0.0);
    return normalize(vec3(scene(p + e.xyy).distance - scene(p - e.xyy).distance,
                          scene(p + e.yxy).distance - scene(p - e.yxy).distance,
                          scene(p + e.yyx).distance - scene(p - e.yyx).distance));
}
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(picture);
    if (at.x >= size.x || at.y >= size.y) return;
    vec2 uv = (vec2(at) + 0.5) / vec2(size) * 2.0 - 1.0;
    vec3 direction = normalize(vec3(uv.x, -uv.y, 1.5)), color = vec3(0.2, 0.3, 0.5);
    float t = 0.0;
    for (int i = 0; i < 80; ++i) {
        Hit hit = scene(direction * t);
        if (hit.distance < 0.001) {
            vec3 p = direction * t, n = normal(p);
            float light = max(dot(n, normalize(vec3(1.0, 2.0, -1.0))), 0.0);
            vec3 base = hit.material == 1 ? vec3(0.9, 0.3, 0.1)
                                          : vec3(mod(floor(p.x) + floor(p.z), 2.0) < 1.0 ? 0.8 : 0.3);
            color = base * (0.1 + 0.9 * light);
            break;
        }
        t += hit.distance;
        if (t > 30.0) break;
    }
    imageStore(picture, at, vec4(color, t));
}
