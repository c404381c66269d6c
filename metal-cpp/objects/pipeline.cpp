// SPDX-License-Identifier: MIT

#include "pipeline.hpp"

#include <algorithm>
#include <sstream>

#include "background.hpp"
#include "binary_archive.hpp"
#include "compiling.hpp"
#include "join.hpp"
#include "known_by_id.hpp"
#include "reflection.hpp"

namespace metal_objects {

namespace {

constexpr NS::Integer compileFailure = 2;
constexpr std::size_t mostVariants = 8;  // of variantFor: in_row of 8, 16, 32 and default width, linear likewise

class ReflectionObject final : public Implements<MTL::ComputePipelineReflection> {
public:
    explicit ReflectionObject(const PipelineObject* pipeline)
        : arguments(NS::TransferPtr(makeArguments(pipeline->function.get(), &pipeline->kernel()))),
          bindings(NS::TransferPtr(makeBindings(pipeline->function.get(), &pipeline->kernel()))) {}

    const NS::SharedPtr<NS::Array> arguments;
    const NS::SharedPtr<NS::Array> bindings;
};

MTL::ComputePipelineReflection* reflectionOf(const PipelineObject* pipeline) {
    auto* reflection = new ReflectionObject(pipeline);
    return reflection->autorelease();
}

std::vector<PipelineObject::Argument> usedArguments(const FunctionObject* function) {
    std::vector<PipelineObject::Argument> arguments;
    for (const protocol::Argument& argument : function->facts().arguments) {
        if (!argument.isUsed || !function->isPresent(argument)) continue;
        const bool isTyped = argument.type != protocol::noType;
        arguments.push_back({&argument, isTyped ? function->library->reply->types[argument.type].size : 0});
    }
    return arguments;
}

std::string sizeText(MTL::Size size) {
    return std::to_string(size.width) + ", " + std::to_string(size.height) + ", " + std::to_string(size.depth);
}

std::string requiredThreadsMistake(const PipelineValues& values, const FunctionObject* function) {
    const auto& sizes = function->facts().requiredThreads;
    const MTL::Size asked = values.requiredThreads, written(sizes[0], sizes[1], sizes[2]);
    const bool isAsked = asked.width != 0 || asked.height != 0 || asked.depth != 0;
    const bool differs = asked.width != written.width || asked.height != written.height || asked.depth != written.depth;
    if (isAsked && written.width != 0 && differs) {
        return "requiredThreadsPerThreadgroup is (" + sizeText(asked) + "), but function '" + function->name() +
               "' requires (" + sizeText(written) + ")";
    }
    const MTL::Size required = isAsked ? asked : written;
    if (!isAsked && written.width == 0) return {};
    NS::UInteger most = threadsAskedFor(values, function);
    if (most == 0 || most > metal_max_threads_per_threadgroup) most = metal_max_threads_per_threadgroup;
    const bool fits = required.width != 0 && required.height != 0 && required.depth != 0 && required.width <= most &&
                      required.height <= most && required.depth <= most &&
                      required.width * required.height * required.depth <= most;
    if (fits) return {};
    return "function '" + function->name() + "' requires threadgroups of (" + sizeText(required) +
           ") threads: each size must be > 0, and their product <= " + std::to_string(most);
}

std::size_t countSlots(const FunctionObject* function) {
    std::size_t count = 0;
    for (const protocol::Argument& argument : function->facts().arguments) {
        count = std::max<std::size_t>(count, argument.slot + 1);
    }
    return count;
}

}  // namespace

NS::UInteger threadsAskedFor(const PipelineValues& values, const FunctionObject* function) {
    if (values.maxTotalThreads != 0) return values.maxTotalThreads;
    if (function->facts().maxTotalThreads != 0) return function->facts().maxTotalThreads;
    return function->library->maxTotalThreads;
}

MTL::Size requiredThreads(const PipelineValues& values, const FunctionObject* function) {
    if (values.requiredThreads.width != 0) return values.requiredThreads;
    const auto& sizes = function->facts().requiredThreads;
    return MTL::Size(sizes[0], sizes[1], sizes[2]);
}

std::string mistakeOf(const PipelineValues& values) {
    const auto* function = as<FunctionObject>(values.function.get());
    if (function == nullptr) return "computeFunction must not be nil";
    if (function->facts().kind != protocol::FunctionKind::kernel) {
        return "function '" + function->name() + "' is not a kernel";
    }
    StageInput input;
    if (const std::string mistake = makeStageInput(function, values.stageInput.get(), input); !mistake.empty()) {
        return mistake;
    }
    for (const auto& visible : linkedFunctions(values)) {
        if (visible->facts().kind != protocol::FunctionKind::visible)
            return "linked function '" + visible->name() + "' is not a visible function";
        if (const std::string* constant = visible->missingConstant())
            return "linked function '" + visible->name() + "': function constant '" + *constant + "' has no value";
    }
    if (values.maxTotalThreads > metal_max_threads_per_threadgroup) {
        std::ostringstream text;
        text << "maxTotalThreadsPerThreadgroup is " << values.maxTotalThreads << ", this device allows "
             << int(metal_max_threads_per_threadgroup);
        return text.str();
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
        if (!values.supportsIndirectCommands || what == nullptr || !argument.isUsed) continue;
        return "function '" + function->name() + "' takes a " + what + ", " + argument.name +
               ", which a command of an indirect command buffer cannot set: put it into an argument buffer";
    }
    return requiredThreadsMistake(values, function);
}

std::vector<NS::SharedPtr<FunctionObject>> linkedFunctions(const PipelineValues& values) {
    std::vector<NS::SharedPtr<FunctionObject>> linked;
    if (!values.linkedFunctions) return linked;
    for (const NS::Array* list : {values.linkedFunctions->functions(), values.linkedFunctions->privateFunctions()}) {
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

bool PipelineObject::use(std::uint64_t resourceID, const std::function<void(PipelineObject&)>& user) {
    const auto pipeline = KnownByID<PipelineObject>::find(resourceID);
    if (!pipeline) return false;
    user(*pipeline.get());
    return true;
}

PipelineObject::~PipelineObject() {
    if (resourceID != 0) KnownByID<PipelineObject>::remove(resourceID);
}

PipelineObject::PipelineObject(const MTL::Device* device, const PipelineValues& values)
    : device(NS::RetainPtr(const_cast<MTL::Device*>(device))),
      label(values.label),
      function(NS::RetainPtr(as<FunctionObject>(values.function.get()))),
      requestedThreads(threadsAskedFor(values, function.get())),
      isMultipleOfExecutionWidth(values.isMultipleOfExecutionWidth),
      requiredThreads(metal_objects::requiredThreads(values, function.get())),
      supportsIndirectCommands(values.supportsIndirectCommands),
      archives(values.binaryArchives),
      linked(linkedFunctions(values)),
      arguments(usedArguments(function.get())),
      takesBoundCode(std::any_of(arguments.begin(), arguments.end(),
                                 [](const Argument& argument) {
                                     return argument.facts->kind == protocol::ArgumentKind::texture ||
                                            argument.facts->kind == protocol::ArgumentKind::sampler;
                                 })),
      slotCount(countSlots(function.get())),
      resourceID(values.supportsIndirectCommands ? KnownByID<PipelineObject>::add(this) : 0) {
    variants_.reserve(mostVariants);
}

PipelineObject* PipelineObject::make(const MTL::Device* device, const PipelineValues& values,
                                     MTL::PipelineOption options, NS::Error** error) {
    const std::string mistake = mistakeOf(values);
    if (!mistake.empty()) {
        report(error, makeError(pipelineErrorDomain, compileFailure, mistake));
        return nullptr;
    }
    auto pipeline = NS::TransferPtr(new PipelineObject(device, values));
    makeStageInput(pipeline->function.get(), values.stageInput.get(), pipeline->stageInput);
    if ((options & MTL::PipelineOptionFailOnBinaryArchiveMiss) != 0 &&
        pipeline->fromArchives(
            pipelineRequest(pipeline->function.get(), pipeline->requestedThreads, pipeline->linked)) == nullptr) {
        report(error, makeError(pipelineErrorDomain, compileFailure,
                                "no binary archive holds function '" + pipeline->function->name() + "'"));
        return nullptr;
    }
    if (!pipeline->makeFirst(error)) return nullptr;
    pipeline->retain();
    return pipeline.get();
}

bool PipelineObject::makeFirst(NS::Error** error) {
    std::string whyNot;
    KernelPointer kernel = compile({}, whyNot, error);
    if (kernel == nullptr) return false;
    // With SIMD-groups, the target's own choice is what most threadgroups want.
    metal_executor::LaneVariant lanes;
    if (kernel->info().uses_simdgroup != 0) lanes = {kernel->info().lane_mapping, kernel->info().lane_width};
    variants_.push_back({lanes, std::move(kernel), std::move(compiledReply_)});
    return true;
}

std::shared_ptr<const protocol::PipelineReply> PipelineObject::fromArchives(
    const protocol::PipelineRequest& request) const {
    for (NS::UInteger i = 0; archives && i < archives->count(); ++i) {
        if (auto reply = as<BinaryArchiveObject>(archives->object<MTL::BinaryArchive>(i))->find(request)) return reply;
    }
    return nullptr;
}

PipelineObject::KernelPointer PipelineObject::compile(metal_executor::LaneVariant lanes, std::string& whyNot,
                                                      NS::Error** error) {
    protocol::PipelineRequest request = pipelineRequest(function.get(), requestedThreads, linked, lanes);
    request.explain = explain_;
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
    if (explain_ != protocol::Explain::no) compiledReply_ = reply;
    if (lanes != metal_executor::LaneVariant{}) keepInArchives(request, reply);
    return kernel;
}

void PipelineObject::keepInArchives(const protocol::PipelineRequest& request,
                                    const std::shared_ptr<const protocol::PipelineReply>& reply) const {
    if (!archives || archives->count() == 0) return;
    const auto first = pipelineRequest(function.get(), requestedThreads, linked);
    for (NS::UInteger i = 0; i < archives->count(); ++i)
        as<BinaryArchiveObject>(archives->object<MTL::BinaryArchive>(i))->addVariant(first, request, reply);
}

PipelineObject::KernelPointer PipelineObject::makeBound(const KernelPointer& general, const BoundResources& bound,
                                                        bool mayCompile, const std::function<bool()>& isUnwanted) {
    metal_executor::LaneVariant lanes;
    {
        std::lock_guard lock(mutex_);
        const auto variant = std::find_if(variants_.begin(), variants_.end(),
                                          [&](const Variant& known) { return known.kernel == general; });
        if (variant == variants_.end()) return nullptr;
        lanes = variant->lanes;
    }
    protocol::PipelineRequest request = pipelineRequest(function.get(), requestedThreads, linked, lanes);
    request.textures = bound.textures;
    request.samplers = bound.samplers;
    auto reply = fromArchives(request);
    if (reply == nullptr) {
        auto options = requestOptions(function->name(), function->library->isKeptOnDisk);
        options.onlyCached = !mayCompile;
        options.interrupted = isUnwanted;
        const auto answer = metal_compiler_client::Client::shared().pipeline(request, options);
        if (!answer || !answer.reply->ok) return nullptr;
        reply = answer.reply;
        keepInArchives(request, reply);
    }
    std::string whyNot;
    KernelPointer kernel = metal_executor::Kernel::load(reply->object, function->name(), &whyNot);
    // Arguments are laid out behind it as the general code has it.
    if (kernel == nullptr || kernel->info().static_threadgroup_memory != general->info().static_threadgroup_memory)
        return nullptr;
    if (general->nanosecondsPerThread() > 0) kernel->noteNanosecondsPerThread(general->nanosecondsPerThread());
    return kernel;
}

PipelineObject::KernelPointer PipelineObject::boundKernelFor(const KernelPointer& general, const BoundResources& bound,
                                                             double threads) {
    const BoundPolicy policy = boundPolicy_;
    // What is explained is the general code.
    if (policy == BoundPolicy::never || explain_ != protocol::Explain::no) return general;
    const BoundVariants::Found found = bound_.find(general, bound, threads);
    if (found.kernel != nullptr) return found.kernel;
    if (found.next == BoundVariants::Next::look) {
        KernelPointer kernel = makeBound(general, bound, policy == BoundPolicy::now, {});
        if (kernel != nullptr || policy == BoundPolicy::now) bound_.set(general, bound, kernel);
        if (kernel != nullptr) return kernel;
    } else if (found.next == BoundVariants::Next::compile) {
        runInBackground([pipeline = NS::RetainPtr(this), general, bound] {
            pipeline->bound_.set(general, bound,
                                 pipeline->makeBound(general, bound, true, [] { return isBackgroundEnding(); }));
        });
    }
    return general;
}

PipelineObject::KernelPointer PipelineObject::kernelFor(MTL::Size threads, NS::UInteger edgeWidth,
                                                        std::string& whyNot) {
    const auto wanted =
        metal_executor::variantFor(info().uses_simdgroup != 0, static_cast<std::uint32_t>(threads.width),
                                   static_cast<std::uint32_t>(threads.height),
                                   static_cast<std::uint32_t>(threads.depth), static_cast<std::uint32_t>(edgeWidth));
    std::lock_guard lock(mutex_);
    for (latest_ = 0; latest_ < variants_.size(); ++latest_) {
        if (variants_[latest_].lanes == wanted) return variants_[latest_].kernel;
    }
    latest_ = 0;
    KernelPointer kernel = compile(wanted, whyNot, nullptr);
    if (kernel != nullptr && variants_.size() < mostVariants) {
        latest_ = variants_.size();
        variants_.push_back({wanted, kernel, std::move(compiledReply_)});
    }
    return kernel;
}

std::string PipelineObject::threadgroupMistake(MTL::Size threads) const {
    if (threads.width == 0 || threads.height == 0 || threads.depth == 0)
        return join("threadsPerThreadgroup(", sizeText(threads), ") must be > 0 in every dimension");
    const NS::UInteger most = maxTotalThreads();
    // Each dimension first, since their product may overflow.
    if (threads.width > most || threads.height > most || threads.depth > most ||
        threads.width * threads.height * threads.depth > most) {
        return join("threadsPerThreadgroup.width(", threads.width, ") * height(", threads.height, ") * depth(",
                    threads.depth, ") must be <= ", most, ", the kernel's maxTotalThreadsPerThreadgroup");
    }
    const bool differs = threads.width != requiredThreads.width || threads.height != requiredThreads.height ||
                         threads.depth != requiredThreads.depth;
    if (requiredThreads.width != 0 && differs) {
        return join("threadsPerThreadgroup(", sizeText(threads), ") must be (", sizeText(requiredThreads),
                    "), the kernel's requiredThreadsPerThreadgroup");
    }
    const NS::UInteger count = threads.width * threads.height * threads.depth;
    if (isMultipleOfExecutionWidth && count % metal_simdgroup_width != 0) {
        return join("the threadgroup's ", count, " threads must be a multiple of threadExecutionWidth(",
                    int(metal_simdgroup_width), "), as the pipeline was told");
    }
    return {};
}

void* PipelineObject::addressOf(const FunctionObject* function) const {
    for (std::size_t i = 0; i < linked.size(); ++i) {
        if (linked[i].get() == function)
            return variants_.front().kernel->symbol(METAL_FUNCTION_SYMBOL + std::to_string(i));
    }
    return nullptr;
}

NS::UInteger PipelineObject::maxTotalThreads() const {
    return std::min<NS::UInteger>(info().max_total_threads, metal_max_threads_per_threadgroup);
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::PipelineObject;
using metal_objects::PipelineValues;
using metal_objects::ReflectionObject;

namespace MTL {

ComputePipelineState* Device::newComputePipelineState(const Function* computeFunction, NS::Error** error) {
    return newComputePipelineState(computeFunction, PipelineOptionNone, nullptr, error);
}

ComputePipelineState* Device::newComputePipelineState(const Function* computeFunction, PipelineOption options,
                                                      const AutoreleasedComputePipelineReflection* reflection,
                                                      NS::Error** error) {
    auto descriptor = NS::TransferPtr(ComputePipelineDescriptor::alloc()->init());
    descriptor->setComputeFunction(computeFunction);
    return newComputePipelineState(descriptor.get(), options, reflection, error);
}

ComputePipelineState* Device::newComputePipelineState(const ComputePipelineDescriptor* descriptor,
                                                      PipelineOption options,
                                                      const AutoreleasedComputePipelineReflection* reflection,
                                                      NS::Error** error) {
    metal_objects::report(error, nullptr);
    const auto& values = as<metal_objects::ComputePipelineDescriptorObject>(descriptor)->values;
    auto* pipeline = PipelineObject::make(this, values, options, error);
    // Apple's parameter is const, though it is where the result goes.
    if (pipeline != nullptr && reflection != nullptr) {
        *const_cast<AutoreleasedComputePipelineReflection*>(reflection) = metal_objects::reflectionOf(pipeline);
    }
    return pipeline;
}

void Device::newComputePipelineState(const Function* pFunction,
                                     const NewComputePipelineStateCompletionHandlerFunction& completionHandler) {
    auto descriptor = NS::TransferPtr(ComputePipelineDescriptor::alloc()->init());
    descriptor->setComputeFunction(pFunction);
    newComputePipelineState(descriptor.get(), PipelineOptionNone,
                            [completionHandler](ComputePipelineState* pipeline, ComputePipelineReflection*,
                                                NS::Error* error) { completionHandler(pipeline, error); });
}

void Device::newComputePipelineState(
    const Function* pFunction, PipelineOption options,
    const NewComputePipelineStateWithReflectionCompletionHandlerFunction& completionHandler) {
    auto descriptor = NS::TransferPtr(ComputePipelineDescriptor::alloc()->init());
    descriptor->setComputeFunction(pFunction);
    newComputePipelineState(descriptor.get(), options, completionHandler);
}

void Device::newComputePipelineState(
    const ComputePipelineDescriptor* pDescriptor, PipelineOption options,
    const NewComputePipelineStateWithReflectionCompletionHandlerFunction& completionHandler) {
    auto device = NS::RetainPtr(this);
    PipelineValues values = as<metal_objects::ComputePipelineDescriptorObject>(pDescriptor)->values;
    if (values.stageInput) values.stageInput = NS::TransferPtr(values.stageInput->copy());  // the caller may change it
    metal_objects::inBackground([=] {
        NS::Error* error = nullptr;
        auto pipeline = NS::TransferPtr(PipelineObject::make(device.get(), values, options, &error));
        completionHandler(pipeline.get(), pipeline ? metal_objects::reflectionOf(pipeline.get()) : nullptr, error);
    });
}

NS::Array* ComputePipelineReflection::arguments() const {
    return as<ReflectionObject>(this)->arguments.get();
}
NS::Array* ComputePipelineReflection::bindings() const {
    return as<ReflectionObject>(this)->bindings.get();
}

Device* ComputePipelineState::device() const {
    return as<PipelineObject>(this)->device.get();
}
NS::String* ComputePipelineState::label() const {
    return as<PipelineObject>(this)->label.get();
}
NS::UInteger ComputePipelineState::threadExecutionWidth() const {
    return metal_simdgroup_width;
}

ResourceID ComputePipelineState::gpuResourceID() const {
    return {as<PipelineObject>(this)->resourceID};
}

bool ComputePipelineState::supportIndirectCommandBuffers() const {
    return as<PipelineObject>(this)->supportsIndirectCommands;
}

Size ComputePipelineState::requiredThreadsPerThreadgroup() const {
    return as<PipelineObject>(this)->requiredThreads;
}

NS::UInteger ComputePipelineState::maxTotalThreadsPerThreadgroup() const {
    return as<PipelineObject>(this)->maxTotalThreads();
}

ComputePipelineReflection* ComputePipelineState::reflection() const {
    return metal_objects::reflectionOf(as<PipelineObject>(this));
}

NS::UInteger ComputePipelineState::staticThreadgroupMemoryLength() const {
    return as<PipelineObject>(this)->info().static_threadgroup_memory;
}

}  // namespace MTL
