// SPDX-License-Identifier: MIT

#include "pipeline_function.hpp"

#include <algorithm>

#include "background.hpp"
#include "binary_archive.hpp"
#include "compiling.hpp"
#include "join.hpp"

namespace metal_objects {

namespace {

constexpr NS::Integer compileFailure = 2;

std::vector<PipelineFunction::Argument> usedArguments(const FunctionObject* function) {
    std::vector<PipelineFunction::Argument> arguments;
    for (const protocol::Argument& argument : function->facts().arguments) {
        if (!argument.isUsed || !function->isPresent(argument)) continue;
        const bool isTyped = argument.type != protocol::noType;
        arguments.push_back({&argument, isTyped ? function->library->reply->types[argument.type].size : 0});
    }
    return arguments;
}

bool isTextureOrSampler(const PipelineFunction::Argument& argument) {
    return argument.facts->kind == protocol::ArgumentKind::texture ||
           argument.facts->kind == protocol::ArgumentKind::sampler;
}

std::size_t countSlots(const FunctionObject* function) {
    std::size_t count = 0;
    for (const protocol::Argument& argument : function->facts().arguments) {
        count = std::max<std::size_t>(count, argument.slot + 1);
    }
    return count;
}

}  // namespace

PipelineFunction::PipelineFunction(const FunctionObject* function, NS::UInteger requestedThreads,
                                   std::vector<NS::SharedPtr<FunctionObject>> linked,
                                   const NS::SharedPtr<NS::Array>& archives)
    : function(NS::RetainPtr(const_cast<FunctionObject*>(function))),
      requestedThreads(requestedThreads),
      linked(std::move(linked)),
      archives(archives),
      arguments(usedArguments(function)),
      takesBoundCode(std::any_of(arguments.begin(), arguments.end(), isTextureOrSampler)),
      slotCount(countSlots(function)) {}

protocol::PipelineRequest PipelineFunction::request(metal_executor::LaneVariant lanes) const {
    return pipelineRequest(function.get(), requestedThreads, linked, lanes);
}

PipelineFunction::CompiledReply PipelineFunction::fromArchives(const protocol::PipelineRequest& request) const {
    for (NS::UInteger i = 0; archives && i < archives->count(); ++i) {
        if (auto reply = as<BinaryArchiveObject>(archives->object<MTL::BinaryArchive>(i))->find(request)) return reply;
    }
    return nullptr;
}

void PipelineFunction::keepInArchives(const protocol::PipelineRequest& variant, const CompiledReply& reply) const {
    if (!archives || archives->count() == 0) return;
    const auto first = request();
    for (NS::UInteger i = 0; i < archives->count(); ++i)
        as<BinaryArchiveObject>(archives->object<MTL::BinaryArchive>(i))->addVariant(first, variant, reply);
}

PipelineFunction::KernelPointer PipelineFunction::compile(const protocol::PipelineRequest& request,
                                                          CompiledReply* compiled, std::string& whyNot,
                                                          NS::Error** error) {
    const std::string& name = function->name();
    if (const auto archived = fromArchives(request)) {
        if (KernelPointer kernel = metal_executor::Kernel::load(archived->object, name, &whyNot)) return kernel;
    }
    const auto answer = metal_compiler_client::Client::shared().pipeline(
        request, requestOptions(name, function->library->isKeptOnDisk));
    NS::Error* failure = nullptr;
    const auto reply = answered(answer, pipelineErrorDomain, &failure);
    if (reply != nullptr && !reply->ok) failure = makeError(pipelineErrorDomain, compileFailure, reply->log);
    KernelPointer kernel;
    if (failure == nullptr) {
        kernel = metal_executor::Kernel::load(reply->object, name, &whyNot);
        if (kernel == nullptr) failure = makeError(pipelineErrorDomain, compileFailure, whyNot);
    }
    if (failure != nullptr) {
        whyNot = view(failure->localizedDescription());
        report(error, failure);
        return nullptr;
    }
    if (answer.source == metal_compiler_client::Source::compiler) compileSeconds += reply->seconds;
    if (compiled != nullptr) *compiled = reply;
    return kernel;
}

PipelineFunction::KernelPointer PipelineFunction::makeBound(const KernelPointer& general, const BoundResources& bound,
                                                            bool mayCompile, const std::function<bool()>& isUnwanted) {
    const auto lanes = lanesOf(general);
    if (!lanes) return nullptr;
    protocol::PipelineRequest wanted = request(*lanes);
    wanted.textures = bound.textures;
    wanted.samplers = bound.samplers;
    auto reply = fromArchives(wanted);
    if (reply == nullptr) {
        auto options = requestOptions(function->name(), function->library->isKeptOnDisk);
        options.onlyCached = !mayCompile;
        options.interrupted = isUnwanted;
        const auto answer = metal_compiler_client::Client::shared().pipeline(wanted, options);
        if (!answer || !answer.reply->ok) return nullptr;
        reply = answer.reply;
        keepInArchives(wanted, reply);
    }
    std::string whyNot;
    KernelPointer kernel = metal_executor::Kernel::load(reply->object, function->name(), &whyNot);
    // Arguments are laid out behind it as the general code has it.
    if (kernel == nullptr || kernel->info().static_threadgroup_memory != general->info().static_threadgroup_memory)
        return nullptr;
    if (general->nanosecondsPerThread() > 0) kernel->noteNanosecondsPerThread(general->nanosecondsPerThread());
    return kernel;
}

PipelineFunction::KernelPointer PipelineFunction::boundKernelFor(const KernelPointer& general,
                                                                 const BoundResources& bound, double threads) {
    const BoundPolicy policy = boundPolicy_;
    if (policy == BoundPolicy::never) return general;
    const BoundVariants::Found found = bound_.find(general, bound, threads);
    if (found.kernel != nullptr) return found.kernel;
    if (found.next == BoundVariants::Next::look) {
        KernelPointer kernel = makeBound(general, bound, policy == BoundPolicy::now, {});
        if (kernel != nullptr || policy == BoundPolicy::now) bound_.set(general, bound, kernel);
        if (kernel != nullptr) return kernel;
    } else if (found.next == BoundVariants::Next::compile) {
        runInBackground([this, state = NS::RetainPtr(pipelineState()), general, bound] {
            bound_.set(general, bound, makeBound(general, bound, true, [] { return isBackgroundEnding(); }));
        });
    }
    return general;
}

void* PipelineFunction::addressOf(const FunctionObject* visible) const {
    for (std::size_t i = 0; i < linked.size(); ++i) {
        if (linked[i].get() == visible) return firstKernel()->symbol(METAL_FUNCTION_SYMBOL + std::to_string(i));
    }
    return nullptr;
}

const FunctionObject* PipelineFunction::linkedFunction(std::string_view name) const {
    for (const auto& visible : linked) {
        if (visible->name() == name) return visible.get();
    }
    return nullptr;
}

std::vector<NS::SharedPtr<FunctionObject>> linkedFunctions(const MTL::LinkedFunctions* from) {
    std::vector<NS::SharedPtr<FunctionObject>> linked;
    if (from == nullptr) return linked;
    for (const NS::Array* list : {from->functions(), from->privateFunctions()}) {
        for (NS::UInteger i = 0; list != nullptr && i < list->count(); ++i) {
            auto function = NS::RetainPtr(as<FunctionObject>(list->object<MTL::Function>(i)));
            if (std::find(linked.begin(), linked.end(), function) == linked.end())
                linked.push_back(std::move(function));
        }
    }
    return linked;
}

protocol::PipelineRequest pipelineRequest(const FunctionObject* function, NS::UInteger maxTotalThreads,
                                          const std::vector<NS::SharedPtr<FunctionObject>>& linked,
                                          metal_executor::LaneVariant lanes) {
    protocol::PipelineRequest request;
    request.bitcode = function->library->reply->bitcode;
    request.entry = function->facts().entry;
    request.name = function->name();
    request.constants = function->constants;
    request.maxTotalThreads = static_cast<std::uint32_t>(maxTotalThreads);
    request.mathMode = function->library->mathMode;
    request.laneMapping = lanes.mapping;
    request.laneWidth = lanes.width;
    for (const auto& visible : linked) {
        request.functions.push_back(
            {visible->library->reply->bitcode, visible->facts().entry, visible->name(), visible->constants});
    }
    return request;
}

std::string functionMistake(const FunctionObject* function, const MTL::LinkedFunctions* linked,
                            bool forIndirectCommands) {
    for (const auto& visible : linkedFunctions(linked)) {
        if (visible->facts().kind != protocol::FunctionKind::visible)
            return "linked function '" + visible->name() + "' is not a visible function";
        if (const std::string* constant = visible->missingConstant())
            return "linked function '" + visible->name() + "': function constant '" + *constant + "' has no value";
    }
    if (const std::string* constant = function->missingConstant()) {
        return "function '" + function->name() + "' cannot be used to build a pipeline state: function constant '" +
               *constant + "' has no value";
    }
    if (!function->mistake.empty()) return function->mistake;
    for (const protocol::Argument& argument : function->facts().arguments) {
        const char* what = argument.kind == protocol::ArgumentKind::texture         ? "texture"
                           : argument.kind == protocol::ArgumentKind::sampler       ? "sampler"
                           : argument.kind == protocol::ArgumentKind::functionTable ? "function table"
                                                                                    : nullptr;
        if (!forIndirectCommands || what == nullptr || !argument.isUsed) continue;
        return "function '" + function->name() + "' takes a " + what + ", " + argument.name +
               ", which a command of an indirect command buffer cannot set: put it into an argument buffer";
    }
    return {};
}

}  // namespace metal_objects
