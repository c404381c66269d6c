#version 450
layout(location=0) in vec3 pos; layout(location=1) in uvec4 j; layout(location=2) in vec4 w; layout(location=3) in mat4 inst; layout(location=7) in ivec2 i2;
layout(location=0) out VS { vec3 n; vec2 uv; flat int id; } o; layout(location=4) out vec4 cols[2]; layout(location=6) out mat2 mm;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; };
layout(std140, binding=0) uniform U { layout(row_major) mat4 vp; mat3x4 sk[16]; vec3 t[4]; float fs[5]; bool flag; mat2 q; layout(row_major) mat3 rm; } u;
layout(std430, binding=1) readonly buffer B { vec3 v[]; } bb; layout(std430, binding=2) buffer C { layout(row_major) mat4x3 m[]; } cc; layout(binding=3) uniform sampler2D hm;
invariant gl_Position;
void main(){ vec4 p = vec4(0); for (int i=0;i<4;i++) p.xyz += w[i]*(vec4(pos,1)*u.sk[j[i]]); p = inst * p; if (u.flag) p.xyz += u.t[gl_InstanceIndex&3]*u.fs[2] + bb.v[gl_VertexIndex] + cc.m[1]*p; p.xyz = u.rm*p.xyz; cc.m[0] = mat4x3(p.xyz, pos, pos, pos); cc.m[2][1] = pos; cc.m[2][1].y = 3.; gl_Position = u.vp * p + textureLod(hm, p.xy, 0.); gl_PointSize = 3.; gl_ClipDistance[0] = p.x; gl_ClipDistance[1] = float(gl_VertexIndex); o.n = transpose(mat3(inst))*pos; o.uv = vec2(i2)*u.q; o.id = gl_InstanceIndex; cols[0]=p; cols[1]=p.wzyx; mm = outerProduct(p.xy,p.zw); }
