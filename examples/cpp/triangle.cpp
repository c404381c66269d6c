// SPDX-License-Identifier: MIT
//
// Draws a triangle with a colour at each corner and writes it to a PNG file: triangle [FILE.png]

#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "png.hpp"

namespace {

const char* source = R"(
#include <metal_stdlib>
using namespace metal;

struct Corner {
    float2 place;
    float3 colour;
};

struct Varying {
    float4 place [[position]];
    float3 colour;
};

vertex Varying corner(device const Corner* corners [[buffer(0)]], uint i [[vertex_id]])
{
    return {float4(corners[i].place, 0, 1), corners[i].colour};
}

fragment float4 inside(Varying here [[stage_in]])
{
    return float4(here.colour, 1);
}
)";

/// As the shader has it: a float3 takes 16 bytes.
struct Corner {
    alignas(8) float place[2];
    alignas(16) float colour[3];
};

constexpr Corner corners[] = {
    {{0.0f, 0.8f}, {1, 0, 0}},
    {{-0.8f, -0.8f}, {0, 1, 0}},
    {{0.8f, -0.8f}, {0, 0, 1}},
};
constexpr std::uint32_t width = 256, height = 192;

NS::String* text(const char* words) {
    return NS::String::string(words, NS::UTF8StringEncoding);
}

[[noreturn]] void stopWith(const NS::Error* error) {
    std::fprintf(stderr, "%s\n", error->localizedDescription()->utf8String());
    std::exit(1);
}

NS::SharedPtr<MTL::RenderPipelineState> makePipeline(MTL::Device* device) {
    NS::Error* error = nullptr;
    const auto library = NS::TransferPtr(device->newLibrary(text(source), nullptr, &error));
    if (!library) stopWith(error);
    const auto vertexFunction = NS::TransferPtr(library->newFunction(text("corner")));
    const auto fragmentFunction = NS::TransferPtr(library->newFunction(text("inside")));
    const auto descriptor = NS::TransferPtr(MTL::RenderPipelineDescriptor::alloc()->init());
    descriptor->setVertexFunction(vertexFunction.get());
    descriptor->setFragmentFunction(fragmentFunction.get());
    descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
    auto pipeline = NS::TransferPtr(device->newRenderPipelineState(descriptor.get(), &error));
    if (!pipeline) stopWith(error);
    return pipeline;
}

NS::SharedPtr<MTL::Texture> makeTarget(MTL::Device* device) {
    auto* descriptor = MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormatRGBA8Unorm, width, height, false);
    descriptor->setUsage(MTL::TextureUsageRenderTarget);
    descriptor->setStorageMode(MTL::StorageModeShared);
    return NS::TransferPtr(device->newTexture(descriptor));
}

}  // namespace

int main(int count, char** words) {
    const char* path = count > 1 ? words[1] : "triangle.png";
    const auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    const auto device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
    const auto pipeline = makePipeline(device.get());
    const auto target = makeTarget(device.get());
    const auto queue = NS::TransferPtr(device->newCommandQueue());

    auto* pass = MTL::RenderPassDescriptor::renderPassDescriptor();
    MTL::RenderPassColorAttachmentDescriptor* attachment = pass->colorAttachments()->object(0);
    attachment->setTexture(target.get());
    attachment->setLoadAction(MTL::LoadActionClear);
    attachment->setClearColor(MTL::ClearColor(1, 1, 1, 1));
    attachment->setStoreAction(MTL::StoreActionStore);

    MTL::CommandBuffer* commands = queue->commandBuffer();
    MTL::RenderCommandEncoder* encoder = commands->renderCommandEncoder(pass);
    encoder->setRenderPipelineState(pipeline.get());
    encoder->setVertexBytes(corners, sizeof corners, 0);
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
    encoder->endEncoding();
    commands->commit();
    commands->waitUntilCompleted();
    if (commands->status() != MTL::CommandBufferStatusCompleted) stopWith(commands->error());

    std::vector<std::uint8_t> pixels(std::size_t{width} * height * 4);
    target->getBytes(pixels.data(), width * 4, MTL::Region(0, 0, width, height), 0);
    if (!png::write(path, pixels, width, height)) {
        std::fprintf(stderr, "%s cannot be written\n", path);
        return 1;
    }
    std::printf("%s: %u x %u pixels\n", path, width, height);
    return 0;
}
