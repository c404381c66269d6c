// SPDX-License-Identifier: MIT

#include "pipeline.hpp"

#include <algorithm>
#include <sstream>

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
    if (values.maxTotalThreads > metal_max_threads_per_threadgroup) {
        std::ostringstream text;
        text << "maxTotalThreadsPerThreadgroup is " << values.maxTotalThreads << ", this device allows "
             << int(metal_max_threads_per_threadgroup);
        return text.str();
    }
    if (std::string mistake = functionMistake(function, values.linkedFunctions.get(), values.supportsIndirectCommands);
        !mistake.empty()) {
        return mistake;
    }
    return requiredThreadsMistake(values, function);
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
    : PipelineFunction(as<FunctionObject>(values.function.get()),
                       threadsAskedFor(values, as<FunctionObject>(values.function.get())),
                       linkedFunctions(values.linkedFunctions.get()), values.binaryArchives),
      device(NS::RetainPtr(const_cast<MTL::Device*>(device))),
      label(values.label),
      isMultipleOfExecutionWidth(values.isMultipleOfExecutionWidth),
      requiredThreads(metal_objects::requiredThreads(values, function.get())),
      supportsIndirectCommands(values.supportsIndirectCommands),
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
        pipeline->fromArchives(pipeline->request()) == nullptr) {
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
    KernelPointer kernel = compileVariant({}, whyNot, error);
    if (kernel == nullptr) return false;
    // With SIMD-groups, the target's own choice is what most threadgroups want.
    metal_executor::LaneVariant lanes;
    if (kernel->info().uses_simdgroup != 0) lanes = {kernel->info().lane_mapping, kernel->info().lane_width};
    variants_.push_back({lanes, std::move(kernel), std::move(compiledReply_)});
    return true;
}

PipelineObject::KernelPointer PipelineObject::compileVariant(metal_executor::LaneVariant lanes, std::string& whyNot,
                                                             NS::Error** error) {
    protocol::PipelineRequest wanted = request(lanes);
    wanted.explain = explain_;
    CompiledReply reply;
    KernelPointer kernel = compile(wanted, &reply, whyNot, error);
    if (kernel == nullptr || reply == nullptr) return kernel;
    if (explain_ != protocol::Explain::no) compiledReply_ = reply;
    if (lanes != metal_executor::LaneVariant{}) keepInArchives(wanted, reply);
    return kernel;
}

std::optional<metal_executor::LaneVariant> PipelineObject::lanesOf(const KernelPointer& general) const {
    // What is explained is the general code.
    if (explain_ != protocol::Explain::no) return std::nullopt;
    std::lock_guard lock(mutex_);
    for (const Variant& variant : variants_) {
        if (variant.kernel == general) return variant.lanes;
    }
    return std::nullopt;
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
    KernelPointer kernel = compileVariant(wanted, whyNot, nullptr);
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
    const PipelineValues values = as<metal_objects::ComputePipelineDescriptorObject>(pDescriptor)->values;
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
