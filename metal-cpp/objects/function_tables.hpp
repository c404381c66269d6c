// SPDX-License-Identifier: MIT
//
// Visible functions: handles and tables of them. A table's memory is what kernels see (METAL_FUNCTION_SYMBOL in
// kernel_abi.h): how many functions there are, then their addresses.

#pragma once

#include "pipeline.hpp"
#include "resource.hpp"

namespace metal_objects {

class FunctionHandleObject final : public Implements<MTL::FunctionHandle> {
public:
    FunctionHandleObject(const PipelineObject* pipeline, const FunctionObject* function, void* address)
        : pipeline(NS::RetainPtr(const_cast<PipelineObject*>(pipeline))),
          function(NS::RetainPtr(const_cast<FunctionObject*>(function))),
          address(address) {}

    const NS::SharedPtr<PipelineObject> pipeline;  // holds the code
    const NS::SharedPtr<FunctionObject> function;
    void* const address;
};

class FunctionTableObject final : public Implements<MTL::VisibleFunctionTable>, public ResourcePart {
public:
    /// Null when there is not enough memory.
    static FunctionTableObject* make(const PipelineObject* pipeline, NS::UInteger count);

    ~FunctionTableObject() override;

    void set(const FunctionHandleObject* handle, NS::UInteger index);

    /// What the function at an index is called; empty for none.
    std::string nameAt(NS::UInteger index) const;

    /// What a kernel's argument points at.
    std::uint64_t* functions() const { return reinterpret_cast<std::uint64_t*>(bytes()) + 1; }

    const NS::SharedPtr<PipelineObject> pipeline;
    const NS::UInteger count;

private:
    FunctionTableObject(const PipelineObject* pipeline, NS::UInteger count);
};

}  // namespace metal_objects
