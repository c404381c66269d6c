// SPDX-License-Identifier: MIT
//
// What the passes find out about a kernel's speed, line by line of its source, when somebody asks for it; ordinary
// compiling has no Notes. The places are those that program_lines.hpp gives the code.

#pragma once

#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstddef>
#include <map>
#include <string>
#include <tuple>

#include "../../protocol.hpp"

namespace metal_host {

/// How an instruction of the source is done.
enum class LineUse { vector, uniform, scalar };

class Notes {
public:
    /// From now on, LLVM's passes on code of this context are listened to.
    Notes(protocol::Explanation& explanation, bool counts, llvm::LLVMContext& context);
    ~Notes();
    Notes(const Notes&) = delete;
    Notes& operator=(const Notes&) = delete;

    /// The number of a finding, which is there once for each kind, place, subject and reason.
    std::size_t add(protocol::FindingKind kind, const llvm::DebugLoc& place, llvm::StringRef subject = {},
                    llvm::StringRef reason = {});
    protocol::Finding& operator[](std::size_t number) { return explanation_.findings[number]; }

    void addLine(const llvm::DebugLoc& place, LineUse use);

    /// A texture's format is asked for while the kernel runs, at this place. The number of its finding.
    std::size_t textureIsGeneral(const llvm::DebugLoc& place, llvm::StringRef operation);

    /// Code that counts, if that is asked for: one more time, by the threads of the mask.
    void count(llvm::IRBuilder<>& builder, std::size_t number, llvm::Value* mask);
    /// Call when all code that counts is made.
    void finishCounters(llvm::Module& module);

    /// Whether what LLVM says of loads in loops makes findings; what it says of its register allocation always does.
    void heedLoops(bool isOn) { heedsLoops_ = isOn; }
    bool heedsLoops() const { return heedsLoops_; }
    protocol::Explanation& explanation() { return explanation_; }

private:
    using Key = std::tuple<protocol::FindingKind, std::string, unsigned, unsigned, std::string, std::string>;

    protocol::Explanation& explanation_;
    const bool counts_;
    llvm::LLVMContext& context_;
    bool heedsLoops_ = false;
    std::map<Key, std::size_t> known_;
    std::map<std::pair<std::string, unsigned>, std::size_t> lines_;
    llvm::GlobalVariable* counters_ = nullptr;  // of no size, until it is known
};

/// What an explanation calls the file of a place; empty for none.
std::string fileOf(const llvm::DebugLoc& place);

}  // namespace metal_host
