// SPDX-License-Identifier: MIT
//
// Pipelines that can say why their kernel is slow.

#include "../MetalPortable/MetalPortable.hpp"
#include "compiling.hpp"
#include "pipeline.hpp"

namespace metal_objects {

namespace {

const char* nameOf(protocol::FindingKind kind) {
    switch (kind) {
        case protocol::FindingKind::gather:
            return "gather";
        case protocol::FindingKind::scatter:
            return "scatter";
        case protocol::FindingKind::scalar:
            return "scalar";
        case protocol::FindingKind::loop:
            return "loop";
        case protocol::FindingKind::barrier:
            return "barrier";
        case protocol::FindingKind::spill:
            return "spill";
        case protocol::FindingKind::reload:
            return "reload";
        case protocol::FindingKind::texture:
            return "texture";
    }
    return "";
}

std::string argumentOf(const FunctionObject* function, std::uint32_t slot) {
    for (const protocol::Argument& argument : function->facts().arguments) {
        if (argument.slot == slot && function->isPresent(argument)) return argument.name;
    }
    return {};
}

}  // namespace

LibraryObject* libraryWithLines(const LibraryObject* library, NS::Error** error) {
    if (library->request == nullptr) {
        report(error, makeError(libraryErrorDomain, MTL::LibraryErrorInternal, "the library's source is not known"));
        return nullptr;
    }
    auto request = std::make_shared<protocol::LibraryRequest>(*library->request);
    request->options.keepsLines = true;
    const auto answer = metal_compiler_client::Client::shared().library(
        protocol::LibraryRequest(*request), requestOptions("library", library->isKeptOnDisk));
    const Reply reply = answered(answer, libraryErrorDomain, error);
    if (reply == nullptr) return nullptr;
    if (!reply->ok) {  // a file that it includes may have changed
        report(error, makeError(libraryErrorDomain, MTL::LibraryErrorCompileFailure, reply->log));
        return nullptr;
    }
    auto* made = new LibraryObject(library->device.get(), reply);
    made->request = std::move(request);
    made->mathMode = library->mathMode;
    made->maxTotalThreads = library->maxTotalThreads;
    made->isKeptOnDisk = library->isKeptOnDisk;
    return made;
}

PipelineObject::PipelineObject(const PipelineObject& original, FunctionObject* withLines, protocol::Explain explain)
    : PipelineFunction(withLines, original.requestedThreads, original.linked, {}),
      device(original.device),
      label(original.label),
      isMultipleOfExecutionWidth(original.isMultipleOfExecutionWidth),
      requiredThreads(original.requiredThreads),
      supportsIndirectCommands(false),
      resourceID(0),
      stageInput(original.stageInput),
      original_(NS::RetainPtr(const_cast<PipelineObject*>(&original))),
      explain_(explain) {
    variants_.reserve(original.variants_.capacity());
}

PipelineObject* PipelineObject::makeExplained(const PipelineObject* original, bool counts, NS::Error** error) {
    const FunctionObject* function = original->function.get();
    auto library = NS::TransferPtr(libraryWithLines(function->library.get(), error));
    if (!library) return nullptr;
    const auto& functions = library->reply->functions;
    if (function->index >= functions.size() || functions[function->index].entry != function->facts().entry) {
        report(error, makeError(libraryErrorDomain, MTL::LibraryErrorFunctionNotFound,
                                "the library's source has changed: it has no function '" + function->name() +
                                    "' in its place any more"));
        return nullptr;
    }
    auto withLines = NS::TransferPtr(new FunctionObject(library.get(), function->index));
    withLines->constants = function->constants;
    withLines->place();
    auto pipeline = NS::TransferPtr(
        new PipelineObject(*original, withLines.get(), counts ? protocol::Explain::counts : protocol::Explain::facts));
    if (!pipeline->makeFirst(error)) return nullptr;
    pipeline->retain();
    return pipeline.get();
}

std::shared_ptr<const protocol::PipelineReply> PipelineObject::explained(std::vector<std::uint64_t>& counters) const {
    std::lock_guard lock(mutex_);
    const Variant& variant = variants_[latest_];
    if (variant.reply == nullptr) return nullptr;
    const auto* counted = static_cast<const std::uint64_t*>(variant.kernel->symbol(METAL_KERNEL_COUNTERS_SYMBOL));
    if (counted != nullptr) counters.assign(counted, counted + variant.reply->explanation.counterCount);
    return variant.reply;
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::PipelineObject;

namespace MTL::Portable {

ComputePipelineState* newExplainedPipeline(const ComputePipelineState* pipeline, bool counts, NS::Error** error) {
    metal_objects::report(error, nullptr);
    return PipelineObject::makeExplained(as<PipelineObject>(pipeline), counts, error);
}

bool explanation(const ComputePipelineState* pipeline, Explanation& explanation) {
    const auto* object = as<PipelineObject>(pipeline);
    std::vector<std::uint64_t> counters;
    const auto reply = object->explained(counters);
    if (reply == nullptr) return false;
    explanation.laneWidth = reply->explanation.laneWidth;
    explanation.registerBits = reply->explanation.registerBits;
    for (const protocol::Finding& finding : reply->explanation.findings) {
        Finding& made = explanation.findings.emplace_back();
        made.kind = metal_objects::nameOf(finding.kind);
        made.file = finding.file;
        made.line = finding.line;
        made.column = finding.column;
        made.subject = finding.subject;
        made.reason = finding.reason;
        if (finding.slot != protocol::noNumber)
            made.argument = metal_objects::argumentOf(object->function.get(), finding.slot);
        made.stride = finding.stride;
        made.size = finding.size;
        made.reads = finding.reads;
        made.writes = finding.writes;
        made.causeLine = finding.causeLine;
        made.isCounted = finding.counter != protocol::noNumber && finding.counter + 1 < counters.size();
        if (!made.isCounted) continue;
        made.times = counters[finding.counter];
        made.threads = counters[finding.counter + 1];
    }
    for (const protocol::LineCode& line : reply->explanation.lines)
        explanation.lines.push_back({line.file, line.line, line.vector, line.uniform, line.scalar});
    return true;
}

}  // namespace MTL::Portable
