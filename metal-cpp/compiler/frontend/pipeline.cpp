// SPDX-License-Identifier: MIT
#include "frontend/pipeline.hpp"

#include <kernel_abi.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBufferRef.h>

#include <chrono>
#include <string>
#include <vector>

#include "frontend/function_constants.hpp"
#include "frontend/function_reader.hpp"
#include "frontend/program_scope.hpp"
#include "stage_clock.hpp"

namespace metal_compiler {
namespace {

// The part of a library that `entry` needs, with the function constants' values. Null, and why, when that fails.
std::unique_ptr<llvm::Module> specialise(const wire::Bytes& bitcode, const std::string& entry, const std::string& name,
                                         const std::vector<protocol::ConstantValue>& constants,
                                         llvm::LLVMContext& context, std::string& log) {
    const llvm::StringRef bytes(reinterpret_cast<const char*>(bitcode.data()), bitcode.size());
    auto parsed = readFunction(llvm::MemoryBufferRef(bytes, name), entry, context);
    if (!parsed) {
        log = "the library's bitcode cannot be read: " + llvm::toString(parsed.takeError()) + "\n";
        return nullptr;
    }
    log = applyFunctionConstants(**parsed, entry, constants);
    if (log.empty()) log = bindProgramScope(**parsed, entry);
    return log.empty() ? std::move(*parsed) : nullptr;
}

// Puts a visible function into the kernel's module under a name that nothing else has.
bool link(llvm::Module& module, const protocol::LinkedFunction& function, const std::string& symbol, std::string& log) {
    std::unique_ptr<llvm::Module> library =
        specialise(function.bitcode, function.entry, function.name, function.constants, module.getContext(), log);
    if (library == nullptr) return false;
    library->getFunction(function.entry)->setName(symbol);
    for (llvm::GlobalValue& value : library->global_values()) {
        if (value.isDeclaration() || value.getName() == symbol || value.hasAppendingLinkage()) continue;
        value.setLinkage(llvm::GlobalValue::InternalLinkage);
        if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(&value)) object->setComdat(nullptr);
    }
    if (!llvm::Linker::linkModules(module, std::move(library))) return true;
    log = "the visible function '" + function.name + "' cannot be linked to the kernel\n";
    return false;
}

void compile(const protocol::PipelineRequest& request, Target& target, protocol::PipelineReply& reply) {
    llvm::LLVMContext context;
    context.setDiscardValueNames(request.output != protocol::Output::ir && !printsCode());
    std::unique_ptr<llvm::Module> module =
        specialise(request.bitcode, request.entry, request.name, request.constants, context, reply.log);
    if (module == nullptr) return;
    std::vector<std::string> symbols;
    for (const protocol::LinkedFunction& function : request.functions) {
        symbols.push_back(METAL_FUNCTION_SYMBOL + std::to_string(symbols.size()));
        if (!link(*module, function, symbols.back(), reply.log)) return;
    }

    GenerateRequest generate;
    generate.entry = request.entry;
    generate.name = request.name;
    generate.laneMapping = request.laneMapping;
    generate.laneWidth = request.laneWidth;
    generate.maxTotalThreads = request.maxTotalThreads;
    generate.mathMode = request.mathMode;
    generate.output = request.output;
    generate.functions = std::move(symbols);
    generate.explain = request.explain;
    generate.textures = request.textures;
    generate.samplers = request.samplers;
    GenerateResult result = target.generate(std::move(module), generate);
    reply.ok = result.ok;
    reply.log = std::move(result.log);
    reply.object = std::move(result.object);
    reply.text = std::move(result.text);
    reply.explanation = std::move(result.explanation);
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
