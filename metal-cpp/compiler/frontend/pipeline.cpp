// SPDX-License-Identifier: MIT
#include "frontend/pipeline.hpp"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBufferRef.h>

#include <chrono>

#include "frontend/function_constants.hpp"

namespace metal_compiler {
namespace {

void compile(const protocol::PipelineRequest& request, Target& target, protocol::PipelineReply& reply) {
    llvm::LLVMContext context;
    const llvm::StringRef bytes(reinterpret_cast<const char*>(request.bitcode.data()), request.bitcode.size());
    auto parsed = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, request.name), context);
    if (!parsed) {
        reply.log = "the library's bitcode cannot be read: " + llvm::toString(parsed.takeError()) + "\n";
        return;
    }
    std::unique_ptr<llvm::Module> module = std::move(*parsed);
    reply.log = applyFunctionConstants(*module, request.entry, request.constants);
    if (!reply.log.empty()) return;

    GenerateRequest generate;
    generate.entry = request.entry;
    generate.name = request.name;
    generate.laneMapping = request.laneMapping;
    generate.laneWidth = request.laneWidth;
    generate.maxTotalThreads = request.maxTotalThreads;
    generate.mathMode = request.mathMode;
    generate.output = request.output;
    GenerateResult result = target.generate(std::move(module), generate);
    reply.ok = result.ok;
    reply.log = std::move(result.log);
    reply.object = std::move(result.object);
    reply.text = std::move(result.text);
}

}  // namespace

protocol::PipelineReply compilePipeline(const protocol::PipelineRequest& request, Target& target) {
    const auto start = std::chrono::steady_clock::now();
    protocol::PipelineReply reply;
    compile(request, target, reply);
    reply.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return reply;
}

}  // namespace metal_compiler
