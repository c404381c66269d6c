#version 450
layout(location = 0) in vec3 normal;
layout(location = 1) flat in uint id;
layout(location = 0) out vec4 color;
layout(location = 1) out uvec2 object;
layout(location = 2) out float depth;
void main() {
    vec3 n = normalize(normal);
    const vec3 palette[4] = vec3[](vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1), vec3(1, 1, 0));
    color = vec4(palette[id % 4u] * max(dot(n, vec3(0.0, 0.0, 1.0)), 0.1), n.x);
    object = uvec2(id, id * id);
    depth = gl_FragCoord.z + gl_FragCoord.x * 0.001;
}
