// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"

namespace MTL {

class CommandQueue;
class Device;

/// A part of a program that a capture may be of, or that it shows by name. Scopes cost nothing without a capture.
class CaptureScope : public NS::Referencing<CaptureScope> {
public:
    Device* device() const;
    NS::String* label() const;
    void setLabel(const NS::String* pLabel);

    /// Null for a scope of all queues of the device.
    CommandQueue* commandQueue() const;

    /// Command buffers made after this and committed before endScope() belong to the scope.
    void beginScope();
    void endScope();
};

}  // namespace MTL
