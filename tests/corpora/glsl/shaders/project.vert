#version 450
layout(std140, binding = 0) uniform Camera { mat4 view; mat4 projection; } camera;
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec2 passed;
layout(location = 1) out vec3 normal;
void main() {
    gl_Position = camera.projection * camera.view * vec4(position, 1.0);
    passed = uv + float(gl_VertexIndex);
    normal = transpose(inverse(mat3(camera.view))) * position;
}
