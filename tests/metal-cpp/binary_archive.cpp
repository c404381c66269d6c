// SPDX-License-Identifier: MIT
//
// Binary archives: what is found in them, and files that are none.

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "metal.hpp"

namespace {

constexpr const char* source = R"(
#include <metal_stdlib>
kernel void first(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = i; }
kernel void second(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = i + 1; }
)";

const std::filesystem::path folder =
    std::filesystem::temp_directory_path() / ("metal-archive-" + std::to_string(getpid()));

NS::URL* url(const char* name) {
    return NS::URL::fileURLWithPath(text((folder / name).c_str()));
}

NS::SharedPtr<MTL::ComputePipelineDescriptor> descriptorOf(const char* name) {
    static const auto compiled = library(source);
    auto descriptor = NS::TransferPtr(MTL::ComputePipelineDescriptor::alloc()->init());
    const auto function = NS::TransferPtr(compiled->newFunction(text(name)));
    descriptor->setComputeFunction(function.get());
    return descriptor;
}

NS::SharedPtr<MTL::BinaryArchive> open(const NS::URL* file, NS::Error** error) {
    const auto descriptor = NS::TransferPtr(MTL::BinaryArchiveDescriptor::alloc()->init());
    descriptor->setUrl(file);
    CHECK(descriptor->url() == file);
    return NS::TransferPtr(device()->newBinaryArchive(descriptor.get(), error));
}

/// Whether a pipeline comes from the archive alone.
bool holds(const MTL::BinaryArchive* archive, const char* name) {
    const auto descriptor = descriptorOf(name);
    descriptor->setBinaryArchives(NS::Array::array(archive));
    CHECK(descriptor->binaryArchives()->object<MTL::BinaryArchive>(0) == archive);
    NS::Error* error = nullptr;
    const auto state = NS::TransferPtr(device()->newComputePipelineState(
        descriptor.get(), MTL::PipelineOptionFailOnBinaryArchiveMiss, nullptr, &error));
    if (!state) CHECK(contains(error->localizedDescription(), "no binary archive holds function"));
    return bool(state);
}

void testWhatIsAddedIsFound() {
    NS::Error* error = nullptr;
    const auto archive = open(nullptr, &error);
    CHECK(archive && archive->device() == device());
    archive->setLabel(text("kernels"));
    CHECK(archive->label()->isEqualToString(text("kernels")));
    CHECK(!holds(archive.get(), "first"));
    CHECK(archive->addComputePipelineFunctions(descriptorOf("first").get(), &error) && error == nullptr);
    CHECK(holds(archive.get(), "first"));
    CHECK(!holds(archive.get(), "second"));
    CHECK(archive->serializeToURL(url("one"), &error) && error == nullptr);

    const auto again = open(url("one"), &error);
    CHECK(again && error == nullptr);
    CHECK(holds(again.get(), "first"));
    CHECK(!holds(again.get(), "second"));
    CHECK(again->addComputePipelineFunctions(descriptorOf("second").get(), &error));
    CHECK(again->serializeToURL(url("two"), &error));
    const auto both = open(url("two"), &error);
    CHECK(both && holds(both.get(), "first") && holds(both.get(), "second"));
}

void testAFunctionIsNeeded() {
    NS::Error* error = nullptr;
    const auto archive = open(nullptr, &error);
    const auto descriptor = NS::TransferPtr(MTL::ComputePipelineDescriptor::alloc()->init());
    CHECK(!archive->addComputePipelineFunctions(descriptor.get(), &error));
    CHECK(error->domain()->isEqualToString(MTL::BinaryArchiveDomain));
    CHECK(error->code() == MTL::BinaryArchiveErrorCompilationFailure);
}

void testFilesThatAreNone() {
    NS::Error* error = nullptr;
    std::ofstream(folder / "rubbish") << std::string(1000, 'x');
    for (const char* name : {"missing", "rubbish", "."}) {
        CHECK(!open(url(name), &error));
        CHECK(error->code() == MTL::BinaryArchiveErrorInvalidFile);
    }
    const auto archive = open(nullptr, &error);
    CHECK(!archive->serializeToURL(url("missing/folder"), &error));
    CHECK(error->code() == MTL::BinaryArchiveErrorInternalError);
    CHECK(!archive->serializeToURL(nullptr, &error));
}

}  // namespace

int main() {
    std::filesystem::create_directory(folder);
    RUN(testWhatIsAddedIsFound);
    RUN(testAFunctionIsNeeded);
    RUN(testFilesThatAreNone);
    std::filesystem::remove_all(folder);
    return failures == 0 ? 0 : 1;
}
