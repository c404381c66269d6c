// SPDX-License-Identifier: MIT

#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../executor/kernel.hpp"
#include "descriptors.hpp"
#include "pipeline_function.hpp"
#include "stage_input.hpp"

namespace metal_objects {

class PipelineObject final : public Implements<MTL::ComputePipelineState>, public PipelineFunction {
public:
    /// Compiles the kernel's first variant, unless an archive has it. Null, and `error`, when that fails.
    static PipelineObject* make(const MTL::Device* device, const PipelineValues& values, MTL::PipelineOption options,
                                NS::Error** error);

    /// The same kernel compiled anew, with an explanation; `counts`: its code counts while it runs. Null, and `error`,
    /// when that fails.
    static PipelineObject* makeExplained(const PipelineObject* original, bool counts, NS::Error** error);

    ~PipelineObject() override;

    /// Calls `user` with the pipeline that kernels know by this number, which lives meanwhile. False when there is
    /// none.
    static bool use(std::uint64_t resourceID, const std::function<void(PipelineObject&)>& user);

    /// The code for threadgroups of this shape (and width, at the grid's edge), compiled when it is asked for the first
    /// time. Null, and why, when it cannot be.
    KernelPointer kernelFor(MTL::Size threadsPerThreadgroup, NS::UInteger edgeWidth, std::string& whyNot);

    /// Of the code that was asked for last, and what that code counted so far. Null for a pipeline that is not
    /// explained.
    std::shared_ptr<const protocol::PipelineReply> explained(std::vector<std::uint64_t>& counters) const;

    const metal_executor::Kernel& kernel() const { return *variants_.front().kernel; }
    const metal_kernel_info& info() const { return kernel().info(); }
    NS::UInteger maxTotalThreads() const;

    /// Empty, or why no threadgroup may be of this size.
    std::string threadgroupMistake(MTL::Size threads) const;

    const KernelPointer& firstKernel() const override { return variants_.front().kernel; }
    NS::Object* pipelineState() override { return this; }
    const NS::SharedPtr<MTL::Device>& ownDevice() const override { return device; }

    const NS::SharedPtr<MTL::Device> device;
    const NS::SharedPtr<NS::String> label;
    const bool isMultipleOfExecutionWidth;
    const MTL::Size requiredThreads;  // of every threadgroup; zeros where any will do
    const bool supportsIndirectCommands;
    const std::uint64_t resourceID;  // what kernels know it by; zero without supportsIndirectCommands
    StageInput stageInput;           // of a kernel with [[stage_in]]; else no parts

private:
    struct Variant {
        metal_executor::LaneVariant lanes;
        KernelPointer kernel;
        CompiledReply reply;  // of an explained pipeline
    };

    PipelineObject(const MTL::Device* device, const PipelineValues& values);
    PipelineObject(const PipelineObject& original, FunctionObject* function, protocol::Explain explain);
    bool makeFirst(NS::Error** error);
    KernelPointer compileVariant(metal_executor::LaneVariant lanes, std::string& whyNot, NS::Error** error);
    std::optional<metal_executor::LaneVariant> lanesOf(const KernelPointer& general) const override;

    const NS::SharedPtr<PipelineObject> original_;  // of an explained pipeline
    const protocol::Explain explain_ = protocol::Explain::no;
    mutable std::mutex mutex_;
    std::size_t latest_ = 0;         // the variant that was asked for last
    CompiledReply compiledReply_;    // what compileVariant() got last, to be explained
    std::vector<Variant> variants_;  // the first was asked for as LaneVariant{}; reserved, so that info() needs no lock
};

/// The host's word, else the source's, else the library's; zero where nobody says.
NS::UInteger threadsAskedFor(const PipelineValues& values, const FunctionObject* function);

/// The host's word, else the source's; zeros where nobody says.
MTL::Size requiredThreads(const PipelineValues& values, const FunctionObject* function);

/// Empty, or why no pipeline can be made.
std::string mistakeOf(const PipelineValues& values);

}  // namespace metal_objects
