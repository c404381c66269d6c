// SPDX-License-Identifier: MIT
//
// Adds up a million numbers. Each threadgroup adds its part and writes one sum; the same kernel then adds those sums.

#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

const char* source = R"(
#include <metal_stdlib>
using namespace metal;

kernel void add_up(device const uint* numbers [[buffer(0)]],
                   device uint* sums [[buffer(1)]],
                   constant uint& count [[buffer(2)]],
                   threadgroup uint* parts [[threadgroup(0)]],
                   uint i [[thread_position_in_grid]],
                   uint threads [[threads_per_grid]],
                   uint group [[threadgroup_position_in_grid]],
                   uint simdgroup [[simdgroup_index_in_threadgroup]],
                   uint simdgroups [[simdgroups_per_threadgroup]],
                   uint lane [[thread_index_in_simdgroup]])
{
    uint sum = 0;
    for (uint at = i; at < count; at += threads) sum += numbers[at];

    sum = simd_sum(sum);
    if (lane == 0) parts[simdgroup] = sum;
    threadgroup_barrier(mem_flags::mem_threadgroup);

    if (simdgroup != 0) return;
    sum = simd_sum(lane < simdgroups ? parts[lane] : 0);
    if (lane == 0) sums[group] = sum;
}
)";

constexpr std::uint32_t numberCount = 1'000'000;
constexpr NS::UInteger groupCount = 64;

NS::String* text(const char* words) {
    return NS::String::string(words, NS::UTF8StringEncoding);
}

[[noreturn]] void stopWith(const NS::Error* error) {
    std::fprintf(stderr, "%s\n", error->localizedDescription()->utf8String());
    std::exit(1);
}

NS::SharedPtr<MTL::ComputePipelineState> makePipeline(MTL::Device* device) {
    NS::Error* error = nullptr;
    auto library = NS::TransferPtr(device->newLibrary(text(source), nullptr, &error));
    if (!library) stopWith(error);
    auto function = NS::TransferPtr(library->newFunction(text("add_up")));
    auto pipeline = NS::TransferPtr(device->newComputePipelineState(function.get(), &error));
    if (!pipeline) stopWith(error);
    return pipeline;
}

void encodeSum(MTL::ComputeCommandEncoder* encoder, const MTL::Buffer* numbers, std::uint32_t count,
               const MTL::Buffer* sums, NS::UInteger groups, NS::UInteger threads) {
    encoder->setBuffer(numbers, 0, 0);
    encoder->setBuffer(sums, 0, 1);
    encoder->setBytes(&count, sizeof count, 2);
    encoder->setThreadgroupMemoryLength(32 * sizeof(std::uint32_t), 0);
    encoder->dispatchThreadgroups(MTL::Size(groups, 1, 1), MTL::Size(threads, 1, 1));
}

}  // namespace

int main() {
    const auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    const auto device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
    std::printf("device: %s\n", device->name()->utf8String());
    const auto pipeline = makePipeline(device.get());
    const auto queue = NS::TransferPtr(device->newCommandQueue());

    const auto shared = MTL::ResourceStorageModeShared;
    const auto numbers = NS::TransferPtr(device->newBuffer(numberCount * sizeof(std::uint32_t), shared));
    const auto sums = NS::TransferPtr(device->newBuffer(groupCount * sizeof(std::uint32_t), shared));
    const auto total = NS::TransferPtr(device->newBuffer(sizeof(std::uint32_t), shared));
    auto* first = static_cast<std::uint32_t*>(numbers->contents());
    for (std::uint32_t i = 0; i < numberCount; ++i) first[i] = i % 1000;

    MTL::CommandBuffer* commands = queue->commandBuffer();
    MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
    encoder->setComputePipelineState(pipeline.get());
    const NS::UInteger threads = std::min<NS::UInteger>(pipeline->maxTotalThreadsPerThreadgroup(), 1024);
    encodeSum(encoder, numbers.get(), numberCount, sums.get(), groupCount, threads);
    encodeSum(encoder, sums.get(), groupCount, total.get(), 1, threads);
    encoder->endEncoding();
    commands->commit();
    commands->waitUntilCompleted();
    if (commands->status() != MTL::CommandBufferStatusCompleted) stopWith(commands->error());

    const std::uint32_t sum = *static_cast<const std::uint32_t*>(total->contents());
    const std::uint32_t expected = numberCount / 1000 * (999 * 1000 / 2);
    std::printf("sum: %u, expected: %u\n", sum, expected);
    return sum == expected ? 0 : 1;
}
