// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"
#include "MTLCommandBuffer.hpp"

namespace MTL {

class ComputePassDescriptor : public NS::Copying<ComputePassDescriptor> {
public:
    static ComputePassDescriptor* alloc();
    static ComputePassDescriptor* computePassDescriptor();
    DispatchType dispatchType() const;
    ComputePassDescriptor* init();
    void setDispatchType(DispatchType dispatchType);
};

}  // namespace MTL
