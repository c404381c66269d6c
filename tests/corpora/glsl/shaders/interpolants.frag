#version 450
struct Surface { vec4 base; vec2 rough; };
layout(location = 0) in Surface surface;
layout(location = 2) noperspective in vec3 tangent;
layout(location = 3) centroid in float[2] weights;
layout(location = 0) out vec4 color;
vec4 shade(in Surface s, inout vec3 t) {
    t.xz = t.zx;
    return s.base * s.rough.x + s.rough.y;
}
void main() {
    vec3 t = tangent;
    vec4 shaded = shade(surface, t);
    color = mix(shaded, vec4(t, 1.0), weights[0]) * weights[1];
}
