// SPDX-License-Identifier: MIT

#pragma once

#include "NSObject.hpp"
#include "NSTypes.hpp"

namespace NS {

/// Bytes.
class Data : public Copying<Data> {
public:
    void* mutableBytes() const;
    UInteger length() const;
};

}  // namespace NS
