// SPDX-License-Identifier: MIT
//
// What docs/threads.md promises: what several threads may use at once gives the right results to each.

#include <QuartzCore/QuartzCore.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "metal.hpp"

namespace {

constexpr unsigned threadCount = 4, rounds = 25;
constexpr NS::UInteger count = 256;

const char* source = R"(
#include <metal_stdlib>
using namespace metal;
kernel void add(device uint* x [[buffer(0)]], constant uint& what [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    x[i] += what;
}
)";

MTL::ComputePipelineState* adding() {
    static const auto made = pipeline(source, "add");
    return made.get();
}

/// Runs `work` on some threads at once, each with a pool of its own; it is given the thread's number. Gives how often
/// it said no.
unsigned together(const std::function<bool(unsigned)>& work) {
    std::atomic<unsigned> wrong = 0;
    std::vector<std::thread> threads;
    for (unsigned number = 0; number < threadCount; ++number) {
        threads.emplace_back([&, number] {
            auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
            for (unsigned round = 0; round < rounds; ++round) wrong += !work(number);
        });
    }
    for (auto& thread : threads) thread.join();
    return wrong;
}

void encodeAdd(MTL::CommandBuffer* commands, const MTL::Buffer* x, std::uint32_t what) {
    MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
    encoder->setComputePipelineState(adding());
    encoder->setBuffer(x, 0, 0);
    encoder->setBytes(&what, sizeof what, 1);
    encoder->dispatchThreads(MTL::Size(count, 1, 1), MTL::Size(64, 1, 1));
    encoder->endEncoding();
}

bool holds(MTL::Buffer* x, std::uint32_t value) {
    const auto* numbers = static_cast<const std::uint32_t*>(x->contents());
    for (NS::UInteger i = 0; i < count; ++i)
        if (numbers[i] != value) return false;
    return true;
}

void oneQueueAndOnePipelineServeAllThreads() {
    adding();
    CHECK(together([](unsigned number) {
              const auto x = buffer(count * sizeof(std::uint32_t));
              MTL::CommandBuffer* commands = queue()->commandBuffer();
              encodeAdd(commands, x.get(), number + 1);
              commands->commit();
              commands->waitUntilCompleted();
              return holds(x.get(), number + 1);
          }) == 0);
}

void threadsCompileSideBySide() {
    CHECK(together([](unsigned number) {
              NS::Error* error = nullptr;
              const std::string own = std::string(source) + "// " + std::to_string(number % 2);
              const auto made = NS::TransferPtr(device()->newLibrary(text(own.c_str()), nullptr, &error));
              const auto function = NS::TransferPtr(made->newFunction(text("add")));
              const auto state = NS::TransferPtr(device()->newComputePipelineState(function.get(), &error));
              return state.get() != nullptr;
          }) == 0);
}

void aHeapGivesEachThreadMemoryOfItsOwn() {
    auto descriptor = NS::TransferPtr(MTL::HeapDescriptor::alloc()->init());
    descriptor->setSize(1 << 20);
    descriptor->setStorageMode(MTL::StorageModeShared);
    const auto heap = NS::TransferPtr(device()->newHeap(descriptor.get()));
    CHECK(together([&](unsigned number) {
              const auto x =
                  NS::TransferPtr(heap->newBuffer(count * sizeof(std::uint32_t), MTL::ResourceStorageModeShared));
              if (!x) return false;
              auto* numbers = static_cast<std::uint32_t*>(x->contents());
              for (NS::UInteger i = 0; i < count; ++i) numbers[i] = number;
              std::this_thread::yield();
              return holds(x.get(), number);
          }) == 0);
    CHECK(heap->usedSize() == 0);
}

void labelsAndOtherFactsAreReadWhileTheyChange() {
    const auto x = buffer(64);
    CHECK(together([&](unsigned number) {
              x->setLabel(text(number % 2 ? "one" : "another"));
              const std::string label = x->label()->utf8String();
              return label == "one" || label == "another";
          }) == 0);
}

void anyThreadWaitsAndAddsHandlers() {
    const auto event = NS::TransferPtr(device()->newSharedEvent());
    const auto x = buffer(count * sizeof(std::uint32_t));
    MTL::CommandBuffer* commands = queue()->commandBuffer();
    commands->encodeWait(event.get(), 1);
    encodeAdd(commands, x.get(), 7);
    commands->commit();
    std::atomic<unsigned> called = 0;
    std::atomic<unsigned> ready = 0;
    std::vector<std::thread> threads;
    std::atomic<unsigned> right = 0;
    for (unsigned number = 0; number < threadCount; ++number) {
        threads.emplace_back([&] {
            commands->addCompletedHandler([&](MTL::CommandBuffer*) { ++called; });
            ++ready;
            commands->waitUntilCompleted();
            right += commands->status() == MTL::CommandBufferStatusCompleted && holds(x.get(), 7);
        });
    }
    while (ready < threadCount) std::this_thread::yield();
    event->setSignaledValue(1);
    for (auto& thread : threads) thread.join();
    CHECK(right == threadCount);
    CHECK(called == threadCount);
}

void commandsOfOneIndirectBufferAreEncodedByMany() {
    auto descriptor = NS::TransferPtr(MTL::IndirectCommandBufferDescriptor::alloc()->init());
    descriptor->setCommandTypes(MTL::IndirectCommandTypeConcurrentDispatch);
    descriptor->setInheritBuffers(false);
    descriptor->setInheritPipelineState(true);
    descriptor->setMaxKernelBufferBindCount(2);
    const auto commands = NS::TransferPtr(
        device()->newIndirectCommandBuffer(descriptor.get(), threadCount, MTL::ResourceStorageModeShared));
    auto pipelineDescriptor = NS::TransferPtr(MTL::ComputePipelineDescriptor::alloc()->init());
    const auto made = library(source);
    const auto function = NS::TransferPtr(made->newFunction(text("add")));
    pipelineDescriptor->setComputeFunction(function.get());
    pipelineDescriptor->setSupportIndirectCommandBuffers(true);
    NS::Error* error = nullptr;
    const auto state = NS::TransferPtr(
        device()->newComputePipelineState(pipelineDescriptor.get(), MTL::PipelineOptionNone, nullptr, &error));
    const auto whats = buffer(threadCount * sizeof(std::uint32_t));
    std::vector<NS::SharedPtr<MTL::Buffer>> xs;
    for (unsigned i = 0; i < threadCount; ++i) {
        static_cast<std::uint32_t*>(whats->contents())[i] = i + 1;
        xs.push_back(buffer(count * sizeof(std::uint32_t)));
    }
    together([&](unsigned number) {
        MTL::IndirectComputeCommand* command = commands->indirectComputeCommand(number);
        command->reset();
        command->setKernelBuffer(xs[number].get(), 0, 0);
        command->setKernelBuffer(whats.get(), number * sizeof(std::uint32_t), 1);
        command->concurrentDispatchThreadgroups(MTL::Size(count / 64, 1, 1), MTL::Size(64, 1, 1));
        return true;
    });
    MTL::CommandBuffer* ran = compute([&](MTL::ComputeCommandEncoder* encoder) {
        encoder->setComputePipelineState(state.get());
        encoder->executeCommandsInBuffer(commands.get(), NS::Range(0, threadCount));
    });
    CHECK(hasCompleted(ran));
    for (unsigned i = 0; i < threadCount; ++i) CHECK(holds(xs[i].get(), i + 1));
}

void aLayerGivesEachThreadADrawable() {
    const auto layer = NS::RetainPtr(CA::MetalLayer::layer());
    layer->setDevice(device());
    layer->setDrawableSize({4, 4});
    layer->setDisplaySyncEnabled(false);
    layer->setAllowsNextDrawableTimeout(false);
    CHECK(together([&](unsigned) {
              const auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
              CA::MetalDrawable* drawable = layer->nextDrawable();
              if (drawable != nullptr) drawable->present();
              return drawable != nullptr;
          }) == 0);
}

void samplesAreReadWhileTheyAreTaken() {
    auto descriptor = NS::TransferPtr(MTL::CounterSampleBufferDescriptor::alloc()->init());
    descriptor->setCounterSet(device()->counterSets()->object<MTL::CounterSet>(0));
    descriptor->setSampleCount(threadCount);
    NS::Error* error = nullptr;
    const auto samples = NS::TransferPtr(device()->newCounterSampleBuffer(descriptor.get(), &error));
    CHECK(together([&](unsigned number) {
              MTL::CommandBuffer* commands = queue()->commandBuffer();
              MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
              encoder->sampleCountersInBuffer(samples.get(), number, true);
              encoder->endEncoding();
              commands->commit();
              commands->waitUntilCompleted();
              const NS::Data* data = samples->resolveCounterRange(NS::Range(number, 1));
              const auto* taken = static_cast<const MTL::CounterResultTimestamp*>(data->mutableBytes());
              return taken->timestamp != MTL::CounterErrorValue;
          }) == 0);
}

}  // namespace

int main() {
    RUN(oneQueueAndOnePipelineServeAllThreads);
    RUN(threadsCompileSideBySide);
    RUN(aHeapGivesEachThreadMemoryOfItsOwn);
    RUN(labelsAndOtherFactsAreReadWhileTheyChange);
    RUN(anyThreadWaitsAndAddsHandlers);
    RUN(commandsOfOneIndirectBufferAreEncodedByMany);
    RUN(aLayerGivesEachThreadADrawable);
    RUN(samplesAreReadWhileTheyAreTaken);
    return failures;
}
