#version 450
layout(local_size_x = 32) in;
struct Material { vec3 color; float gloss; vec2 scale; int kind; };
struct Body { vec3 position; Material material; float weights[3]; mat3 turn; };
layout(std430, binding = 0) readonly buffer Bodies { uint count; Body bodies[]; } source;
layout(std430, binding = 1) writeonly buffer Results { Body bodies[]; } result;
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= source.count) return;
    Body body;
    body.position = source.bodies[i].position;
    body.material = source.bodies[i].material;
    body.turn = source.bodies[i].turn;
    for (int k = 0; k < 3; ++k) body.weights[k] = source.bodies[i].weights[k];
    body.position = body.turn * body.position;
    body.material.color = body.material.color.bgr * body.material.gloss;
    body.material.scale.y += float(body.material.kind);
    body.weights[i % 3u] *= 2.0;
    body.turn[1] = vec3(i);
    body.material.kind = ~body.material.kind;
    result.bodies[i].position = body.position;
    result.bodies[i].material = body.material;
    result.bodies[i].turn = body.turn;
    for (int k = 0; k < 3; ++k) result.bodies[i].weights[k] = body.weights[k];
}
