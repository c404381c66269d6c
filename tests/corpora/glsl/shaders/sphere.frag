#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
float scene(vec3 p) { return min(length(p - vec3(0.0, 0.0, 3.0)) - 1.0, p.y + 1.0); }
void main() {
    vec3 direction = normalize(vec3(uv, 1.5));
    float t = 0.0;
    int steps = 0;
    for (; steps < 96; ++steps) {
        float d = scene(direction * t);
        if (d < 0.0005) break;
        t += d;
        if (t > 20.0) { t = -1.0; break; }
    }
    color = vec4(t, float(steps), fract(t), t < 0.0 ? 0.0 : 1.0);
}
