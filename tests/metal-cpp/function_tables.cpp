// SPDX-License-Identifier: MIT
//
// Visible functions called through a table, and an argument buffer written by an encoder, as a C++ program does it.

#include <cmath>

#include "metal.hpp"

namespace {

constexpr const char* source = R"(
#include <metal_stdlib>
using namespace metal;

[[visible]] float twice(float x) { return 2 * x; }
[[visible]] float root(float x) { return sqrt(x); }
kernel void map(visible_function_table<float(float)> functions [[buffer(0)]], device float* values [[buffer(1)]],
                uint i [[thread_position_in_grid]]) {
    values[i] = functions[i % 2](values[i]);
}
struct Arguments { device float* values [[id(0)]]; constant float& factor [[id(1)]]; int count [[id(2)]]; };
kernel void scale(constant Arguments& a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    if (int(i) < a.count) a.values[i] *= a.factor;
}
struct In { float3 place [[attribute(0)]]; half2 uv [[attribute(3)]]; };
vertex float4 project(In in [[stage_in]]) { return float4(in.place, in.uv.x); }
)";

constexpr NS::UInteger count = 100;

NS::SharedPtr<MTL::Function> function(const char* name) {
    static auto compiled = library(source);
    return NS::TransferPtr(compiled->newFunction(text(name)));
}

NS::SharedPtr<MTL::Buffer> numbers() {
    auto values = buffer(count * sizeof(float));
    for (NS::UInteger i = 0; i < count; ++i) static_cast<float*>(values->contents())[i] = static_cast<float>(i);
    return values;
}

NS::SharedPtr<MTL::ComputePipelineState> mapPipeline(const MTL::Function* first, const MTL::Function* second,
                                                     NS::Error** error) {
    const NS::Object* functions[] = {first, second};
    auto linked = NS::TransferPtr(MTL::LinkedFunctions::alloc()->init());
    linked->setFunctions(NS::Array::array(functions, 2));
    auto descriptor = NS::TransferPtr(MTL::ComputePipelineDescriptor::alloc()->init());
    descriptor->setComputeFunction(function("map").get());
    descriptor->setLinkedFunctions(linked.get());
    return NS::TransferPtr(
        device()->newComputePipelineState(descriptor.get(), MTL::PipelineOptionNone, nullptr, error));
}

void testTablesCallFunctions() {
    NS::Error* error = nullptr;
    auto twice = function("twice"), root = function("root");
    CHECK(twice->functionType() == MTL::FunctionTypeVisible);
    auto state = mapPipeline(twice.get(), root.get(), &error);
    CHECK(state);
    if (!state) return;
    auto descriptor = NS::TransferPtr(MTL::VisibleFunctionTableDescriptor::alloc()->init());
    descriptor->setFunctionCount(2);
    auto table = NS::TransferPtr(state->newVisibleFunctionTable(descriptor.get()));
    table->setFunction(state->functionHandle(twice.get()), 0);
    table->setFunction(state->functionHandle(text("root")), 1);
    CHECK(state->functionHandle(text("map")) == nullptr);
    auto values = numbers();
    const auto* done = compute([&](MTL::ComputeCommandEncoder* encoder) {
        encoder->setComputePipelineState(state.get());
        encoder->setVisibleFunctionTable(table.get(), 0);
        encoder->setBuffer(values.get(), 0, 1);
        encoder->dispatchThreads(MTL::Size(count, 1, 1), MTL::Size(32, 1, 1));
    });
    CHECK(hasCompleted(done));
    for (NS::UInteger i = 0; i < count; ++i) {
        const float got = static_cast<const float*>(values->contents())[i];
        const float x = static_cast<float>(i);
        CHECK(std::abs(got - (i % 2 ? std::sqrt(x) : 2 * x)) <= 1e-5f * x);
    }
}

void testATableBelongsToItsPipeline() {
    NS::Error* error = nullptr;
    auto twice = function("twice"), root = function("root");
    auto state = mapPipeline(twice.get(), root.get(), &error);
    auto other = mapPipeline(root.get(), twice.get(), &error);
    auto descriptor = NS::TransferPtr(MTL::VisibleFunctionTableDescriptor::alloc()->init());
    descriptor->setFunctionCount(1);
    auto table = NS::TransferPtr(other->newVisibleFunctionTable(descriptor.get()));
    auto values = numbers();
    const auto* done = compute([&](MTL::ComputeCommandEncoder* encoder) {
        encoder->setComputePipelineState(state.get());
        encoder->setVisibleFunctionTable(table.get(), 0);
        encoder->setBuffer(values.get(), 0, 1);
        encoder->dispatchThreads(MTL::Size(count, 1, 1), MTL::Size(32, 1, 1));
    });
    CHECK(hasFailed(done, "the visible function table at index 0 for functions is of another pipeline state"));
}

void testOnlyVisibleFunctionsAreLinked() {
    NS::Error* error = nullptr;
    auto twice = function("twice"), scale = function("scale");
    CHECK(!mapPipeline(twice.get(), scale.get(), &error));
    CHECK(error != nullptr && contains(error->localizedDescription(), "'scale' is not a visible function"));
}

void testAnEncoderWritesAnArgumentBuffer() {
    auto kernel = function("scale");
    auto encoder = NS::TransferPtr(kernel->newArgumentEncoder(0));
    CHECK(encoder && encoder->encodedLength() == 24 && encoder->alignment() == 8);
    CHECK(encoder->constantData(2) == nullptr);
    auto arguments = buffer(encoder->encodedLength());
    auto values = numbers(), factor = buffer(2 * sizeof(float));
    static_cast<float*>(factor->contents())[1] = 3;
    encoder->setArgumentBuffer(arguments.get(), 0);
    encoder->setBuffer(values.get(), 0, 0);
    encoder->setBuffer(factor.get(), sizeof(float), 1);
    *static_cast<int*>(encoder->constantData(2)) = 50;
    auto state = pipeline(kernel.get());
    const auto* done = compute([&](MTL::ComputeCommandEncoder* commands) {
        commands->setComputePipelineState(state.get());
        commands->setBuffer(arguments.get(), 0, 0);
        commands->useResource(values.get(), MTL::ResourceUsageRead | MTL::ResourceUsageWrite);
        commands->dispatchThreads(MTL::Size(count, 1, 1), MTL::Size(32, 1, 1));
    });
    CHECK(hasCompleted(done));
    for (NS::UInteger i = 0; i < count; ++i) {
        CHECK(static_cast<const float*>(values->contents())[i] == static_cast<float>(i < 50 ? 3 * i : i));
    }
}

void testVertexFunctionsTellTheirAttributes() {
    auto vertex = function("project");
    const NS::Array* attributes = vertex->vertexAttributes();
    CHECK(vertex->functionType() == MTL::FunctionTypeVertex && attributes->count() == 2);
    const auto* uv = attributes->object<MTL::VertexAttribute>(1);
    CHECK(uv->name()->isEqualToString(text("uv")) && uv->attributeIndex() == 3 && uv->isActive());
    CHECK(uv->attributeType() == MTL::DataTypeHalf2 && !uv->isPatchData());
    CHECK(function("scale")->vertexAttributes()->count() == 0);
    CHECK(vertex->patchType() == MTL::PatchTypeNone && vertex->patchControlPointCount() == -1);
}

}  // namespace

int main() {
    RUN(testTablesCallFunctions);
    RUN(testATableBelongsToItsPipeline);
    RUN(testOnlyVisibleFunctionsAreLinked);
    RUN(testAnEncoderWritesAnArgumentBuffer);
    RUN(testVertexFunctionsTellTheirAttributes);
    return failures != 0;
}
