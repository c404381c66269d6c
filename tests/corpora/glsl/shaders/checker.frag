#version 450
layout(location = 0) flat in int cells;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 color;
void main() {
    ivec2 cell = ivec2(floor(uv * float(cells)));
    if (((cell.x + cell.y) & 1) == 1) discard;
    color = vec4(vec2(cell) / float(cells), gl_FrontFacing ? 1.0 : 0.0, 1.0);
}
