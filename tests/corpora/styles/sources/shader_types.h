// Shared by the application (Objective-C or Swift) and by the shaders.
#ifndef ShaderTypes_h
#define ShaderTypes_h

#ifdef __METAL_VERSION__
#define NS_ENUM(_type, _name) enum _name : _type _name; enum _name : _type
#define NSInteger metal::int32_t
#define CONSTANT constant
#else
#import <Foundation/Foundation.h>
#define CONSTANT static const
#endif

#include <simd/simd.h>

typedef NS_ENUM(NSInteger, BufferIndex)
{
    BufferIndexMeshPositions = 0,
    BufferIndexMeshGenerics  = 1,
    BufferIndexUniforms      = 2,
    BufferIndexLights        = 3
};

typedef NS_ENUM(NSInteger, VertexAttribute)
{
    VertexAttributePosition  = 0,
    VertexAttributeTexcoord  = 1,
    VertexAttributeNormal    = 2,
};

typedef enum TextureIndex
{
    TextureIndexBaseColor = 0,
    TextureIndexNormal,
    TextureIndexCount
} TextureIndex;

#define MAX_LIGHTS 4

typedef struct
{
    vector_float3 position;
    vector_float3 color;
    float         radius;
} PointLight;

typedef struct
{
    matrix_float4x4 projectionMatrix;
    matrix_float4x4 modelViewMatrix;
    matrix_float3x3 normalMatrix;
    vector_uint2    viewport;
    simd_float2     jitter;
    PointLight      lights[MAX_LIGHTS];
    int             lightCount;
} Uniforms;

CONSTANT float kGamma = 2.2f;

#endif /* ShaderTypes_h */
