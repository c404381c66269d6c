// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"
#include "MTLLibrary.hpp"
#include "MTLTypes.hpp"

namespace MTL {

class Device;

/// A visible function as a pipeline's kernel knows it; what tables of that pipeline hold.
class FunctionHandle : public NS::Referencing<FunctionHandle> {
public:
    Device* device() const;
    FunctionType functionType() const;
    ResourceID gpuResourceID() const;
    NS::String* name() const;
};

}  // namespace MTL
