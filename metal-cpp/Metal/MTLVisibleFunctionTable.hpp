// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"
#include "MTLResource.hpp"
#include "MTLTypes.hpp"

namespace MTL {

class FunctionHandle;

class VisibleFunctionTableDescriptor : public NS::Copying<VisibleFunctionTableDescriptor> {
public:
    static VisibleFunctionTableDescriptor* alloc();
    NS::UInteger functionCount() const;
    VisibleFunctionTableDescriptor* init();
    void setFunctionCount(NS::UInteger functionCount);
    static VisibleFunctionTableDescriptor* visibleFunctionTableDescriptor();
};

/// What a kernel's `visible_function_table` argument is bound to.
class VisibleFunctionTable : public NS::Referencing<VisibleFunctionTable, Resource> {
public:
    ResourceID gpuResourceID() const;

    /// Null takes the function away.
    void setFunction(const FunctionHandle* function, NS::UInteger index);

    void setFunctions(const FunctionHandle* const functions[], NS::Range range);
};

}  // namespace MTL
