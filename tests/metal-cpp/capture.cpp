// SPDX-License-Identifier: MIT
//
// Captures through Apple's names: what can be captured, errors, and that a file is written at the end and not before.

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "metal.hpp"

namespace {

constexpr const char* source = "kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }";

std::string fileName() {
    return "/tmp/mtlpy-capture-test-" + std::to_string(getpid()) + ".metalcapture";
}

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

MTL::CaptureManager* manager() {
    return MTL::CaptureManager::sharedCaptureManager();
}

NS::SharedPtr<MTL::CaptureDescriptor> describe(NS::Object* object) {
    auto descriptor = NS::TransferPtr(MTL::CaptureDescriptor::alloc()->init());
    descriptor->setCaptureObject(object);
    descriptor->setDestination(MTL::CaptureDestinationGPUTraceDocument);
    descriptor->setOutputURL(NS::URL::fileURLWithPath(text(fileName().c_str())));
    return descriptor;
}

void runTwice() {
    auto state = pipeline(source, "twice");
    auto data = buffer(64);
    MTL::CommandBuffer* done = compute([&](MTL::ComputeCommandEncoder* encoder) {
        encoder->setComputePipelineState(state.get());
        encoder->setBuffer(data.get(), 0, 0);
        encoder->pushDebugGroup(text("a group"));
        encoder->dispatchThreads(MTL::Size(16, 1, 1), MTL::Size(16, 1, 1));
        encoder->popDebugGroup();
    });
    CHECK(hasCompleted(done));
}

void captureOfADevice() {
    const std::string path = fileName();
    NS::Error* error = nullptr;
    CHECK(!manager()->isCapturing());
    CHECK(manager()->startCapture(describe(device()).get(), &error));
    CHECK(error == nullptr);
    CHECK(manager()->isCapturing());
    runTwice();
    CHECK(contents(path).empty());
    CHECK(!manager()->startCapture(describe(queue()).get(), &error));
    CHECK(error->code() == MTL::CaptureErrorAlreadyCapturing);
    manager()->stopCapture();
    CHECK(!manager()->isCapturing());
    const std::string file = contents(path);
    CHECK(file.substr(0, 4) == "PK\x03\x04");
    for (const char* name : {"manifest.json", "commands.json", "objects.json", "contents.json", "sources/0.metal"})
        CHECK(file.find(name) != file.npos);
    std::remove(path.c_str());
}

void captureOfAQueueAndOfAScope() {
    auto scope = NS::TransferPtr(manager()->newCaptureScope(queue()));
    CHECK(scope->commandQueue() == queue());
    CHECK(scope->device() == device());
    scope->setLabel(text("scope"));
    NS::Object* const objects[] = {queue(), scope.get()};
    for (NS::Object* object : objects) {
        CHECK(manager()->startCapture(describe(object).get(), nullptr));
        scope->beginScope();
        runTwice();
        scope->endScope();
        manager()->stopCapture();
        const std::string file = contents(fileName());
        CHECK(file.find("sources/0.metal") != file.npos);
    }
    CHECK(manager()->startCapture(describe(scope.get()).get(), nullptr));
    runTwice();
    manager()->stopCapture();
    CHECK(contents(fileName()).find("sources/0.metal") == std::string::npos);
    std::remove(fileName().c_str());
}

void wrongDescriptors() {
    NS::Error* error = nullptr;
    auto descriptor = NS::TransferPtr(MTL::CaptureDescriptor::alloc()->init());
    CHECK(descriptor->destination() == MTL::CaptureDestinationDeveloperTools);
    CHECK(!manager()->startCapture(descriptor.get(), &error));
    CHECK(error->code() == MTL::CaptureErrorInvalidDescriptor);
    descriptor->setCaptureObject(device());
    CHECK(!manager()->startCapture(descriptor.get(), &error));
    CHECK(error->code() == MTL::CaptureErrorNotSupported);
    descriptor->setDestination(MTL::CaptureDestinationGPUTraceDocument);
    CHECK(!manager()->startCapture(descriptor.get(), &error));
    CHECK(contains(error->localizedDescription(), "outputURL must name a file"));
    descriptor->setOutputURL(NS::URL::fileURLWithPath(text("/nowhere/at/all")));
    auto copy = NS::TransferPtr(descriptor->copy());
    CHECK(!manager()->startCapture(copy.get(), &error));
    CHECK(contains(error->localizedDescription(), "cannot write /nowhere/at/all: No such file or directory"));
    CHECK(!manager()->isCapturing());
    CHECK(!manager()->supportsDestination(MTL::CaptureDestinationDeveloperTools));
}

void groupsThatDoNotMatch() {
    MTL::CommandBuffer* commandBuffer = queue()->commandBuffer();
    commandBuffer->popDebugGroup();
    commandBuffer->commit();
    commandBuffer->waitUntilCompleted();
    CHECK(hasFailed(commandBuffer, "popDebugGroup: no debug group was pushed"));
}

void stoppingWithoutACapture() {
    manager()->stopCapture();
    CHECK(manager()->defaultCaptureScope() == nullptr);
    auto scope = NS::TransferPtr(manager()->newCaptureScope(device()));
    manager()->setDefaultCaptureScope(scope.get());
    CHECK(manager()->defaultCaptureScope() == scope.get());
    manager()->setDefaultCaptureScope(nullptr);
    queue()->insertDebugCaptureBoundary();
}

}  // namespace

int main() {
    RUN(captureOfADevice);
    RUN(captureOfAQueueAndOfAScope);
    RUN(wrongDescriptors);
    RUN(groupsThatDoNotMatch);
    RUN(stoppingWithoutACapture);
    return failures == 0 ? 0 : 1;
}
