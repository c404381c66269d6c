// SPDX-License-Identifier: MIT

#include "compiling.hpp"

#include <thread>

#include "../MetalPortable/MetalPortable.hpp"
#include "pipeline.hpp"

namespace metal_objects {

namespace {

thread_local MTL::Portable::Interrupted interruptedFunction;

/// The IR or assembly of a kernel.
NS::String* text(const FunctionObject* function, NS::UInteger maxTotalThreads, protocol::Output output,
                 NS::Error** error) {
    report(error, nullptr);
    protocol::PipelineRequest request = pipelineRequest(function, maxTotalThreads, {});
    request.output = output;
    const auto answer = metal_compiler_client::Client::shared().pipeline(
        request, requestOptions(function->name(), function->library->isKeptOnDisk));
    const auto reply = answered(answer, pipelineErrorDomain, error);
    if (reply == nullptr) return nullptr;
    if (reply->ok) return autoreleasedString(reply->text);
    constexpr NS::Integer compileFailure = 2;
    report(error, makeError(pipelineErrorDomain, compileFailure, reply->log));
    return nullptr;
}

NS::String* text(const MTL::Function* function, protocol::Output output, NS::Error** error) {
    const auto* object = as<FunctionObject>(function);
    return text(object, object->facts().maxTotalThreads, output, error);
}

NS::String* text(const MTL::ComputePipelineState* pipeline, protocol::Output output, NS::Error** error) {
    const auto* object = as<PipelineObject>(pipeline);
    return text(object->function.get(), object->requestedThreads, output, error);
}

}  // namespace

metal_compiler_client::RequestOptions requestOptions(std::string name, bool useDisk) {
    metal_compiler_client::RequestOptions options;
    options.useDisk = useDisk;
    options.interrupted = interruptedFunction;
    options.name = std::move(name);
    return options;
}

void inBackground(std::function<void()> work) {
    std::thread([work = std::move(work)] {
        auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
        work();
    }).detach();
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::FunctionObject;
using metal_objects::LibraryObject;
using metal_objects::PipelineObject;

namespace MTL::Portable {

Interrupted setInterrupted(Interrupted interrupted) {
    return std::exchange(metal_objects::interruptedFunction, std::move(interrupted));
}

NS::String* diagnostics(const Library* library) {
    return metal_objects::autoreleasedString(as<LibraryObject>(library)->reply->log);
}

NS::String* signature(const Function* function) {
    return metal_objects::autoreleasedString(as<FunctionObject>(function)->facts().signature);
}

NS::String* comment(const Function* function) {
    return metal_objects::autoreleasedString(as<FunctionObject>(function)->facts().comment);
}

NS::UInteger line(const Function* function) {
    return as<FunctionObject>(function)->facts().line;
}

NS::UInteger maxTotalThreads(const Function* function) {
    return as<FunctionObject>(function)->facts().maxTotalThreads;
}

NS::String* userAnnotation(const Function* function) {
    return metal_objects::autoreleasedString(as<FunctionObject>(function)->facts().userAnnotation);
}

NS::String* intermediateText(const ComputePipelineState* pipeline, NS::Error** error) {
    return metal_objects::text(pipeline, protocol::Output::ir, error);
}

NS::String* assemblyText(const ComputePipelineState* pipeline, NS::Error** error) {
    return metal_objects::text(pipeline, protocol::Output::assembly, error);
}

NS::String* intermediateText(const Function* function, NS::Error** error) {
    return metal_objects::text(function, protocol::Output::ir, error);
}

NS::String* assemblyText(const Function* function, NS::Error** error) {
    return metal_objects::text(function, protocol::Output::assembly, error);
}

double compileSeconds(const Library* library) {
    return as<LibraryObject>(library)->compileSeconds;
}
double compileSeconds(const ComputePipelineState* pipeline) {
    return as<PipelineObject>(pipeline)->compileSeconds;
}

std::string compilerPath() {
    return metal_compiler_client::Client::shared().compiler();
}

bool compilerInformation(CompilerInformation& information) {
    const auto answer =
        metal_compiler_client::Client::shared().information(metal_objects::requestOptions("information"));
    if (!answer) return false;
    const protocol::InformationReply& reply = *answer.reply;
    information = {reply.compilerVersion, reply.llvmVersion, reply.cpu, reply.features};
    return true;
}

std::string cachePath() {
    return metal_compiler_client::Client::shared().cacheFacts().folder;
}
void setCachePath(const std::string& path) {
    metal_compiler_client::Client::shared().setCacheFolder(path);
}
std::uint64_t cacheSize() {
    return metal_compiler_client::Client::shared().cacheFacts().bytes;
}
void clearCache() {
    metal_compiler_client::Client::shared().clearCache();
}

}  // namespace MTL::Portable
