#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(std140, binding = 0) uniform Frame { float time; vec3 tint; } frame;
void main() {
    float v = sin(uv.x * 10.0 + frame.time) + cos(uv.y * 8.0 - frame.time);
    v += sin(length(uv - 0.5) * 20.0);
    color = vec4(frame.tint * (0.5 + 0.5 * sin(v + vec3(0.0, 2.0, 4.0))), 1.0);
}
