// SPDX-License-Identifier: MIT
//
// A program as one writes it for Apple's metal-cpp: nothing here knows of this library. y = a x + y.

#define NS_PRIVATE_IMPLEMENTATION
#define CA_PRIVATE_IMPLEMENTATION
#define MTL_PRIVATE_IMPLEMENTATION
#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>
#include <QuartzCore/QuartzCore.hpp>

#include <cstdio>
#include <cstdlib>

static const char* source = R"(
#include <metal_stdlib>
using namespace metal;

kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  uint i [[thread_position_in_grid]])
{
    y[i] = a * x[i] + y[i];
}
)";

static void stopWith(const NS::Error* error) {
    std::fprintf(stderr, "%s\n", error->localizedDescription()->utf8String());
    std::exit(1);
}

int main() {
    NS::AutoreleasePool* pool = NS::AutoreleasePool::alloc()->init();

    MTL::Device* device = MTL::CreateSystemDefaultDevice();
    std::printf("running on %s\n", device->name()->utf8String());

    NS::Error* error = nullptr;
    MTL::Library* library =
        device->newLibrary(NS::String::string(source, NS::StringEncoding::UTF8StringEncoding), nullptr, &error);
    if (library == nullptr) stopWith(error);
    MTL::Function* function = library->newFunction(MTLSTR("saxpy"));
    MTL::ComputePipelineState* pipeline = device->newComputePipelineState(function, &error);
    if (pipeline == nullptr) stopWith(error);

    const NS::UInteger count = 100'003;
    MTL::Buffer* x = device->newBuffer(count * sizeof(float), MTL::ResourceStorageModeShared);
    MTL::Buffer* y = device->newBuffer(count * sizeof(float), MTL::ResourceStorageModeShared);
    float* xs = static_cast<float*>(x->contents());
    float* ys = static_cast<float*>(y->contents());
    for (NS::UInteger i = 0; i < count; ++i) {
        xs[i] = static_cast<float>(i % 1000);
        ys[i] = 1;
    }

    MTL::CommandQueue* queue = device->newCommandQueue();
    MTL::CommandBuffer* commandBuffer = queue->commandBuffer();
    MTL::ComputeCommandEncoder* encoder = commandBuffer->computeCommandEncoder();
    const float a = 3;
    encoder->setComputePipelineState(pipeline);
    encoder->setBuffer(x, 0, 0);
    encoder->setBuffer(y, 0, 1);
    encoder->setBytes(&a, sizeof a, 2);
    encoder->dispatchThreads(MTL::Size::Make(count, 1, 1),
                             MTL::Size::Make(pipeline->maxTotalThreadsPerThreadgroup(), 1, 1));
    encoder->endEncoding();
    commandBuffer->commit();
    commandBuffer->waitUntilCompleted();
    if (commandBuffer->status() != MTL::CommandBufferStatusCompleted) stopWith(commandBuffer->error());

    NS::UInteger wrong = 0;
    for (NS::UInteger i = 0; i < count; ++i) wrong += ys[i] != a * xs[i] + 1;
    std::printf("%lu of %lu values are wrong\n", static_cast<unsigned long>(wrong), static_cast<unsigned long>(count));

    queue->release();
    y->release();
    x->release();
    pipeline->release();
    function->release();
    library->release();
    device->release();
    pool->release();
    return wrong == 0 ? 0 : 1;
}
