#version 450
layout(location=0) in vec2 uv; layout(location=0, index=0) out vec4 c0; layout(location=0, index=1) out vec4 c1; layout(binding=0) uniform sampler2D a[4]; layout(binding=4) uniform sampler2DMSArray msa; layout(early_fragment_tests) in;
layout(binding=9) buffer Cnt { uint n; vec4 log_[]; }; layout(binding=12, rgba32f) uniform coherent image2D im;
vec3 hsv(vec3 c){ vec4 K=vec4(1.,2./3.,1./3.,3.); vec3 p=abs(fract(c.xxx+K.xyz)*6.-K.www); return c.z*mix(K.xxx,clamp(p-K.xxx,0.,1.),c.y);} 
void main(){ c0=vec4(hsv(vec3(uv,1)),1)+texture(a[int(gl_FragCoord.x)&3],uv,1.); c1=texelFetch(msa, ivec3(0,0,1), 2); uint k=atomicAdd(n,1u); log_[k]=gl_FragCoord; imageStore(im, ivec2(uv), imageLoad(im, ivec2(uv))+c0); c1.x += textureLodOffset(a[0], uv, 0., ivec2(-1)).x + textureGatherOffset(a[1], uv, ivec2(1,2), 1).x + textureGradOffset(a[0], uv, uv, uv, ivec2(1)).y + dFdxFine(uv.x)+dFdyCoarse(uv.y)+fwidthFine(uv.x); if (uv.x>3.) c1 = vec4(0); }
