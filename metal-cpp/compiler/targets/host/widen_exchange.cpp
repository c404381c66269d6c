// SPDX-License-Identifier: MIT
//
// Exchanges between the threads of a SIMD-group. A strip of 32 lanes is a SIMD-group, so they are plain vector
// operations; lanes that do not take part contribute what changes nothing.

#include <llvm/IR/Instructions.h>

#include "strip_function.hpp"
#include "widener.hpp"

namespace metal_host {

using llvm::Value;

bool Widener::exchange(llvm::CallInst& call) {
    llvm::StringRef name = call.getCalledFunction()->getName();
    if (!name.consume_front("__metal_simd_")) return false;
    if (width_ != 32) {
        fail("an exchange between threads of a SIMD-group, in strips of " + llvm::Twine(width_) +
             " lanes instead of 32");
        return true;
    }
    llvm::Type* bitsType = builder_.getIntNTy(width_);
    auto asMask = [&](Value* lanes) {
        return builder_.CreateZExt(builder_.CreateBitCast(lanes, bitsType), builder_.getInt64Ty());
    };
    if (name == "active_threads_mask") return defineFirst(&call, asMask(mask_)), true;
    Value* none = llvm::Constant::getNullValue(mask_->getType());
    if (name == "ballot")
        return defineFirst(&call, asMask(builder_.CreateSelect(mask_, wide(call.getArgOperand(0)), none))), true;
    if (name == "shuffle") {
        return false;
    }
    return false;
}

}  // namespace metal_host
