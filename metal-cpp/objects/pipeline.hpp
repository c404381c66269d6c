// SPDX-License-Identifier: MIT

#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../executor/kernel.hpp"
#include "bound_variants.hpp"
#include "descriptors.hpp"
#include "library.hpp"
#include "stage_input.hpp"

namespace metal_objects {

class PipelineObject final : public Implements<MTL::ComputePipelineState> {
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

    using KernelPointer = std::shared_ptr<const metal_executor::Kernel>;

    /// The code for threadgroups of this shape (and width, at the grid's edge), compiled when it is asked for the first
    /// time. Null, and why, when it cannot be.
    KernelPointer kernelFor(MTL::Size threadsPerThreadgroup, NS::UInteger edgeWidth, std::string& whyNot);

    /// Of the code that was asked for last, and what that code counted so far. Null for a pipeline that is not
    /// explained.
    std::shared_ptr<const protocol::PipelineReply> explained(std::vector<std::uint64_t>& counters) const;

    /// The same code for what the dispatch has bound, when there is some: `general` else. Compiles in the background
    /// what is used often.
    KernelPointer boundKernelFor(const KernelPointer& general, const BoundResources& bound, double threads);

    const metal_executor::Kernel& kernel() const { return *variants_.front().kernel; }
    const metal_kernel_info& info() const { return kernel().info(); }
    NS::UInteger maxTotalThreads() const;

    /// Empty, or why no threadgroup may be of this size.
    std::string threadgroupMistake(MTL::Size threads) const;

    /// The code of a visible function that is linked to the kernel; null for others.
    void* addressOf(const FunctionObject* function) const;

    /// An argument that is there and used: what the encoder must fill slots for.
    struct Argument {
        const protocol::Argument* facts;
        std::uint64_t typeSize;  // bytes of what a buffer points at
    };

    const NS::SharedPtr<MTL::Device> device;
    const NS::SharedPtr<NS::String> label;
    const NS::SharedPtr<FunctionObject> function;
    const NS::UInteger requestedThreads;
    const bool isMultipleOfExecutionWidth;
    const MTL::Size requiredThreads;  // of every threadgroup; zeros where any will do
    const bool supportsIndirectCommands;
    const NS::SharedPtr<NS::Array> archives;
    const std::vector<NS::SharedPtr<FunctionObject>> linked;  // in the order of their symbols
    const std::vector<Argument> arguments;
    const bool takesBoundCode;  // has textures or samplers among its arguments
    const std::size_t slotCount;
    const std::uint64_t resourceID;  // what kernels know it by; zero without supportsIndirectCommands
    StageInput stageInput;           // of a kernel with [[stage_in]]; else no parts
    double compileSeconds = 0;

private:
    struct Variant {
        metal_executor::LaneVariant lanes;
        KernelPointer kernel;
        std::shared_ptr<const protocol::PipelineReply> reply;  // of an explained pipeline
    };

    PipelineObject(const MTL::Device* device, const PipelineValues& values);
    PipelineObject(const PipelineObject& original, FunctionObject* function, protocol::Explain explain);
    bool makeFirst(NS::Error** error);
    std::shared_ptr<const protocol::PipelineReply> fromArchives(const protocol::PipelineRequest& request) const;
    KernelPointer compile(metal_executor::LaneVariant lanes, std::string& whyNot, NS::Error** error);
    /// Null when that fails, or nothing has it already and it may not be compiled.
    KernelPointer makeBound(const KernelPointer& general, const BoundResources& bound, bool mayCompile,
                            const std::function<bool()>& isUnwanted);
    void keepInArchives(const protocol::PipelineRequest& request,
                        const std::shared_ptr<const protocol::PipelineReply>& reply) const;

    const NS::SharedPtr<PipelineObject> original_;  // of an explained pipeline
    const protocol::Explain explain_ = protocol::Explain::no;
    mutable std::mutex mutex_;
    std::size_t latest_ = 0;                                        // the variant that was asked for last
    std::shared_ptr<const protocol::PipelineReply> compiledReply_;  // what compile() got last, to be explained
    std::vector<Variant> variants_;  // the first was asked for as LaneVariant{}; reserved, so that info() needs no lock
    const BoundPolicy boundPolicy_ = boundPolicy();
    BoundVariants bound_;
};

/// The request for a kernel's code or text.
protocol::PipelineRequest pipelineRequest(const FunctionObject* function, NS::UInteger maxTotalThreads,
                                          const std::vector<NS::SharedPtr<FunctionObject>>& linked,
                                          metal_executor::LaneVariant lanes = {});

/// The visible functions of a descriptor, each once.
std::vector<NS::SharedPtr<FunctionObject>> linkedFunctions(const PipelineValues& values);

/// The host's word, else the source's, else the library's; zero where nobody says.
NS::UInteger threadsAskedFor(const PipelineValues& values, const FunctionObject* function);

/// The host's word, else the source's; zeros where nobody says.
MTL::Size requiredThreads(const PipelineValues& values, const FunctionObject* function);

/// Empty, or why no pipeline can be made.
std::string mistakeOf(const PipelineValues& values);

}  // namespace metal_objects
