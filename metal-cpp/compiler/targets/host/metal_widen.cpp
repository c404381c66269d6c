// SPDX-License-Identifier: MIT
//
// metal-widen FILE ENTRY [mapping=0|1] [width=N] [cpu=NAME] [emit=object|ir|assembly]: runs the host target on LLVM IR
// (text or bitcode) and writes what it makes to standard output. For developing and testing the target without a front
// end.

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "../target.hpp"

int main(int count, char** arguments) {
    if (count < 3) {
        std::fprintf(stderr,
                     "usage: metal-widen FILE ENTRY [mapping=0|1] [width=N] [cpu=NAME] [emit=object|ir|assembly] "
                     "[rounds=N]\n");
        return 2;
    }
    metal_compiler::GenerateRequest request;
    int rounds = 1;
    request.entry = request.name = arguments[2];
    const char* older = nullptr;
    for (int index = 3; index < count; ++index) {
        std::string_view option = arguments[index];
        auto value = [&](std::string_view name) {
            return option.starts_with(name) ? arguments[index] + name.size() : nullptr;
        };
        if (const char* text = value("mapping=")) request.laneMapping = unsigned(std::atoi(text));
        if (const char* text = value("cpu=")) older = text;
        if (const char* text = value("width=")) request.laneWidth = unsigned(std::atoi(text));
        // To measure: what a process that has done it before takes.
        if (const char* text = value("rounds=")) rounds = std::atoi(text);
        if (option == "emit=ir") request.output = protocol::Output::ir;
        if (option == "emit=assembly") request.output = protocol::Output::assembly;
    }
    auto target = metal_compiler::makeHostTarget(older);
    metal_compiler::GenerateResult result;
    for (int round = 0; round < rounds; ++round) {
        llvm::LLVMContext context;
        llvm::SMDiagnostic problem;
        auto module = llvm::parseIRFile(arguments[1], problem, context);
        if (!module) {
            std::fprintf(stderr, "%s: %s\n", arguments[1], problem.getMessage().str().c_str());
            return 1;
        }
        result = target->generate(std::move(module), request);
        if (!result.ok) {
            std::fprintf(stderr, "%s\n", result.log.c_str());
            return 1;
        }
    }
    std::fwrite(result.object.data(), 1, result.object.size(), stdout);
    std::fwrite(result.text.data(), 1, result.text.size(), stdout);
}
