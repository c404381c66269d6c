// SPDX-License-Identifier: MIT
//
// Visible functions: handles and tables of them. A table's memory is what kernels see (METAL_FUNCTION_SYMBOL in
// kernel_abi.h): how many functions there are, then their addresses.

#pragma once

#include "pipeline_function.hpp"
#include "resource.hpp"

namespace metal_objects {

class FunctionHandleObject final : public Implements<MTL::FunctionHandle> {
public:
    FunctionHandleObject(PipelineFunction* code, const FunctionObject* function, void* address)
        : code(code),
          state(NS::RetainPtr(code->pipelineState())),
          function(NS::RetainPtr(const_cast<FunctionObject*>(function))),
          address(address) {}

    PipelineFunction* const code;
    const NS::SharedPtr<NS::Object> state;  // holds the code
    const NS::SharedPtr<FunctionObject> function;
    void* const address;
};

class FunctionTableObject final : public Implements<MTL::VisibleFunctionTable>, public ResourcePart {
public:
    /// Null when there is not enough memory.
    static FunctionTableObject* make(PipelineFunction* code, NS::UInteger count);

    ~FunctionTableObject() override;

    void set(const FunctionHandleObject* handle, NS::UInteger index);

    /// What the function at an index is called; empty for none.
    std::string nameAt(NS::UInteger index) const;

    /// What a kernel's argument points at.
    std::uint64_t* functions() const { return reinterpret_cast<std::uint64_t*>(bytes()) + 1; }

    PipelineFunction* const code;
    const NS::SharedPtr<NS::Object> state;  // holds the code
    const NS::UInteger count;

private:
    FunctionTableObject(PipelineFunction* code, NS::UInteger count);
};

/// Not owned by the caller. Null when the function is not linked to the code.
MTL::FunctionHandle* functionHandle(PipelineFunction* code, const FunctionObject* function);

/// +1. Null, having said why, without functions or enough memory.
MTL::VisibleFunctionTable* newFunctionTable(PipelineFunction* code,
                                            const MTL::VisibleFunctionTableDescriptor* descriptor);

}  // namespace metal_objects
