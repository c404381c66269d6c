// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"

namespace MTL {

/// What takes memory of a device.
class Allocation : public NS::Referencing<Allocation> {
public:
    NS::UInteger allocatedSize() const;
};

}  // namespace MTL
