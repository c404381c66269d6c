// SPDX-License-Identifier: MIT
//
// Turns a function of one thread into a function of a strip of threads, one a lane.
//
//   before:  x = a[i + lane()]; if (x < 0) x = -x; a[i + lane()] = x;
//   after:   <W x float> x = masked load(a + i); neg = x < 0; if (any(neg)) x = select(neg, -x, x); masked store(a + i,
//   x)
//
// What is the same in all lanes stays scalar, and a branch on it stays a branch. The blocks that a divergent branch
// leads to run one after the other (block_order.hpp), each under the mask of the lanes that are there and only if there
// are any; a loop goes round while any lane does. Lanes wait in a mask slot of the block they have gone to, with the
// values they bring in slots of its phis; the slots become registers afterwards (SROA).
//
// Needs the form that divergence.hpp needs; no switches, no vector arithmetic, division that cannot trap.
// After lower_context (which introduces lanes), before split_at_barriers.

#pragma once

#include <llvm/IR/Function.h>
#include <llvm/Support/Error.h>

#include <cstdint>

namespace metal_host {

class Notes;

struct Widened {
    llvm::Function* function;
    std::uint64_t scratch = 0;  ///< bytes of private variables in `stripScratch`
};

/// `notes`: where to say what becomes of the code, if anywhere.
llvm::Expected<Widened> widen(llvm::Function& scalar, unsigned width, Notes* notes = nullptr);

}  // namespace metal_host
