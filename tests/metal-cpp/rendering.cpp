// SPDX-License-Identifier: MIT
//
// Render passes from source to picture: pipelines, state, draws of every form, and what goes wrong with them.

#include <array>
#include <cstring>
#include <thread>
#include <vector>

#include "metal.hpp"

namespace {

constexpr const char* source = R"(
#include <metal_stdlib>
using namespace metal;

struct Corner { float4 position [[position]]; };

// Triangle i of the whole square [-1, 1].
vertex Corner square(uint v [[vertex_id]]) {
    const float2 corners[6] = {float2(-1, -1), float2(1, -1), float2(-1, 1), float2(-1, 1), float2(1, -1), float2(1, 1)};
    return {float4(corners[v], 0.5f, 1)};
}
fragment float4 plain(constant float4& color [[buffer(0)]]) { return color; }

struct Vertex { float2 place [[attribute(0)]]; float4 color [[attribute(1)]]; };
struct Colored { float4 position [[position]]; float4 color; };
vertex Colored colored(Vertex in [[stage_in]], constant float& depth [[buffer(1)]]) {
    return {float4(in.place, depth, 1), in.color};
}
fragment float4 shade(Colored in [[stage_in]]) { return in.color; }

struct Half { half4 color; };
fragment float4 narrow(Half in [[stage_in]]) { return float4(in.color); }
struct More { float4 color; float2 uv; };
fragment float4 more(More in [[stage_in]]) { return in.color + in.uv.xyxy; }
fragment uint4 whole() { return uint4(1); }

vertex Corner columns(uint v [[vertex_id]], uint i [[instance_id]]) {
    const float x = -1 + 0.5f * i + 0.5f * (v & 1), y = (v >> 1) ? 1 : -1;
    return {float4(x, y, 0, 1)};
}

[[visible]] float4 red() { return float4(1, 0, 0, 1); }
[[visible]] float4 green() { return float4(0, 1, 0, 1); }
fragment float4 called(visible_function_table<float4()> table [[buffer(0)]], constant uint& which [[buffer(1)]]) {
    return table[which]();
}

struct Textures { texture2d<float> all[2]; constant float4* factor; };
fragment float4 fromArguments(constant Textures& textures [[buffer(0)]], float4 at [[position]]) {
    return textures.all[uint(at.x) & 1].read(uint2(0)) * *textures.factor;
}

constant bool isBright [[function_constant(0)]];
fragment float4 maybe() { return isBright ? float4(1) : float4(0, 0, 0, 1); }
)";

MTL::Library* all() {
    static auto compiled = library(source);
    return compiled.get();
}

NS::SharedPtr<MTL::Function> function(const char* name) {
    return NS::TransferPtr(all()->newFunction(text(name)));
}

NS::SharedPtr<MTL::RenderPipelineDescriptor> described(const char* vertex, const char* fragment) {
    auto descriptor = NS::TransferPtr(MTL::RenderPipelineDescriptor::alloc()->init());
    descriptor->setVertexFunction(function(vertex).get());
    if (fragment != nullptr) descriptor->setFragmentFunction(function(fragment).get());
    descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
    return descriptor;
}

NS::SharedPtr<MTL::RenderPipelineState> made(const MTL::RenderPipelineDescriptor* descriptor) {
    NS::Error* error = nullptr;
    auto pipeline = NS::TransferPtr(device()->newRenderPipelineState(descriptor, &error));
    if (!pipeline) std::fprintf(stderr, "%s\n", error->localizedDescription()->utf8String());
    return pipeline;
}

bool isRefused(const MTL::RenderPipelineDescriptor* descriptor, const char* part) {
    NS::Error* error = nullptr;
    auto pipeline = NS::TransferPtr(device()->newRenderPipelineState(descriptor, &error));
    return !pipeline && error != nullptr && contains(error->localizedDescription(), part);
}

NS::SharedPtr<MTL::VertexDescriptor> coloredVertices() {
    auto vertices = NS::TransferPtr(MTL::VertexDescriptor::alloc()->init());
    vertices->attributes()->object(0)->setFormat(MTL::VertexFormatFloat2);
    vertices->attributes()->object(1)->setFormat(MTL::VertexFormatFloat4);
    vertices->attributes()->object(1)->setOffset(8);
    vertices->layouts()->object(0)->setStride(24);
    return vertices;
}

NS::SharedPtr<MTL::Texture> target(NS::UInteger width = 8, NS::UInteger height = 8,
                                   MTL::PixelFormat format = MTL::PixelFormatRGBA8Unorm, NS::UInteger samples = 1) {
    auto* descriptor = MTL::TextureDescriptor::texture2DDescriptor(format, width, height, false);
    if (samples != 1) {
        descriptor->setTextureType(MTL::TextureType2DMultisample);
        descriptor->setSampleCount(samples);
    }
    descriptor->setUsage(MTL::TextureUsageRenderTarget | MTL::TextureUsageShaderRead);
    return NS::TransferPtr(device()->newTexture(descriptor));
}

MTL::RenderPassDescriptor* passOn(const MTL::Texture* texture) {
    auto* pass = MTL::RenderPassDescriptor::renderPassDescriptor();
    auto* color = pass->colorAttachments()->object(0);
    color->setTexture(texture);
    color->setLoadAction(MTL::LoadActionClear);
    color->setStoreAction(MTL::StoreActionStore);
    return pass;
}

template <class Encode>
MTL::CommandBuffer* render(const MTL::RenderPassDescriptor* pass, Encode encode) {
    MTL::CommandBuffer* commandBuffer = queue()->commandBuffer();
    MTL::RenderCommandEncoder* encoder = commandBuffer->renderCommandEncoder(pass);
    if (encoder != nullptr) {
        encode(encoder);
        encoder->endEncoding();
    }
    commandBuffer->commit();
    commandBuffer->waitUntilCompleted();
    return commandBuffer;
}

using Pixel = std::array<std::uint8_t, 4>;

std::vector<Pixel> pixels(MTL::Texture* texture) {
    std::vector<Pixel> all(texture->width() * texture->height());
    texture->getBytes(all.data(), texture->width() * 4, MTL::Region(0, 0, texture->width(), texture->height()), 0);
    return all;
}

bool areAll(MTL::Texture* texture, Pixel pixel) {
    for (const Pixel& one : pixels(texture)) {
        if (one != pixel) return false;
    }
    return true;
}

constexpr Pixel redPixel = {255, 0, 0, 255}, greenPixel = {0, 255, 0, 255}, black = {0, 0, 0, 255};
constexpr float redColor[] = {1, 0, 0, 1}, greenColor[] = {0, 1, 0, 1};

void testSquare() {
    auto pipeline = made(described("square", "plain").get());
    auto texture = target();
    const auto* ended = render(passOn(texture.get()), [&](MTL::RenderCommandEncoder* encoder) {
        encoder->setLabel(text("a square"));
        encoder->setRenderPipelineState(pipeline.get());
        encoder->setFragmentBytes(redColor, sizeof redColor, 0);
        encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(6));
    });
    CHECK(hasCompleted(ended));
    CHECK(areAll(texture.get(), redPixel));
}

void testScissorAndViewport() {
    auto pipeline = made(described("square", "plain").get());
    auto texture = target();
    CHECK(hasCompleted(render(passOn(texture.get()), [&](MTL::RenderCommandEncoder* encoder) {
        encoder->setRenderPipelineState(pipeline.get());
        encoder->setFragmentBytes(redColor, sizeof redColor, 0);
        encoder->setViewport({0, 0, 4, 8, 0, 1});
        encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(6));
        encoder->setViewport({0, 0, 8, 8, 0, 1});
        encoder->setScissorRect({6, 0, 2, 4});
        encoder->setFragmentBytes(greenColor, sizeof greenColor, 0);
        encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(6));
    })));
    const auto all = pixels(texture.get());
    for (std::size_t y = 0; y < 8; ++y) {
        for (std::size_t x = 0; x < 8; ++x)
            CHECK(all[y * 8 + x] == (x < 4 ? redPixel : x >= 6 && y < 4 ? greenPixel : black));
    }
}

void testDrawsOfEveryForm() {
    auto descriptor = described("colored", "shade");
    descriptor->setVertexDescriptor(coloredVertices().get());
    auto pipeline = made(descriptor.get());
    struct Vertex {
        float place[2], color[4];
    };
    const Vertex vertices[] = {
        {{-1, -1}, {1, 0, 0, 1}}, {{1, -1}, {1, 0, 0, 1}}, {{-1, 1}, {1, 0, 0, 1}}, {{1, 1}, {1, 0, 0, 1}}};
    const std::uint16_t indices[] = {0, 1, 2, 2, 1, 3};
    const float depth = 0.5f;
    auto vertexBuffer = NS::TransferPtr(device()->newBuffer(vertices, sizeof vertices, MTL::ResourceStorageModeShared));
    auto indexBuffer = NS::TransferPtr(device()->newBuffer(indices, sizeof indices, MTL::ResourceStorageModeShared));
    const MTL::DrawPrimitivesIndirectArguments plain = {4, 1, 0, 0};
    const MTL::DrawIndexedPrimitivesIndirectArguments indexed = {6, 1, 0, 0, 0};
    auto plainBuffer = NS::TransferPtr(device()->newBuffer(&plain, sizeof plain, MTL::ResourceStorageModeShared));
    auto indexedBuffer = NS::TransferPtr(device()->newBuffer(&indexed, sizeof indexed, MTL::ResourceStorageModeShared));
    for (int form = 0; form < 5; ++form) {
        auto texture = target();
        CHECK(hasCompleted(render(passOn(texture.get()), [&](MTL::RenderCommandEncoder* encoder) {
            encoder->setRenderPipelineState(pipeline.get());
            encoder->setVertexBuffer(vertexBuffer.get(), 0, 0);
            encoder->setVertexBytes(&depth, sizeof depth, 1);
            const auto strip = MTL::PrimitiveTypeTriangleStrip, triangles = MTL::PrimitiveTypeTriangle;
            if (form == 0) encoder->drawPrimitives(strip, NS::UInteger(0), NS::UInteger(4));
            if (form == 1)
                encoder->drawIndexedPrimitives(triangles, NS::UInteger(6), MTL::IndexTypeUInt16, indexBuffer.get(),
                                               NS::UInteger(0));
            if (form == 2) encoder->drawPrimitives(strip, plainBuffer.get(), NS::UInteger(0));
            if (form == 3)
                encoder->drawIndexedPrimitives(triangles, MTL::IndexTypeUInt16, indexBuffer.get(), NS::UInteger(0),
                                               indexedBuffer.get(), NS::UInteger(0));
            if (form == 4)
                encoder->drawIndexedPrimitives(triangles, NS::UInteger(6), MTL::IndexTypeUInt16, indexBuffer.get(),
                                               NS::UInteger(0), NS::UInteger(1), NS::Integer(0), NS::UInteger(0));
        })));
        CHECK(areAll(texture.get(), redPixel));
    }
}

void testInstances() {
    auto pipeline = made(described("columns", "plain").get());
    auto texture = target();
    CHECK(hasCompleted(render(passOn(texture.get()), [&](MTL::RenderCommandEncoder* encoder) {
        encoder->setRenderPipelineState(pipeline.get());
        encoder->setFragmentBytes(greenColor, sizeof greenColor, 0);
        encoder->drawPrimitives(MTL::PrimitiveTypeTriangleStrip, NS::UInteger(0), NS::UInteger(4), NS::UInteger(2));
    })));
    const auto all = pixels(texture.get());
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == (i % 8 < 4 ? greenPixel : black));
}

void testDepthAndVisibility() {
    auto descriptor = described("colored", "shade");
    descriptor->setVertexDescriptor(coloredVertices().get());
    descriptor->setDepthAttachmentPixelFormat(MTL::PixelFormatDepth32Float);
    auto pipeline = made(descriptor.get());
    auto states = NS::TransferPtr(MTL::DepthStencilDescriptor::alloc()->init());
    states->setDepthCompareFunction(MTL::CompareFunctionLess);
    states->setDepthWriteEnabled(true);
    auto less = NS::TransferPtr(device()->newDepthStencilState(states.get()));
    auto texture = target(), depths = target(8, 8, MTL::PixelFormatDepth32Float);
    auto counts = buffer(24);
    std::memset(counts->contents(), 0xff, 24);
    const auto strip = [](float r, float g) {
        return std::array<float, 24>{-1, -1, r, g, 0, 1, 1, -1, r, g, 0, 1, -1, 1, r, g, 0, 1, 1, 1, r, g, 0, 1};
    };
    const auto near = strip(1, 0), far = strip(0, 1);
    auto* pass = passOn(texture.get());
    pass->depthAttachment()->setTexture(depths.get());
    pass->setVisibilityResultBuffer(counts.get());
    CHECK(hasCompleted(render(pass, [&](MTL::RenderCommandEncoder* encoder) {
        encoder->setRenderPipelineState(pipeline.get());
        encoder->setDepthStencilState(less.get());
        const auto draw = [&](const std::array<float, 24>& vertices, float depth) {
            encoder->setVertexBytes(vertices.data(), sizeof vertices, 0);
            encoder->setVertexBytes(&depth, sizeof depth, 1);
            encoder->drawPrimitives(MTL::PrimitiveTypeTriangleStrip, NS::UInteger(0), NS::UInteger(4));
        };
        encoder->setVisibilityResultMode(MTL::VisibilityResultModeCounting, 0);
        draw(near, 0.25f);
        encoder->setVisibilityResultMode(MTL::VisibilityResultModeCounting, 8);
        draw(far, 0.75f);
        encoder->setVisibilityResultMode(MTL::VisibilityResultModeDisabled, 0);
    })));
    CHECK(areAll(texture.get(), redPixel));
    const auto* counted = static_cast<const std::uint64_t*>(counts->contents());
    CHECK(counted[0] == 64 && counted[1] == 0 && counted[2] == UINT64_MAX);
}

void testParallelEncoders() {
    auto pipeline = made(described("square", "plain").get());
    auto texture = target();
    auto* pass = passOn(texture.get());
    pass->colorAttachments()->object(0)->setStoreAction(MTL::StoreActionUnknown);
    MTL::CommandBuffer* commandBuffer = queue()->commandBuffer();
    MTL::ParallelRenderCommandEncoder* parallel = commandBuffer->parallelRenderCommandEncoder(pass);
    std::vector<MTL::RenderCommandEncoder*> encoders;
    for (int i = 0; i < 8; ++i) encoders.push_back(parallel->renderCommandEncoder());
    std::vector<std::thread> threads;
    // Each thread draws some rows; encoder i is later than all before it, whatever thread is first.
    for (int i = 7; i >= 0; --i) {
        threads.emplace_back([&, i] {
            auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
            const float color[] = {i / 7.0f, 0, 0, 1};
            encoders[i]->setRenderPipelineState(pipeline.get());
            encoders[i]->setFragmentBytes(color, sizeof color, 0);
            encoders[i]->setScissorRect({0, NS::UInteger(i), 8, NS::UInteger(8 - i)});
            encoders[i]->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(6));
            encoders[i]->endEncoding();
        });
    }
    for (std::thread& thread : threads) thread.join();
    parallel->setColorStoreAction(MTL::StoreActionStore, 0);
    parallel->endEncoding();
    commandBuffer->commit();
    commandBuffer->waitUntilCompleted();
    CHECK(hasCompleted(commandBuffer));
    const auto all = pixels(texture.get());
    for (int y = 0; y < 8; ++y) CHECK(all[y * 8][0] == (255 * y + 3) / 7);
}

void testCopiedDescriptors() {
    auto descriptor = described("square", "called");
    auto* linked = MTL::LinkedFunctions::linkedFunctions();
    auto red = function("red");
    const NS::Object* functions[] = {red.get()};
    linked->setFunctions(NS::Array::array(functions, 1));
    descriptor->setFragmentLinkedFunctions(linked);
    descriptor->vertexDescriptor()->layouts()->object(2)->setStride(16);
    auto copy = NS::TransferPtr(descriptor->copy());
    linked->setFunctions(nullptr);
    descriptor->fragmentLinkedFunctions()->setPrivateFunctions(NS::Array::array(functions, 1));
    descriptor->vertexDescriptor()->layouts()->object(2)->setStride(32);
    descriptor->colorAttachments()->object(0)->setBlendingEnabled(true);
    CHECK(descriptor->fragmentLinkedFunctions()->functions()->count() == 1);
    CHECK(copy->fragmentLinkedFunctions()->functions()->count() == 1);
    CHECK(copy->fragmentLinkedFunctions()->privateFunctions() == nullptr);
    CHECK(copy->vertexDescriptor()->layouts()->object(2)->stride() == 16);
    CHECK(!copy->colorAttachments()->object(0)->isBlendingEnabled());
}

void testFunctionTables() {
    CHECK(device()->supportsFunctionPointersFromRender());
    auto descriptor = described("square", "called");
    auto red = function("red"), green = function("green");
    const NS::Object* functions[] = {red.get(), green.get()};
    auto* linked = MTL::LinkedFunctions::linkedFunctions();
    linked->setFunctions(NS::Array::array(functions, 2));
    descriptor->setFragmentLinkedFunctions(linked);
    auto pipeline = made(descriptor.get());
    auto* size = MTL::VisibleFunctionTableDescriptor::visibleFunctionTableDescriptor();
    size->setFunctionCount(2);
    auto table = NS::TransferPtr(pipeline->newVisibleFunctionTable(size, MTL::RenderStageFragment));
    table->setFunction(pipeline->functionHandle(red.get(), MTL::RenderStageFragment), 0);
    table->setFunction(pipeline->functionHandle(text("green"), MTL::RenderStageFragment), 1);
    CHECK(pipeline->functionHandle(red.get(), MTL::RenderStageVertex) == nullptr);
    for (std::uint32_t which = 0; which < 2; ++which) {
        auto texture = target();
        CHECK(hasCompleted(render(passOn(texture.get()), [&](MTL::RenderCommandEncoder* encoder) {
            encoder->setRenderPipelineState(pipeline.get());
            encoder->setFragmentVisibleFunctionTable(table.get(), 0);
            encoder->setFragmentBytes(&which, sizeof which, 1);
            encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(6));
        })));
        CHECK(areAll(texture.get(), which == 0 ? redPixel : greenPixel));
    }
}

void testArgumentBuffer() {
    auto descriptor = described("square", "fromArguments");
    auto pipeline = made(descriptor.get());
    auto fragment = function("fromArguments");
    auto encoder = NS::TransferPtr(fragment->newArgumentEncoder(0));
    auto arguments = buffer(encoder->encodedLength()), factor = buffer(16);
    const float ones[] = {1, 1, 1, 1};
    std::memcpy(factor->contents(), ones, sizeof ones);
    NS::SharedPtr<MTL::Texture> textures[] = {target(1, 1), target(1, 1)};
    textures[0]->replaceRegion(MTL::Region(0, 0, 1, 1), 0, redPixel.data(), 4);
    textures[1]->replaceRegion(MTL::Region(0, 0, 1, 1), 0, greenPixel.data(), 4);
    encoder->setArgumentBuffer(arguments.get(), 0);
    for (NS::UInteger i = 0; i < 2; ++i) encoder->setTexture(textures[i].get(), i);
    encoder->setBuffer(factor.get(), 0, 2);
    auto texture = target();
    CHECK(hasCompleted(render(passOn(texture.get()), [&](MTL::RenderCommandEncoder* pass) {
        pass->setRenderPipelineState(pipeline.get());
        pass->setFragmentBuffer(arguments.get(), 0, 0);
        for (const auto& used : textures)
            pass->useResource(used.get(), MTL::ResourceUsageRead, MTL::RenderStageFragment);
        pass->useResource(factor.get(), MTL::ResourceUsageRead, MTL::RenderStageFragment);
        pass->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(6));
    })));
    const auto all = pixels(texture.get());
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == (i % 2 == 0 ? redPixel : greenPixel));
}

void testIndirectCommands() {
    auto descriptor = described("colored", "shade");
    descriptor->setVertexDescriptor(coloredVertices().get());
    descriptor->setSupportIndirectCommandBuffers(true);
    auto pipeline = made(descriptor.get());
    auto commandsDescriptor = NS::TransferPtr(MTL::IndirectCommandBufferDescriptor::alloc()->init());
    commandsDescriptor->setCommandTypes(MTL::IndirectCommandTypeDraw | MTL::IndirectCommandTypeDrawIndexed);
    commandsDescriptor->setInheritBuffers(false);
    commandsDescriptor->setInheritPipelineState(false);
    commandsDescriptor->setMaxVertexBufferBindCount(2);
    auto commands = NS::TransferPtr(device()->newIndirectCommandBuffer(commandsDescriptor.get(), 4, 0));
    // Rows of the square, one a command.
    auto vertices = buffer(4 * 96), depth = buffer(4);
    auto indices = buffer(12);
    const std::uint16_t corners[] = {0, 1, 2, 2, 1, 3};
    std::memcpy(indices->contents(), corners, sizeof corners);
    for (int i = 0; i < 4; ++i) {
        const float low = 1 - 0.5f * (i + 1), high = low + 0.5f, red = i % 2 == 0 ? 1 : 0;
        const float quad[] = {-1, low,  red, 1 - red, 0, 1, 1, low,  red, 1 - red, 0, 1,
                              -1, high, red, 1 - red, 0, 1, 1, high, red, 1 - red, 0, 1};
        std::memcpy(static_cast<char*>(vertices->contents()) + 96 * i, quad, sizeof quad);
        MTL::IndirectRenderCommand* command = commands->indirectRenderCommand(i);
        command->setRenderPipelineState(pipeline.get());
        command->setVertexBuffer(vertices.get(), 96 * i, 0);
        command->setVertexBuffer(depth.get(), 0, 1);
        if (i % 2 == 0) {
            command->drawPrimitives(MTL::PrimitiveTypeTriangleStrip, 0, 4, 1, 0);
        } else {
            command->drawIndexedPrimitives(MTL::PrimitiveTypeTriangle, 6, MTL::IndexTypeUInt16, indices.get(), 0, 1, 0,
                                           0);
        }
    }
    const MTL::IndirectCommandBufferExecutionRange few = {1, 2};
    auto ranges = NS::TransferPtr(device()->newBuffer(&few, sizeof few, MTL::ResourceStorageModeShared));
    const auto executed = [&](bool isIndirect) {
        auto texture = target();
        CHECK(hasCompleted(render(passOn(texture.get()), [&](MTL::RenderCommandEncoder* encoder) {
            if (isIndirect) {
                encoder->executeCommandsInBuffer(commands.get(), ranges.get(), 0);
            } else {
                encoder->executeCommandsInBuffer(commands.get(), NS::Range(0, 4));
            }
        })));
        return pixels(texture.get());
    };
    const auto whole = executed(false);
    for (int y = 0; y < 8; ++y) CHECK(whole[y * 8 + 3] == (y / 2 % 2 == 0 ? redPixel : greenPixel));
    const auto part = executed(true);
    for (int y = 0; y < 8; ++y) CHECK(part[y * 8 + 3] == (y / 2 == 1 ? greenPixel : y / 2 == 2 ? redPixel : black));
    commands->indirectRenderCommand(1)->setCullMode(MTL::CullModeFront);
    commands->indirectRenderCommand(1)->setFrontFacingWinding(MTL::WindingCounterClockwise);
    commands->reset(NS::Range(2, 1));
    const auto culled = executed(true);
    for (int y = 0; y < 8; ++y) CHECK(culled[y * 8 + 3] == black);
}

void testReflection() {
    MTL::RenderPipelineReflection* reflection = nullptr;
    NS::Error* error = nullptr;
    auto descriptor = described("square", "plain");
    auto pipeline = NS::TransferPtr(
        device()->newRenderPipelineState(descriptor.get(), MTL::PipelineOptionArgumentInfo, &reflection, &error));
    CHECK(pipeline && reflection != nullptr);
    CHECK(reflection->vertexArguments()->count() == 0 && reflection->fragmentArguments()->count() == 1);
    const auto* color = reflection->fragmentBindings()->object<MTL::BufferBinding>(0);
    CHECK(contains(color->name(), "color") && color->index() == 0 && color->bufferDataSize() == 16);
}

void testFunctionConstants() {
    auto values = NS::TransferPtr(MTL::FunctionConstantValues::alloc()->init());
    const bool bright = true;
    values->setConstantValue(&bright, MTL::DataTypeBool, NS::UInteger(0));
    NS::Error* error = nullptr;
    auto maybe = NS::TransferPtr(all()->newFunction(text("maybe"), values.get(), &error));
    auto descriptor = described("square", nullptr);
    descriptor->setFragmentFunction(maybe.get());
    auto pipeline = made(descriptor.get());
    auto texture = target();
    CHECK(hasCompleted(render(passOn(texture.get()), [&](MTL::RenderCommandEncoder* encoder) {
        encoder->setRenderPipelineState(pipeline.get());
        encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(6));
    })));
    CHECK(areAll(texture.get(), {255, 255, 255, 255}));
    auto unknown = described("square", "maybe");
    CHECK(isRefused(unknown.get(), "function constant 'isBright' has no value"));
}

void testPipelinesThatDoNotFit() {
    auto empty = NS::TransferPtr(MTL::RenderPipelineDescriptor::alloc()->init());
    CHECK(isRefused(empty.get(), "vertexFunction must not be nil"));
    CHECK(isRefused(described("plain", "plain").get(), "function 'plain' is not a vertex function"));
    CHECK(isRefused(described("square", "square").get(), "function 'square' is not a fragment function"));
    CHECK(isRefused(described("colored", "shade").get(), "attribute place [[attribute(0)]] needs a vertexDescriptor"));
    CHECK(isRefused(described("square", "shade").get(),
                    "fragment function 'shade' takes float4 color, which vertex function 'square' does not give"));
    CHECK(isRefused(described("square", "whole").get(),
                    "color(0) is uint4, but colorAttachments[0].pixelFormat is MTLPixelFormatRGBA8Unorm, which has "
                    "floating-point numbers"));
    auto vertices = coloredVertices();
    const auto colored = [&](const char* fragment) {
        auto descriptor = described("colored", fragment);
        descriptor->setVertexDescriptor(vertices.get());
        return descriptor;
    };
    CHECK(isRefused(colored("narrow").get(), "takes color as half4, but vertex function 'colored' gives it as float4"));
    CHECK(isRefused(colored("more").get(), "takes float2 uv, which vertex function 'colored' does not give"));
    vertices->layouts()->object(0)->setStride(16);
    CHECK(isRefused(colored("shade").get(), "has offset(8) + size(16), must be <= the stride(16) of buffer 0"));
    vertices = coloredVertices();
    vertices->attributes()->object(0)->setFormat(MTL::VertexFormatInt2);
    CHECK(isRefused(colored("shade").get(), "is float2, which MTLVertexFormat 33 does not give"));
    auto samples = described("square", "plain");
    samples->setRasterSampleCount(3);
    CHECK(isRefused(samples.get(), "rasterSampleCount is 3, must be 1, 2, 4 or 8"));
    auto depth = described("square", "plain");
    depth->setDepthAttachmentPixelFormat(MTL::PixelFormatRGBA8Unorm);
    CHECK(isRefused(depth.get(), "depthAttachmentPixelFormat is MTLPixelFormatRGBA8Unorm, which has no depth"));
    auto blended = described("square", "whole");
    blended->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Uint);
    blended->colorAttachments()->object(0)->setBlendingEnabled(true);
    CHECK(isRefused(blended.get(), "cannot be blended"));
}

void testDrawsThatCannotBe() {
    auto pipeline = made(described("square", "plain").get());
    auto texture = target();
    const auto fails = [&](const char* part, auto encode) {
        return hasFailed(render(passOn(texture.get()), encode), part);
    };
    using Encoder = MTL::RenderCommandEncoder;
    const auto square = [](Encoder* encoder) {
        encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(6));
    };
    CHECK(fails("drawPrimitives: no render pipeline state is set", square));
    CHECK(fails("Fragment Function(plain): missing Buffer binding at index 0 for color[0]", [&](Encoder* encoder) {
        encoder->setRenderPipelineState(pipeline.get());
        square(encoder);
    }));
    CHECK(fails("setScissorRect: rect.x(4) + rect.width(5) must be <= the render pass width(8)",
                [](Encoder* encoder) { encoder->setScissorRect({4, 0, 5, 1}); }));
    CHECK(fails("setViewport: viewport.zfar(2) must be 0 to 1",
                [](Encoder* encoder) { encoder->setViewport({0, 0, 8, 8, 0, 2}); }));
    CHECK(fails("setVisibilityResultMode: the pass has no visibilityResultBuffer",
                [](Encoder* encoder) { encoder->setVisibilityResultMode(MTL::VisibilityResultModeBoolean, 0); }));
    CHECK(fails("setVertexBuffer: index (31) must be < 31",
                [](Encoder* encoder) { encoder->setVertexBuffer(nullptr, 0, 31); }));
    auto other = described("square", "plain");
    other->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatBGRA8Unorm);
    auto others = made(other.get());
    CHECK(
        fails("the pipeline state's colorAttachments[0].pixelFormat is MTLPixelFormatBGRA8Unorm, but the pass has "
              "MTLPixelFormatRGBA8Unorm",
              [&](Encoder* encoder) { encoder->setRenderPipelineState(others.get()); }));
    CHECK(areAll(texture.get(), {0, 0, 0, 0}));  // none of them drew
}

void testPassesThatCannotBe() {
    const auto refused = [](const MTL::RenderPassDescriptor* pass, const char* part) {
        return hasFailed(render(pass, [](MTL::RenderCommandEncoder*) {}), part);
    };
    auto texture = target();
    auto* sampled = MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormatRGBA8Unorm, 8, 8, false);
    auto unusable = NS::TransferPtr(device()->newTexture(sampled));
    CHECK(refused(passOn(unusable.get()), "doesn't specify required usage (MTLTextureUsageRenderTarget)"));
    CHECK(refused(MTL::RenderPassDescriptor::renderPassDescriptor(), "the pass has no attachment"));
    auto* level = passOn(texture.get());
    level->colorAttachments()->object(0)->setLevel(1);
    CHECK(refused(level, "colorAttachments[0].level(1) must be < the texture's mipmapLevelCount(1)"));
    auto* resolving = passOn(texture.get());
    resolving->colorAttachments()->object(0)->setStoreAction(MTL::StoreActionMultisampleResolve);
    CHECK(refused(resolving, "colorAttachments[0].storeAction resolves, but its resolveTexture is nil"));
    auto samples = target(8, 8, MTL::PixelFormatRGBA8Unorm, 4);
    auto* mixed = passOn(texture.get());
    mixed->colorAttachments()->object(1)->setTexture(samples.get());
    CHECK(refused(mixed, "colorAttachments[1]: the texture's sampleCount is 4, but that of colorAttachments[0] is 1"));
    auto* unknown = passOn(texture.get());
    unknown->colorAttachments()->object(0)->setStoreAction(MTL::StoreActionUnknown);
    CHECK(refused(unknown, "colorAttachments[0].storeAction is MTLStoreActionUnknown still"));
}

void testDescriptorsAreCopied() {
    auto descriptor = described("square", "plain");
    descriptor->colorAttachments()->object(2)->setWriteMask(MTL::ColorWriteMaskRed);
    auto copy = NS::TransferPtr(descriptor->copy());
    descriptor->colorAttachments()->object(2)->setWriteMask(MTL::ColorWriteMaskNone);
    CHECK(copy->colorAttachments()->object(2)->writeMask() == MTL::ColorWriteMaskRed);
    CHECK(copy->vertexFunction() == descriptor->vertexFunction());
    descriptor->reset();
    CHECK(descriptor->vertexFunction() == nullptr);
    CHECK(descriptor->colorAttachments()->object(0)->pixelFormat() == MTL::PixelFormatInvalid);
    auto* pass = MTL::RenderPassDescriptor::renderPassDescriptor();
    pass->depthAttachment()->setClearDepth(0.5);
    auto passCopy = NS::TransferPtr(pass->copy());
    pass->setDepthAttachment(nullptr);
    CHECK(passCopy->depthAttachment()->clearDepth() == 0.5 && pass->depthAttachment()->clearDepth() == 1);
    auto stencils = NS::TransferPtr(MTL::DepthStencilDescriptor::alloc()->init());
    stencils->frontFaceStencil()->setReadMask(3);
    auto stencilCopy = NS::TransferPtr(stencils->copy());
    stencils->setFrontFaceStencil(nullptr);
    CHECK(stencilCopy->frontFaceStencil()->readMask() == 3);
    CHECK(stencils->frontFaceStencil()->readMask() == UINT32_MAX);
}

}  // namespace

int main() {
    RUN(testSquare);
    RUN(testScissorAndViewport);
    RUN(testDrawsOfEveryForm);
    RUN(testInstances);
    RUN(testDepthAndVisibility);
    RUN(testParallelEncoders);
    RUN(testCopiedDescriptors);
    RUN(testFunctionTables);
    RUN(testArgumentBuffer);
    RUN(testIndirectCommands);
    RUN(testReflection);
    RUN(testFunctionConstants);
    RUN(testPipelinesThatDoNotFit);
    RUN(testDrawsThatCannotBe);
    RUN(testPassesThatCannotBe);
    RUN(testDescriptorsAreCopied);
    return failures == 0 ? 0 : 1;
}
