// SPDX-License-Identifier: MIT
//
// What a kernel says of its arguments, in Apple's classes and in MTL::Portable.

#include "metal.hpp"

namespace {

constexpr const char* source = R"(
#include <metal_stdlib>
using namespace metal;

struct Light { float3 position; half power[4]; };
struct Scene { uint count; Light lights[2]; };

// Shades every point.
// In one pass.
kernel void shade(device const float4* points [[buffer(3)]],
                  device float* out [[buffer(1)]],
                  constant Scene& scene [[buffer(0)]],
                  texture2d<float, access::write> image [[texture(2)]],
                  sampler smooth [[sampler(1)]],
                  texture2d<half> noise [[texture(0)]],
                  threadgroup float2* scratch [[threadgroup(0)]],
                  uint i [[thread_position_in_grid]])
{
    scratch[i] = points[i].xy;
    out[i] = scene.lights[0].position.x * scratch[i].x + noise.sample(smooth, float2(0)).x;
    image.write(float4(scene.count), uint2(i, 0));
}
)";

NS::SharedPtr<MTL::Function> shade() {
    static auto compiled = library(source);
    return NS::TransferPtr(compiled->newFunction(text("shade")));
}

void testBindingsFollowTheSource() {
    MTL::ComputePipelineReflection* reflection = nullptr;
    NS::Error* error = nullptr;
    auto function = shade();
    auto state = NS::TransferPtr(
        device()->newComputePipelineState(function.get(), MTL::PipelineOptionBindingInfo, &reflection, &error));
    CHECK(state && reflection != nullptr);
    if (!state) return;
    NS::Array* bindings = reflection->bindings();
    CHECK(bindings->count() == 7);
    const auto* points = bindings->object<MTL::BufferBinding>(0);
    CHECK(points->name()->isEqualToString(text("points")) && points->type() == MTL::BindingTypeBuffer);
    CHECK(points->index() == 3 && points->access() == MTL::BindingAccessReadOnly && points->isUsed());
    CHECK(points->bufferDataType() == MTL::DataTypeFloat4 && points->bufferDataSize() == 16);
    CHECK(points->bufferPointerType()->elementType() == MTL::DataTypeFloat4);
    CHECK(points->bufferStructType() == nullptr);
    CHECK(bindings->object<MTL::Binding>(1)->access() != MTL::BindingAccessReadOnly);
    const auto* image = bindings->object<MTL::TextureBinding>(3);
    CHECK(image->type() == MTL::BindingTypeTexture && image->access() == MTL::BindingAccessWriteOnly);
    CHECK(image->textureType() == MTL::TextureType2D && image->textureDataType() == MTL::DataTypeFloat);
    CHECK(bindings->object<MTL::Binding>(4)->type() == MTL::BindingTypeSampler);
    CHECK(bindings->object<MTL::TextureBinding>(5)->textureDataType() == MTL::DataTypeHalf);
    const auto* scratch = bindings->object<MTL::ThreadgroupBinding>(6);
    CHECK(scratch->type() == MTL::BindingTypeThreadgroupMemory && scratch->threadgroupMemoryDataSize() == 8);
    CHECK(reflection->arguments()->object<MTL::Argument>(2)->bufferDataType() == MTL::DataTypeStruct);
}

void testStructsShowTheirMembers() {
    auto function = shade();
    const auto* scene = MTL::Portable::bindings(function.get())->object<MTL::BufferBinding>(2);
    MTL::StructType* type = scene->bufferStructType();
    CHECK(type != nullptr && type->members()->count() == 2);
    if (type == nullptr) return;
    MTL::StructMember* lights = type->memberByName(text("lights"));
    CHECK(lights->offset() == 16 && lights->dataType() == MTL::DataTypeArray && lights->structType() == nullptr);
    CHECK(lights->arrayType()->arrayLength() == 2 && lights->arrayType()->stride() == 32);
    MTL::StructType* light = lights->arrayType()->elementStructType();
    CHECK(light->memberByName(text("power"))->arrayType()->elementType() == MTL::DataTypeHalf);
    CHECK(light->memberByName(text("power"))->offset() == 16);
    CHECK(type->memberByName(text("none")) == nullptr);
    CHECK(scene->bufferDataSize() == 80 && scene->bufferAlignment() == 16);
}

void testPortableFacts() {
    namespace portable = MTL::Portable;
    auto function = shade();
    NS::Array* bindings = portable::bindings(function.get());
    const auto* points = bindings->object<MTL::Binding>(0);
    const auto* scene = bindings->object<MTL::Binding>(2);
    CHECK(contains(portable::typeText(points), "device const float4"));
    CHECK(portable::addressSpace(points)->isEqualToString(text("device")) && !portable::isReference(points));
    CHECK(portable::addressSpace(scene)->isEqualToString(text("constant")) && portable::isReference(scene));
    CHECK(portable::name(portable::type(points))->isEqualToString(text("float4")));
    CHECK(portable::size(portable::type(scene)) == 80);
    CHECK(portable::type(bindings->object<MTL::Binding>(4)) == nullptr);
    CHECK(contains(portable::signature(function.get()), "void shade("));
    CHECK(contains(portable::comment(function.get()), "In one pass."));
    CHECK(portable::line(function.get()) == 10);
}

}  // namespace

int main() {
    RUN(testBindingsFollowTheSource);
    RUN(testStructsShowTheirMembers);
    RUN(testPortableFacts);
    return failures != 0;
}
