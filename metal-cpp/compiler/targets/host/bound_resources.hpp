// SPDX-License-Identifier: MIT
//
// Code for the formats and sampler states that a dispatch has bound: what the run-time library asks a texture or a
// sampler becomes constants, so that the other formats' code goes. It gives the same results as code for any.

#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>
#include <llvm/Target/TargetMachine.h>

#include "../../protocol.hpp"

namespace metal_host {

struct BoundResources {
    llvm::ArrayRef<protocol::BoundTexture> textures;
    llvm::ArrayRef<protocol::BoundSampler> samplers;

    bool empty() const { return textures.empty() && samplers.empty(); }
};

/// Of `entry`, into which all is inlined. True when something became a constant.
bool foldBoundResources(llvm::Function& entry, const BoundResources& bound);

/// Where a texel's format is a constant, its own code in place of the call for any format; to be inlined. True when
/// there was such a call.
llvm::Expected<bool> linkKnownTexels(llvm::Function& entry);

}  // namespace metal_host
