// SPDX-License-Identifier: MIT
//
// Kernels from source to result: libraries, function constants, dispatches, and what goes wrong with them.

#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

#include "metal.hpp"

namespace {

constexpr const char* source = R"(
#include <metal_stdlib>
using namespace metal;

kernel void number(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = i; }

kernel void number3(device uint* out [[buffer(0)]], uint3 p [[thread_position_in_grid]],
                    uint3 size [[threads_per_grid]]) {
    out[(p.z * size.y + p.y) * size.x + p.x] = p.x + 100 * p.y + 10000 * p.z;
}

struct Params { float scale; float3 offset; };
kernel void scaled(device const float* in [[buffer(0)]], device float* out [[buffer(1)]],
                   constant Params& params [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    out[i] = in[i] * params.scale + params.offset.y;
}

kernel void reversed(device const int* in [[buffer(0)]], device int* out [[buffer(1)]],
                     threadgroup int* tile [[threadgroup(0)]], uint i [[thread_position_in_grid]],
                     uint t [[thread_index_in_threadgroup]], uint n [[threads_per_threadgroup]]) {
    tile[t] = in[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[i] = tile[n - 1 - t];
}

kernel void inverted(texture2d<float, access::read> in [[texture(0)]],
                     texture2d<float, access::write> out [[texture(1)]], uint2 p [[thread_position_in_grid]]) {
    float4 c = in.read(p);
    out.write(float4(1 - c.rgb, c.a), p);
}

kernel void sampled(texture2d<float> in [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]],
                    uint i [[thread_position_in_grid]]) {
    out[i] = in.sample(s, float2((i + 0.5f) / 4, 0.5f)).x;
}

kernel void wild(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i - 0x400000000ul] = 1; }

kernel void forever(device uint* out [[buffer(0)]]) {
    while (true) out[0] = out[0] + 1;
}
)";

MTL::Library* all() {
    static auto compiled = library(source);
    return compiled.get();
}

NS::SharedPtr<MTL::ComputePipelineState> kernel(const char* name) {
    auto function = NS::TransferPtr(all()->newFunction(text(name)));
    return pipeline(function.get());
}

template <class T>
T* contents(const NS::SharedPtr<MTL::Buffer>& buffer) {
    return static_cast<T*>(buffer->contents());
}

void testEveryThreadRunsOnce() {
    auto state = kernel("number");
    constexpr NS::UInteger count = 10'007;
    auto out = buffer(count * 4);
    CHECK(hasCompleted(compute([&](MTL::ComputeCommandEncoder* e) {
        e->setComputePipelineState(state.get());
        e->setBuffer(out.get(), 0, 0);
        e->dispatchThreads(MTL::Size(count, 1, 1), MTL::Size(256, 1, 1));
    })));
    bool isRight = true;
    for (NS::UInteger i = 0; i < count; ++i) isRight &= contents<std::uint32_t>(out)[i] == i;
    CHECK(isRight);
    CHECK(state->threadExecutionWidth() == 32 && state->maxTotalThreadsPerThreadgroup() == 1024);
}

void testThreeDimensionsInAnyShape() {
    auto state = kernel("number3");
    auto out = buffer(7 * 5 * 3 * 4);
    for (const MTL::Size shape :
         {MTL::Size(4, 2, 1), MTL::Size(3, 3, 2), MTL::Size(8, 8, 4), MTL::Size(16, 4, 1), MTL::Size(32, 1, 1)}) {
        std::memset(out->contents(), 0xFF, out->length());
        CHECK(hasCompleted(compute([&](MTL::ComputeCommandEncoder* e) {
            e->setComputePipelineState(state.get());
            e->setBuffer(out.get(), 0, 0);
            e->dispatchThreads(MTL::Size(7, 5, 3), shape);
        })));
        bool isRight = true;
        for (std::uint32_t i = 0; i < 105; ++i) {
            isRight &= contents<std::uint32_t>(out)[i] == i % 7 + 100 * (i / 7 % 5) + 10000 * (i / 35);
        }
        CHECK(isRight);
    }
}

void testBindingsAreThoseOfTheDispatch() {
    auto state = kernel("scaled");
    struct alignas(16) Params {
        float scale;
        float pad[3];
        float offset[4];
    } params{2, {}, {0, 1, 0, 0}};
    auto in = buffer(64);
    auto out = buffer(192);
    for (int i = 0; i < 16; ++i) contents<float>(in)[i] = static_cast<float>(i);
    CHECK(hasCompleted(compute([&](MTL::ComputeCommandEncoder* e) {
        e->setComputePipelineState(state.get());
        e->setBuffer(in.get(), 0, 0);
        e->setBuffer(out.get(), 0, 1);
        e->setBytes(&params, sizeof params, 2);
        params.scale = 99;  // the bytes were copied
        e->dispatchThreads(MTL::Size(16, 1, 1), MTL::Size(16, 1, 1));
        e->setBufferOffset(64, 1);
        params.scale = 3;
        e->setBytes(&params, sizeof params, 2);
        e->dispatchThreadgroups(MTL::Size(4, 1, 1), MTL::Size(4, 1, 1));
        e->memoryBarrier(MTL::BarrierScopeBuffers);
        e->setBuffer(out.get(), 64, 0);
        e->setBufferOffset(128, 1);
        e->dispatchThreads(MTL::Size(16, 1, 1), MTL::Size(32, 1, 1));
    })));
    const float* results = contents<float>(out);
    CHECK(results[5] == 11 && results[16 + 5] == 16 && results[32 + 5] == 49);
}

void testThreadgroupMemory() {
    auto state = kernel("reversed");
    auto in = buffer(256 * 4);
    auto out = buffer(256 * 4);
    for (int i = 0; i < 256; ++i) contents<int>(in)[i] = i;
    const auto encode = [&](MTL::ComputeCommandEncoder* e, NS::UInteger length) {
        e->setComputePipelineState(state.get());
        e->setBuffer(in.get(), 0, 0);
        e->setBuffer(out.get(), 0, 1);
        if (length != 0) e->setThreadgroupMemoryLength(length, 0);
        e->dispatchThreads(MTL::Size(256, 1, 1), MTL::Size(64, 1, 1));
    };
    CHECK(hasCompleted(compute([&](auto* e) { encode(e, 256); })));
    CHECK(contents<int>(out)[0] == 63 && contents<int>(out)[64] == 127 && contents<int>(out)[255] == 192);
    CHECK(hasFailed(compute([&](auto* e) { encode(e, 0); }), "missing threadgroupMemory binding at index 0 for tile"));
    CHECK(hasFailed(compute([&](auto* e) { encode(e, 24); }), "must be a multiple of 16"));
    CHECK(hasFailed(compute([&](auto* e) { encode(e, 32784); }), "must be <= 32768"));
}

void testIndirectDispatch() {
    auto state = kernel("number");
    auto out = buffer(64 * 4);
    auto sizes = buffer(64);
    const std::uint32_t groups[] = {3, 1, 1};
    std::memcpy(contents<char>(sizes) + 16, groups, sizeof groups);
    const auto encode = [&](MTL::ComputeCommandEncoder* e, NS::UInteger offset) {
        e->setComputePipelineState(state.get());
        e->setBuffer(out.get(), 0, 0);
        e->dispatchThreadgroups(sizes.get(), offset, MTL::Size(16, 1, 1));
    };
    CHECK(hasCompleted(compute([&](auto* e) { encode(e, 16); })));
    CHECK(contents<std::uint32_t>(out)[47] == 47 && contents<std::uint32_t>(out)[48] == 0);
    CHECK(hasFailed(compute([&](auto* e) { encode(e, 56); }), "indirectBufferOffset(56)"));
}

void testTexturesAndSamplers() {
    auto* form = MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormatRGBA8Unorm, 4, 1, false);
    auto in = NS::TransferPtr(device()->newTexture(form));
    form->setUsage(MTL::TextureUsageShaderWrite);
    auto out = NS::TransferPtr(device()->newTexture(form));
    const std::uint8_t texels[] = {0, 10, 20, 255, 255, 250, 240, 1, 50, 60, 70, 80, 90, 100, 110, 120};
    in->replaceRegion(MTL::Region(0, 0, 4, 1), 0, texels, 16);
    auto invert = kernel("inverted");
    const auto encode = [&](MTL::ComputeCommandEncoder* e, MTL::Texture* target) {
        e->setComputePipelineState(invert.get());
        e->setTexture(in.get(), 0);
        e->setTexture(target, 1);
        e->dispatchThreads(MTL::Size(4, 1, 1), MTL::Size(8, 8, 1));
    };
    CHECK(hasCompleted(compute([&](auto* e) { encode(e, out.get()); })));
    std::uint8_t result[16] = {};
    out->getBytes(result, 16, MTL::Region(0, 0, 4, 1), 0);
    CHECK(result[0] == 255 && result[1] == 245 && result[3] == 255 && result[5] == 5 && result[15] == 120);
    CHECK(hasFailed(compute([&](auto* e) { encode(e, in.get()); }),
                    "doesn't specify required usage (MTLTextureUsageShaderWrite)"));
    CHECK(hasFailed(compute([&](auto* e) { encode(e, nullptr); }), "missing Texture binding at index 1 for out"));

    auto samplerForm = NS::TransferPtr(MTL::SamplerDescriptor::alloc()->init());
    samplerForm->setMagFilter(MTL::SamplerMinMagFilterLinear);
    auto sampler = NS::TransferPtr(device()->newSamplerState(samplerForm.get()));
    auto values = buffer(16);
    auto sample = kernel("sampled");
    CHECK(hasCompleted(compute([&](MTL::ComputeCommandEncoder* e) {
        e->setComputePipelineState(sample.get());
        e->setTexture(in.get(), 0);
        e->setSamplerState(sampler.get(), 0);
        e->setBuffer(values.get(), 0, 0);
        e->dispatchThreads(MTL::Size(4, 1, 1), MTL::Size(4, 1, 1));
    })));
    CHECK(std::fabs(contents<float>(values)[2] - 50 / 255.0f) < 1e-5f);
}

void testCopiedDescriptors() {
    auto descriptor = NS::TransferPtr(MTL::ComputePipelineDescriptor::alloc()->init());
    descriptor->stageInputDescriptor()->layouts()->object(2)->setStride(16);
    descriptor->setLinkedFunctions(MTL::LinkedFunctions::linkedFunctions());
    auto copy = NS::TransferPtr(descriptor->copy());
    descriptor->stageInputDescriptor()->layouts()->object(2)->setStride(32);
    descriptor->linkedFunctions()->setFunctions(NS::Array::array());
    CHECK(descriptor->stageInputDescriptor()->layouts()->object(2)->stride() == 32);
    CHECK(copy->stageInputDescriptor()->layouts()->object(2)->stride() == 16);
    CHECK(copy->linkedFunctions()->functions() == nullptr);
}

void testEncoderMistakes() {
    auto state = kernel("scaled");
    auto number = kernel("number");
    auto data = buffer(64);
    const auto fails = [&](const char* part, auto encode) { return hasFailed(compute(encode), part); };
    CHECK(fails("no compute pipeline state is set",
                [&](auto* e) { e->dispatchThreads(MTL::Size(1, 1, 1), MTL::Size(1, 1, 1)); }));
    CHECK(fails("index (31) must be < 31", [&](auto* e) { e->setBuffer(data.get(), 0, 31); }));
    CHECK(fails("offset(64) must be < the buffer's length(64)", [&](auto* e) { e->setBuffer(data.get(), 64, 0); }));
    CHECK(fails("length(5000)", [&](auto* e) { e->setBytes(data->contents(), 5000, 0); }));
    CHECK(fails("missing Buffer binding at index 0 for in", [&](auto* e) {
        e->setComputePipelineState(state.get());
        e->dispatchThreads(MTL::Size(1, 1, 1), MTL::Size(1, 1, 1));
    }));
    CHECK(fails("has space for 4 bytes, but argument has a length(32)", [&](auto* e) {
        e->setComputePipelineState(state.get());
        e->setBuffer(data.get(), 0, 0);
        e->setBuffer(data.get(), 0, 1);
        e->setBytes(data->contents(), 4, 2);
        e->dispatchThreads(MTL::Size(1, 1, 1), MTL::Size(1, 1, 1));
    }));
    CHECK(fails("with write access enabled", [&](auto* e) {
        e->setComputePipelineState(number.get());
        e->setBytes(data->contents(), 4, 0);
        e->dispatchThreads(MTL::Size(1, 1, 1), MTL::Size(1, 1, 1));
    }));
    const auto shaped = [&](MTL::Size grid, MTL::Size group) {
        return [=, &number, &data](MTL::ComputeCommandEncoder* e) {
            e->setComputePipelineState(number.get());
            e->setBuffer(data.get(), 0, 0);
            e->dispatchThreads(grid, group);
        };
    };
    CHECK(fails("must be <= 1024", shaped(MTL::Size(1, 1, 1), MTL::Size(1025, 1, 1))));
    CHECK(fails("must be <= 1024", shaped(MTL::Size(1, 1, 1), MTL::Size(1ul << 63, 2, 1))));
    CHECK(fails("must be > 0 in every dimension", shaped(MTL::Size(1, 1, 1), MTL::Size(1, 0, 1))));
    CHECK(fails("threadsPerGrid.width(0) must be > 0", shaped(MTL::Size(0, 1, 1), MTL::Size(1, 1, 1))));
    CHECK(fails("threadsPerGrid.height(4294967296)", shaped(MTL::Size(1, 1ul << 32, 1), MTL::Size(1, 1, 1))));
    CHECK(hasCompleted(compute(shaped(MTL::Size(16, 1, 1), MTL::Size(16, 1, 1)))));
}

void testKernelsThatFaultAreSurvived() {
    auto state = kernel("wild");
    auto data = buffer(4096);
    data->setLabel(text("results"));
    MTL::CommandBuffer* failed = compute([&](MTL::ComputeCommandEncoder* e) {
        e->setComputePipelineState(state.get());
        e->setBuffer(data.get(), 0, 0);
        e->dispatchThreads(MTL::Size(1, 1, 1), MTL::Size(1, 1, 1));
    });
    CHECK(hasFailed(failed, "wild") && hasFailed(failed, "'results'"));
    CHECK(failed->error()->code() == MTL::CommandBufferErrorPageFault);
    MTL::Portable::Fault fault;
    CHECK(MTL::Portable::fault(failed, fault) && fault.kernel == "wild" && fault.nearestBuffer == "results");
    testEveryThreadRunsOnce();
}

void testEndlessKernelsAreStopped() {
    auto state = kernel("forever");
    auto data = buffer(4);
    MTL::CommandBuffer* commandBuffer = queue()->commandBuffer();
    MTL::ComputeCommandEncoder* encoder = commandBuffer->computeCommandEncoder();
    encoder->setComputePipelineState(state.get());
    encoder->setBuffer(data.get(), 0, 0);
    encoder->dispatchThreads(MTL::Size(1, 1, 1), MTL::Size(1, 1, 1));
    encoder->endEncoding();
    commandBuffer->commit();
    CHECK(!MTL::Portable::wait(commandBuffer, 0.05));
    MTL::Portable::stop(commandBuffer, 1);
    CHECK(MTL::Portable::wait(commandBuffer, 5));
    CHECK(commandBuffer->error()->code() == MTL::CommandBufferErrorTimeout);
    testEveryThreadRunsOnce();
}

void testFunctionConstants() {
    auto constants = library(R"(
        #include <metal_stdlib>
        using namespace metal;
        constant int factor [[function_constant(0)]];
        constant bool negate [[function_constant(3)]];
        kernel void multiplied(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
            out[i] = int(i) * (negate ? -factor : factor);
        })");
    NS::Error* error = nullptr;
    auto plain = NS::TransferPtr(constants->newFunction(text("multiplied")));
    CHECK(plain->functionConstantsDictionary()->count() == 2);
    auto* factor = plain->functionConstantsDictionary()->object<MTL::FunctionConstant>(text("factor"));
    CHECK(factor->index() == 0 && factor->type() == MTL::DataTypeInt && factor->required());
    CHECK(device()->newComputePipelineState(plain.get(), &error) == nullptr);
    CHECK(contains(error->localizedDescription(), "function constant"));

    auto values = NS::TransferPtr(MTL::FunctionConstantValues::alloc()->init());
    const int seven = 7;
    const bool yes = true;
    values->setConstantValue(&seven, MTL::DataTypeInt, NS::UInteger(0));
    CHECK(constants->newFunction(text("multiplied"), values.get(), &error) == nullptr);
    CHECK(contains(error->localizedDescription(), "'negate'"));
    values->setConstantValue(&yes, MTL::DataTypeBool, text("negate"));
    auto function = NS::TransferPtr(constants->newFunction(text("multiplied"), values.get(), &error));
    CHECK(function);
    if (!function) return;
    auto state = pipeline(function.get());
    auto out = buffer(64);
    CHECK(hasCompleted(compute([&](MTL::ComputeCommandEncoder* e) {
        e->setComputePipelineState(state.get());
        e->setBuffer(out.get(), 0, 0);
        e->dispatchThreads(MTL::Size(16, 1, 1), MTL::Size(16, 1, 1));
    })));
    CHECK(contents<int>(out)[3] == -21);
    const float wrong = 1;
    values->setConstantValue(&wrong, MTL::DataTypeFloat, NS::UInteger(0));
    CHECK(constants->newFunction(text("multiplied"), values.get(), &error) == nullptr);
    CHECK(contains(error->localizedDescription(), "is of type int"));
}

void testSourceThatDoesNotCompile() {
    NS::Error* error = nullptr;
    CHECK(device()->newLibrary(text("kernel void f() { x = 1; }"), nullptr, &error) == nullptr);
    CHECK(error->code() == MTL::LibraryErrorCompileFailure);
    CHECK(error->domain()->isEqualToString(text("MTLLibraryErrorDomain")));
    CHECK(contains(error->localizedDescription(), "program_source:1:19: error: use of undeclared identifier 'x'"));
    CHECK(all()->newFunction(text("none")) == nullptr);
    CHECK(all()->newFunction(text("none"), nullptr, &error) == nullptr);
    CHECK(error->code() == MTL::LibraryErrorFunctionNotFound);
}

void testMacrosAndHeaders() {
    auto options = NS::TransferPtr(MTL::CompileOptions::alloc()->init());
    options->setPreprocessorMacros(NS::Dictionary::dictionary(NS::Number::number(5), text("N")));
    MTL::Portable::setHeaders(options.get(), NS::Dictionary::dictionary(text("#define M 2\n"), text("mine.h")));
    auto compiled = library(R"(
        #include "mine.h"
        kernel void f(device int* out [[buffer(0)]]) { out[0] = N * 10 + M; })",
                            options.get());
    auto function = NS::TransferPtr(compiled->newFunction(text("f")));
    auto state = pipeline(function.get());
    auto out = buffer(4);
    CHECK(hasCompleted(compute([&](MTL::ComputeCommandEncoder* e) {
        e->setComputePipelineState(state.get());
        e->setBuffer(out.get(), 0, 0);
        e->dispatchThreads(MTL::Size(1, 1, 1), MTL::Size(1, 1, 1));
    })));
    CHECK(contents<int>(out)[0] == 52);
}

void testAsynchronousFormsCallBack() {
    auto event = NS::TransferPtr(device()->newSharedEvent());
    static bool isRight = false;
    device()->newLibrary(text(source), nullptr, [&](MTL::Library* compiled, NS::Error*) {
        auto function = NS::TransferPtr(compiled->newFunction(text("number")));
        device()->newComputePipelineState(function.get(), [&](MTL::ComputePipelineState* state, NS::Error* error) {
            isRight = state != nullptr && error == nullptr;
            event->setSignaledValue(1);
        });
    });
    CHECK(event->waitUntilSignaledValue(1, 60'000) && isRight);
}

void testCodeCanBeRead() {
    auto state = kernel("number");
    NS::Error* error = nullptr;
    CHECK(contains(MTL::Portable::intermediateText(state.get(), &error), "define"));
    CHECK(contains(MTL::Portable::assemblyText(state.get(), &error), "ret"));
    MTL::Portable::CompilerInformation information;
    CHECK(MTL::Portable::compilerInformation(information) && !information.cpu.empty());
}

}  // namespace

int main() {
    RUN(testEveryThreadRunsOnce);
    RUN(testThreeDimensionsInAnyShape);
    RUN(testBindingsAreThoseOfTheDispatch);
    RUN(testThreadgroupMemory);
    RUN(testIndirectDispatch);
    RUN(testTexturesAndSamplers);
    RUN(testCopiedDescriptors);
    RUN(testEncoderMistakes);
    RUN(testKernelsThatFaultAreSurvived);
    RUN(testEndlessKernelsAreStopped);
    RUN(testFunctionConstants);
    RUN(testSourceThatDoesNotCompile);
    RUN(testMacrosAndHeaders);
    RUN(testAsynchronousFormsCallBack);
    RUN(testCodeCanBeRead);
    return failures != 0;
}
