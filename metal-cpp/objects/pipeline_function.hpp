// SPDX-License-Identifier: MIT

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../executor/kernel.hpp"
#include "bound_variants.hpp"
#include "library.hpp"

namespace metal_objects {

/// A function as a pipeline runs it: what it takes, the visible functions that are linked to it, and where its code
/// comes from.
class PipelineFunction {
public:
    using KernelPointer = std::shared_ptr<const metal_executor::Kernel>;

    /// An argument that is there and used: what an encoder must fill slots for.
    struct Argument {
        const protocol::Argument* facts;
        std::uint64_t typeSize;  // bytes of what a buffer points at
    };

    PipelineFunction(const FunctionObject* function, NS::UInteger requestedThreads,
                     std::vector<NS::SharedPtr<FunctionObject>> linked, const NS::SharedPtr<NS::Array>& archives);
    virtual ~PipelineFunction() = default;
    PipelineFunction(const PipelineFunction&) = delete;
    PipelineFunction& operator=(const PipelineFunction&) = delete;

    /// The code of a visible function that is linked; null for others.
    void* addressOf(const FunctionObject* visible) const;
    /// The linked function of that name; null when there is none.
    const FunctionObject* linkedFunction(std::string_view name) const;

    /// `general`, or the same code for what is bound, when there is some. Compiles in the background what is used
    /// often.
    KernelPointer boundKernelFor(const KernelPointer& general, const BoundResources& bound, double threads);

    /// The code that was compiled first.
    virtual const KernelPointer& firstKernel() const = 0;
    /// The pipeline state, which has this.
    virtual NS::Object* pipelineState() = 0;
    virtual const NS::SharedPtr<MTL::Device>& ownDevice() const = 0;

    const NS::SharedPtr<FunctionObject> function;
    const NS::UInteger requestedThreads;
    const std::vector<NS::SharedPtr<FunctionObject>> linked;  // in the order of their symbols
    const NS::SharedPtr<NS::Array> archives;
    const std::vector<Argument> arguments;
    const bool takesBoundCode;  // has textures or samplers among its arguments
    const std::size_t slotCount;
    double compileSeconds = 0;

protected:
    using CompiledReply = std::shared_ptr<const protocol::PipelineReply>;

    protocol::PipelineRequest request(metal_executor::LaneVariant lanes = {}) const;
    /// Null when no archive has it.
    CompiledReply fromArchives(const protocol::PipelineRequest& request) const;
    /// Null, and why not, when it cannot be compiled. `reply`: the compiler's, unless an archive had the code.
    KernelPointer compile(const protocol::PipelineRequest& request, CompiledReply* reply, std::string& whyNot,
                          NS::Error** error);
    void keepInArchives(const protocol::PipelineRequest& request, const CompiledReply& reply) const;

    /// Which variant a code is of; none: it is not this function's.
    virtual std::optional<metal_executor::LaneVariant> lanesOf(const KernelPointer& general) const = 0;

private:
    /// Null when that fails, or nothing has it already and it may not be compiled.
    KernelPointer makeBound(const KernelPointer& general, const BoundResources& bound, bool mayCompile,
                            const std::function<bool()>& isUnwanted);

    const BoundPolicy boundPolicy_ = boundPolicy();
    BoundVariants bound_;
};

/// The request for a function's code or text.
protocol::PipelineRequest pipelineRequest(const FunctionObject* function, NS::UInteger maxTotalThreads,
                                          const std::vector<NS::SharedPtr<FunctionObject>>& linked,
                                          metal_executor::LaneVariant lanes = {});

/// The visible functions that a descriptor has, each once. `from` may be null.
std::vector<NS::SharedPtr<FunctionObject>> linkedFunctions(const MTL::LinkedFunctions* from);

/// Empty, or why no pipeline can be made of the function, by what it says itself and what is linked to it.
/// `forIndirectCommands`: as commands in memory bind buffers only.
std::string functionMistake(const FunctionObject* function, const MTL::LinkedFunctions* linked,
                            bool forIndirectCommands);

}  // namespace metal_objects
