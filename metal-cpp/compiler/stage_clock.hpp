// SPDX-License-Identifier: MIT
//
// What a developer sees of the compiler's stages: MTLPY_TIME_STAGES=1 prints the milliseconds of processor time that
// each took (=passes: those of each of LLVM's passes, too); MTLPY_PRINT_IR what they made (targets/host).

#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>
#include <ctime>

namespace metal_compiler {

/// Values have names then, which only people read.
inline bool printsCode() {
    return std::getenv("MTLPY_PRINT_IR") != nullptr;
}

class StageClock {
public:
    StageClock() {
        const char* wanted = std::getenv("MTLPY_TIME_STAGES");
        isWatched_ = wanted != nullptr;
        timesPasses_ = isWatched_ && llvm::StringRef(wanted) == "passes";
        start();
    }

    bool timesPasses() const { return timesPasses_; }

    void start() { since_ = std::clock(); }

    /// The stage that began at the last call ends here.
    void finish(const char* stage) {
        if (isWatched_) {
            const double spent = 1e3 * static_cast<double>(std::clock() - since_) / CLOCKS_PER_SEC;
            llvm::errs() << stage << ": " << llvm::format("%.2f", spent) << " ms\n";
        }
        start();
    }

private:
    bool isWatched_ = false, timesPasses_ = false;
    std::clock_t since_ = 0;
};

}  // namespace metal_compiler
