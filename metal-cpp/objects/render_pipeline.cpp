// SPDX-License-Identifier: MIT

#include "render_pipeline.hpp"

#include <algorithm>

#include "compiling.hpp"
#include "descriptors.hpp"
#include "error.hpp"
#include "function_tables.hpp"
#include "join.hpp"
#include "known_by_id.hpp"
#include "reflection.hpp"

namespace metal_objects {

namespace {

constexpr NS::Integer compileFailure = 2;
constexpr std::size_t mostVariants = 64;

std::uint8_t byteOf(NS::UInteger value) {
    return static_cast<std::uint8_t>(value);
}

metal_executor::render::ColorState colorState(const RenderPipelineValues& values) {
    metal_executor::render::ColorState state;
    state.alphaToOne = values.alphaToOne;
    for (NS::UInteger i = 0; i < colorCount; ++i) {
        const ColorAttachmentObject* object = values.colors->find(i);
        if (object == nullptr) continue;
        const ColorAttachmentValues& color = object->values;
        metal_executor::render::Blending& blending = state.colors[i];
        blending.isEnabled = color.blends;
        blending.colorSource = byteOf(color.sourceRGB);
        blending.colorDestination = byteOf(color.destinationRGB);
        blending.colorOperation = byteOf(color.operationRGB);
        blending.alphaSource = byteOf(color.sourceAlpha);
        blending.alphaDestination = byteOf(color.destinationAlpha);
        blending.alphaOperation = byteOf(color.operationAlpha);
        blending.writeMask = byteOf(color.writeMask);
    }
    return state;
}

std::string stageMistake(const FunctionObject* function, protocol::FunctionKind kind, const char* name,
                         const MTL::LinkedFunctions* linked, bool forIndirectCommands) {
    if (function->facts().kind != kind) return join("function '", function->name(), "' is not a ", name, " function");
    return functionMistake(function, linked, forIndirectCommands);
}

std::string layersMistake(const FunctionObject* vertex, const RenderPipelineValues& values) {
    if (values.topology != MTL::PrimitiveTopologyClassUnspecified) return {};
    for (const protocol::StageValue& output : vertex->facts().outputs) {
        if (output.kind != protocol::StageValueKind::renderTargetArrayIndex || !vertex->isPresent(output)) continue;
        return join("vertex function '", vertex->name(),
                    "' gives [[render_target_array_index]]: inputPrimitiveTopology must say what is drawn");
    }
    return {};
}

}  // namespace

std::string mistakeOf(const RenderPipelineValues& values) {
    const auto* vertex = as<FunctionObject>(values.vertexFunction.get());
    const auto* fragment = as<FunctionObject>(values.fragmentFunction.get());
    const bool indirect = values.supportsIndirectCommands;
    if (vertex == nullptr) return "vertexFunction must not be nil";
    std::string mistake =
        stageMistake(vertex, protocol::FunctionKind::vertex, "vertex", values.vertexLinked.get(), indirect);
    if (mistake.empty() && vertex->facts().patchType != 0) {
        mistake =
            join("vertex function '", vertex->name(), "' is of patches ([[patch]]), which this device does not draw");
    }
    if (mistake.empty() && fragment != nullptr) {
        mistake =
            stageMistake(fragment, protocol::FunctionKind::fragment, "fragment", values.fragmentLinked.get(), indirect);
    }
    if (mistake.empty()) mistake = attachmentsMistake(values);
    if (mistake.empty()) mistake = layersMistake(vertex, values);
    if (!mistake.empty()) return mistake;
    VertexInput input;
    mistake = makeVertexInput(vertex, values.vertexDescriptor.get(), input);
    if (!mistake.empty()) return mistake;
    metal_executor::render::RenderPipeline linked;
    linked.isRasterizationEnabled = values.rasterizes;
    return linkStages(vertex, values.rasterizes ? fragment : nullptr, linked);
}

bool StageCode::make(NS::Error** error) {
    std::string whyNot;
    kernel_ = compile(request(), nullptr, whyNot, error);
    return kernel_ != nullptr;
}

NS::Object* StageCode::pipelineState() {
    return pipeline_;
}
const NS::SharedPtr<MTL::Device>& StageCode::ownDevice() const {
    return pipeline_->device;
}

std::optional<metal_executor::LaneVariant> StageCode::lanesOf(const KernelPointer& general) const {
    if (general != kernel_) return std::nullopt;
    return metal_executor::LaneVariant{};
}

RenderPipelineObject::RenderPipelineObject(const MTL::Device* device, const RenderPipelineValues& values)
    : device(NS::RetainPtr(const_cast<MTL::Device*>(device))),
      label(values.label),
      supportsIndirectCommands(values.supportsIndirectCommands),
      shaderValidation(values.shaderValidation),
      topology(values.topology),
      sampleCount(values.sampleCount),
      depthFormat(values.depthFormat),
      stencilFormat(values.stencilFormat),
      colors(colorState(values)),
      vertex(std::make_unique<StageCode>(this, as<FunctionObject>(values.vertexFunction.get()),
                                         values.vertexLinked.get(), values.binaryArchives)),
      fragment(values.fragmentFunction && values.rasterizes
                   ? std::make_unique<StageCode>(this, as<FunctionObject>(values.fragmentFunction.get()),
                                                 values.fragmentLinked.get(), values.binaryArchives)
                   : nullptr),
      resourceID(values.supportsIndirectCommands ? KnownByID<RenderPipelineObject>::add(this) : 0) {
    for (NS::UInteger i = 0; i < colorCount; ++i) {
        if (const ColorAttachmentObject* color = values.colors->find(i)) colorFormats[i] = color->values.pixelFormat;
    }
}

RenderPipelineObject::~RenderPipelineObject() {
    if (resourceID != 0) KnownByID<RenderPipelineObject>::remove(resourceID);
}

NS::SharedPtr<RenderPipelineObject> RenderPipelineObject::find(std::uint64_t resourceID) {
    return KnownByID<RenderPipelineObject>::find(resourceID);
}

RenderPipelineObject* RenderPipelineObject::make(const MTL::Device* device, const RenderPipelineValues& values,
                                                 MTL::PipelineOption options, NS::Error** error) {
    const auto fail = [&](const std::string& why) {
        report(error, makeError(pipelineErrorDomain, compileFailure, why));
        return nullptr;
    };
    if (const std::string mistake = mistakeOf(values); !mistake.empty()) return fail(mistake);
    auto pipeline = NS::TransferPtr(new RenderPipelineObject(device, values));
    for (StageCode* stage : {pipeline->vertex.get(), pipeline->fragment.get()}) {
        if (stage == nullptr) continue;
        if ((options & MTL::PipelineOptionFailOnBinaryArchiveMiss) != 0 && !stage->isArchived())
            return fail("no binary archive holds function '" + stage->function->name() + "'");
        if (!stage->make(error)) return nullptr;
    }
    auto linked = std::make_shared<metal_executor::render::RenderPipeline>();
    linked->label = view(pipeline->label.get());
    linked->isRasterizationEnabled = values.rasterizes;
    linked->alphaToCoverage = values.alphaToCoverage;
    const StageCode* fragment = pipeline->fragment.get();
    makeVertexInput(pipeline->vertex->function.get(), values.vertexDescriptor.get(), pipeline->vertexInput);
    linkStages(pipeline->vertex->function.get(), fragment != nullptr ? fragment->function.get() : nullptr, *linked);
    linked->vertex.kernel = pipeline->vertex->firstKernel();
    if (fragment != nullptr) linked->fragment.kernel = fragment->firstKernel();
    pipeline->linked_ = std::move(linked);
    pipeline->retain();
    return pipeline.get();
}

RenderPipelineObject::Linked RenderPipelineObject::linkedWith(const PipelineFunction::KernelPointer& vertexKernel,
                                                              const PipelineFunction::KernelPointer& fragmentKernel) {
    const auto has = [&](const Linked& one) {
        return one->vertex.kernel == vertexKernel && one->fragment.kernel == fragmentKernel;
    };
    if (has(linked_)) return linked_;
    std::lock_guard lock(mutex_);
    const auto found = std::find_if(variants_.begin(), variants_.end(), has);
    if (found != variants_.end()) return *found;
    auto made = std::make_shared<metal_executor::render::RenderPipeline>(*linked_);
    made->vertex.kernel = vertexKernel;
    made->fragment.kernel = fragmentKernel;
    if (variants_.size() < mostVariants) variants_.push_back(made);
    return made;
}

StageCode* RenderPipelineObject::stage(MTL::RenderStages stage) const {
    return stage == MTL::RenderStageVertex     ? vertex.get()
           : stage == MTL::RenderStageFragment ? fragment.get()
                                               : nullptr;
}

namespace {

class ReflectionObject final : public Implements<MTL::RenderPipelineReflection> {
public:
    struct Stage {
        NS::SharedPtr<NS::Array> arguments, bindings;
    };
    explicit ReflectionObject(const RenderPipelineObject* pipeline)
        : vertex(of(pipeline->vertex.get())), fragment(of(pipeline->fragment.get())) {}

    const Stage vertex, fragment;

private:
    static Stage of(const StageCode* stage) {
        if (stage == nullptr) return {};
        const auto* function = stage->function.get();
        const auto* kernel = stage->firstKernel().get();
        return {NS::TransferPtr(makeArguments(function, kernel)), NS::TransferPtr(makeBindings(function, kernel))};
    }
};

}  // namespace

MTL::RenderPipelineReflection* reflectionOf(const RenderPipelineObject* pipeline) {
    auto* reflection = new ReflectionObject(pipeline);
    return reflection->autorelease();
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::ReflectionObject;
using metal_objects::RenderPipelineObject;
using metal_objects::RenderPipelineValues;

namespace MTL {

RenderPipelineState* Device::newRenderPipelineState(const RenderPipelineDescriptor* descriptor, NS::Error** error) {
    return newRenderPipelineState(descriptor, PipelineOptionNone, nullptr, error);
}

RenderPipelineState* Device::newRenderPipelineState(const RenderPipelineDescriptor* descriptor, PipelineOption options,
                                                    const AutoreleasedRenderPipelineReflection* reflection,
                                                    NS::Error** error) {
    metal_objects::report(error, nullptr);
    const auto& values = as<metal_objects::RenderPipelineDescriptorObject>(descriptor)->values;
    auto* pipeline = RenderPipelineObject::make(this, values, options, error);
    // Apple's parameter is const, though it is where the result goes.
    if (pipeline != nullptr && reflection != nullptr)
        *const_cast<AutoreleasedRenderPipelineReflection*>(reflection) = metal_objects::reflectionOf(pipeline);
    return pipeline;
}

void Device::newRenderPipelineState(const RenderPipelineDescriptor* pDescriptor,
                                    const NewRenderPipelineStateCompletionHandlerFunction& completionHandler) {
    newRenderPipelineState(pDescriptor, PipelineOptionNone,
                           [completionHandler](RenderPipelineState* pipeline, RenderPipelineReflection*,
                                               NS::Error* error) { completionHandler(pipeline, error); });
}

void Device::newRenderPipelineState(
    const RenderPipelineDescriptor* pDescriptor, PipelineOption options,
    const NewRenderPipelineStateWithReflectionCompletionHandlerFunction& completionHandler) {
    auto device = NS::RetainPtr(this);
    RenderPipelineValues values = as<metal_objects::RenderPipelineDescriptorObject>(pDescriptor)->values;
    metal_objects::inBackground([=] {
        NS::Error* error = nullptr;
        auto pipeline = NS::TransferPtr(RenderPipelineObject::make(device.get(), values, options, &error));
        completionHandler(pipeline.get(), pipeline ? metal_objects::reflectionOf(pipeline.get()) : nullptr, error);
    });
}

NS::Array* RenderPipelineReflection::vertexArguments() const {
    return as<ReflectionObject>(this)->vertex.arguments.get();
}
NS::Array* RenderPipelineReflection::vertexBindings() const {
    return as<ReflectionObject>(this)->vertex.bindings.get();
}
NS::Array* RenderPipelineReflection::fragmentArguments() const {
    return as<ReflectionObject>(this)->fragment.arguments.get();
}
NS::Array* RenderPipelineReflection::fragmentBindings() const {
    return as<ReflectionObject>(this)->fragment.bindings.get();
}

Device* RenderPipelineState::device() const {
    return as<RenderPipelineObject>(this)->device.get();
}
NS::String* RenderPipelineState::label() const {
    return as<RenderPipelineObject>(this)->label.get();
}
ResourceID RenderPipelineState::gpuResourceID() const {
    return {as<RenderPipelineObject>(this)->resourceID};
}
bool RenderPipelineState::supportIndirectCommandBuffers() const {
    return as<RenderPipelineObject>(this)->supportsIndirectCommands;
}
ShaderValidation RenderPipelineState::shaderValidation() const {
    return as<RenderPipelineObject>(this)->shaderValidation;
}
RenderPipelineReflection* RenderPipelineState::reflection() const {
    return metal_objects::reflectionOf(as<RenderPipelineObject>(this));
}

FunctionHandle* RenderPipelineState::functionHandle(const Function* function, RenderStages stage) {
    auto* code = as<RenderPipelineObject>(this)->stage(stage);
    return code != nullptr ? metal_objects::functionHandle(code, as<metal_objects::FunctionObject>(function)) : nullptr;
}

FunctionHandle* RenderPipelineState::functionHandle(const NS::String* name, RenderStages stage) {
    auto* code = as<RenderPipelineObject>(this)->stage(stage);
    if (code == nullptr) return nullptr;
    return metal_objects::functionHandle(code, code->linkedFunction(metal_objects::view(name)));
}

VisibleFunctionTable* RenderPipelineState::newVisibleFunctionTable(const VisibleFunctionTableDescriptor* descriptor,
                                                                   RenderStages stage) {
    auto* code = as<RenderPipelineObject>(this)->stage(stage);
    if (code != nullptr) return metal_objects::newFunctionTable(code, descriptor);
    metal_objects::reportMistake(metal_objects::join("newVisibleFunctionTable: stage is ", stage,
                                                     ", must be one that the pipeline state has a function for"));
    return nullptr;
}

}  // namespace MTL
