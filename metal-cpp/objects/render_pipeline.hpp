// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "../executor/render/draw.hpp"
#include "pipeline_function.hpp"
#include "render_linking.hpp"

namespace metal_objects {

class RenderPipelineObject;

/// The function of one stage of a render pipeline.
class StageCode final : public PipelineFunction {
public:
    StageCode(RenderPipelineObject* pipeline, const FunctionObject* function, const MTL::LinkedFunctions* linked,
              const NS::SharedPtr<NS::Array>& archives)
        : PipelineFunction(function, 0, linkedFunctions(linked), archives), pipeline_(pipeline) {}

    bool isArchived() const { return fromArchives(request()) != nullptr; }
    bool make(NS::Error** error);

    const KernelPointer& firstKernel() const override { return kernel_; }
    NS::Object* pipelineState() override;
    const NS::SharedPtr<MTL::Device>& ownDevice() const override;

private:
    std::optional<metal_executor::LaneVariant> lanesOf(const KernelPointer& general) const override;

    RenderPipelineObject* const pipeline_;
    KernelPointer kernel_;
};

class RenderPipelineObject final : public Implements<MTL::RenderPipelineState> {
public:
    using Linked = std::shared_ptr<const metal_executor::render::RenderPipeline>;

    /// Compiles both functions, unless an archive has them. Null, and `error`, when they cannot be compiled or do not
    /// fit one another.
    static RenderPipelineObject* make(const MTL::Device* device, const RenderPipelineValues& values,
                                      MTL::PipelineOption options, NS::Error** error);
    ~RenderPipelineObject() override;

    /// The pipeline that commands in memory know by this number; null when there is none (any more).
    static NS::SharedPtr<RenderPipelineObject> find(std::uint64_t resourceID);

    /// What draws: with the code that was compiled first, or with code for what is bound.
    const Linked& linked() const { return linked_; }
    Linked linkedWith(const PipelineFunction::KernelPointer& vertexKernel,
                      const PipelineFunction::KernelPointer& fragmentKernel);

    /// The stage's function; null where there is none.
    StageCode* stage(MTL::RenderStages stage) const;

    const NS::SharedPtr<MTL::Device> device;
    const NS::SharedPtr<NS::String> label;
    const bool supportsIndirectCommands;
    const MTL::ShaderValidation shaderValidation;
    const MTL::PrimitiveTopologyClass topology;
    const NS::UInteger sampleCount;
    std::array<MTL::PixelFormat, colorCount> colorFormats{};
    const MTL::PixelFormat depthFormat, stencilFormat;
    metal_executor::render::ColorState colors;  // without the encoder's blend colour
    const std::unique_ptr<StageCode> vertex;
    const std::unique_ptr<StageCode> fragment;  // null where nothing is drawn but depth and stencil
    VertexInput vertexInput;
    const std::uint64_t resourceID;  // what commands know it by; zero without supportsIndirectCommands

private:
    RenderPipelineObject(const MTL::Device* device, const RenderPipelineValues& values);

    Linked linked_;
    std::mutex mutex_;
    std::vector<Linked> variants_;  // with code for what was bound
};

/// Empty, or why no pipeline can be made.
std::string mistakeOf(const RenderPipelineValues& values);

/// Not owned by the caller.
MTL::RenderPipelineReflection* reflectionOf(const RenderPipelineObject* pipeline);

}  // namespace metal_objects
