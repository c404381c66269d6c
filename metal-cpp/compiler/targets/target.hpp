// SPDX-License-Identifier: MIT
//
// What the compiler's front end knows of the machines it can generate code for. The front end, reflection,
// function constants and caches see only this; how one thread's code becomes machine code is the target's affair.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../protocol.hpp"

namespace llvm {
class Module;
}

namespace metal_compiler {

/// One kernel to be made into code. `entry` is a `void()` function of the module with the attribute
/// "metal-entry"="kernel"; function constants have their values; what the entry does not reach may still be there and
/// is dropped.
struct GenerateRequest {
    std::string entry;
    std::string name;                   ///< the kernel's name in messages
    std::uint32_t laneMapping = 0;      ///< enum metal_lane_mapping
    std::uint32_t laneWidth = 0;        ///< 0: the target chooses
    std::uint32_t maxTotalThreads = 0;  ///< 0: the device's limit
    protocol::MathMode mathMode = protocol::MathMode::relaxed;
    protocol::Output output = protocol::Output::object;
    std::vector<std::string> functions;  ///< visible functions of the module that the object exports beside the kernel
    protocol::Explain explain = protocol::Explain::no;
    std::vector<protocol::BoundTexture> textures;  ///< what is known of arguments
    std::vector<protocol::BoundSampler> samplers;
};

struct GenerateResult {
    bool ok = false;
    std::string log;                   ///< why not, when not ok; one message a line
    std::vector<std::uint8_t> object;  ///< Output::object
    std::string text;                  ///< Output::ir, Output::assembly
    protocol::Explanation explanation;
};

class Target {
public:
    virtual ~Target() = default;

    /// What the front end must generate IR for.
    virtual std::string triple() const = 0;
    virtual std::string cpu() const = 0;
    virtual std::string features() const = 0;  ///< "+a,-b,..." as LLVM spells them
    virtual std::string dataLayout() const = 0;

    virtual GenerateResult generate(std::unique_ptr<llvm::Module> module, const GenerateRequest& request) = 0;
};

/// The processor this program runs on. Initialises LLVM's part for it, so call it before starting threads.
/// `older`, or else the variable MTLPY_PROCESSOR of the environment: makes code for that processor instead, as LLVM
/// names it (`haswell`), to test what becomes of kernels there. What this processor lacks is never used.
std::unique_ptr<Target> makeHostTarget(const char* older = nullptr);

}  // namespace metal_compiler
