#version 450
layout(location=0) in vec3 n; layout(location=1) in flat uint id; layout(location=2) in vec2 uv; layout(location=3) in float f; layout(location=4) in mat3 m; layout(location=7) in St { vec2 a; flat int b; } s;  layout(location=9) in vec4 arr[3];
layout(location=0) out vec4 a; layout(location=1) out vec4 b;
layout(set=0,binding=0) uniform texture2D tex[8]; layout(set=0,binding=8) uniform sampler smp[2]; layout(push_constant) uniform P { mat4 m; layout(offset=64) vec3 v; float k; int arr[3]; } p;
layout(input_attachment_index=0, set=1, binding=12) uniform subpassInput sub;
layout(constant_id=3) const int N = 4; layout(constant_id=4) const bool B = true; layout(constant_id=5) const float S = 2.5;
void main(){ vec4 c = vec4(0); for (int i=0;i<N;i++) c += texture(sampler2D(tex[i], smp[i&1]), uv*S); float lut[N]; for (int i=0;i<N;i++) lut[i]=float(i)*c.x; if (B) c.y += lut[N-1] + lut[int(id)&3]; a = p.m * vec4(p.v*n, p.k) + c + subpassLoad(sub) + arr[int(id)%3]; b = vec4(m*n, f) + vec4(s.a, s.b, p.arr[2]); b.xyz = mix(b.xyz, inverse(m)*n, lessThan(n, vec3(.5))); }
