// SPDX-License-Identifier: MIT
//
// dfdx and dfdy: differences between the lanes of a quad. Lane 4 q + i of a strip is pixel (i % 2, i / 2) of a quad of
// 2x2, so each is two shuffles and a subtraction. Lanes outside the mask hold what they held: derivatives under control
// flow that a quad does not agree on are undefined in Metal.

#include <llvm/IR/Instructions.h>

#include "lower_stage.hpp"
#include "widener.hpp"

namespace metal_host {

bool Widener::derivative(llvm::CallInst& call) {
    llvm::StringRef name = call.getCalledFunction()->getName();
    if (!name.consume_front(derivativePrefix)) return false;
    const unsigned step = name.starts_with("x") ? 1 : 2;
    Value* value = wide(call.getArgOperand(0));
    llvm::SmallVector<int, 32> near, far;
    for (unsigned lane = 0; lane < width_; ++lane) {
        near.push_back(int(lane & ~step));
        far.push_back(int(lane | step));
    }
    Value *from = builder_.CreateShuffleVector(value, near), *to = builder_.CreateShuffleVector(value, far);
    defineWide(&call, builder_.CreateFSub(to, from));
    return true;
}

}  // namespace metal_host
