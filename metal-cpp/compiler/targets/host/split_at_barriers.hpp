// SPDX-License-Identifier: MIT
//
// Turns the function of one strip into a function of a whole threadgroup whose strips meet at barriers. A strip that
// comes to a barrier keeps its place (a state) and what it still needs (a frame in scratch), and the next strip runs.
//
//   before:  strip: A; barrier; B        after:  state = 0; do { for each strip { switch (state) { 0: A; state = 1; 1:
//   B; state = end } } } while (state != end)
//
// Where all strips provably go the same way, the state is one for the group, each piece (A, B) gets a loop of its own,
// and values that are the same in all strips stay scalars outside the frames. Elsewhere (a return before a barrier, a
// condition nobody can prove uniform) each strip has its own state; a barrier waits for the strips that have not ended.
// Any placement of barriers works. Needs the form divergence.hpp needs. After widening, before kernel_entry.

#pragma once

#include <kernel_abi.h>
#include <llvm/IR/Function.h>

#include <cstdint>

namespace metal_host {

class Notes;

enum class GroupForm {
    any,
    full,   ///< for groups all of whose strips are full: nothing is masked
    small,  ///< for the others where there is a full form as well: one copy of the code between barriers
};

/// Changes `strip` in place; its parameters about one strip lose their meaning. `privateScratch`: bytes a strip has in
/// scratch already. Returns the bytes of scratch a group needs. `notes`: where to say what a barrier costs, if
/// anywhere.
std::uint64_t splitAtBarriers(llvm::Function& strip, const metal_kernel_info& info, std::uint64_t privateScratch,
                              GroupForm form, Notes* notes = nullptr);

}  // namespace metal_host
