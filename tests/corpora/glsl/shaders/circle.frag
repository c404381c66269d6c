#version 450
// A disc whose edge is as soft as a pixel is wide.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
void main() {
    float distance = length(uv) - 0.5;
    float width = fwidth(distance);
    color = vec4(smoothstep(width, -width, distance), width, dFdx(uv.x), dFdy(uv.y));
}
