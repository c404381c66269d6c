// SPDX-License-Identifier: MIT
#include "frontend/library.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <chrono>

#include "frontend/attributes.hpp"
#include "frontend/defined_arithmetic.hpp"
#include "frontend/diagnostics.hpp"
#include "frontend/entries.hpp"
#include "frontend/function_constants.hpp"
#include "frontend/log_formats.hpp"
#include "frontend/program_scope.hpp"
#include "frontend/reflection.hpp"
#include "frontend/rules.hpp"
#include "frontend/session.hpp"
#include "stage_clock.hpp"

namespace metal_compiler {
namespace {

// What the IR contract asks of a module beyond what Clang makes.
void finishModule(llvm::Module& module, const std::vector<EntryPoint>& points) {
    for (const EntryPoint& point : points) {
        llvm::Function* entry = module.getFunction(point.entry);
        if (entry == nullptr) continue;
        entry->addFnAttr("metal-entry", stageName(point.kind));
        if (point.patchControlPoints != 0)
            entry->addFnAttr("metal-control-points", std::to_string(point.patchControlPoints));
        for (const StageValue& value : point.outputs) {
            if (value.facts.kind == protocol::StageValueKind::sampleMask)
                entry->addFnAttr("metal-sample-mask", std::to_string(value.facts.column));
        }
    }
    // Threadgroup memory starts undefined; Clang fills it with zeros outside OpenCL.
    for (llvm::GlobalVariable& variable : module.globals()) {
        if (variable.getAddressSpace() == irThreadgroupSpace && variable.hasInitializer()) {
            variable.setInitializer(llvm::PoisonValue::get(variable.getValueType()));
        }
    }
}

wire::Bytes bitcodeOf(const llvm::Module& module) {
    llvm::SmallVector<char, 0> buffer;
    llvm::raw_svector_ostream stream(buffer);
    llvm::WriteBitcodeToFile(module, stream);
    return wire::Bytes(buffer.begin(), buffer.end());
}

void compile(Session& session, const protocol::LibraryRequest& request, const std::string& sourceName,
             protocol::LibraryReply& reply) {
    StageClock clock;
    session.parse(request, sourceName);
    clock.finish("parse");
    std::vector<EntryPoint> points;
    if (!session.failed()) points = addEntries(session);
    clock.finish("entries");
    session.finish();
    clock.finish("instantiate");
    if (!session.failed()) checkRules(session, request.options.languageVersion);
    if (!session.failed()) checkLogFormats(session);
    clock.finish("rules");
    reply.dependencies = session.dependencies();
    if (session.failed()) return;
    const std::vector<FunctionConstantVariable> constants = functionConstantsOf(session);
    if (session.failed()) return;
    std::vector<ProgramScopeVariable> variables = programScopeVariablesOf(session);
    if (session.failed()) return;
    reflect(session, points, constants, variables, reply);
    clock.finish("reflect");
    dropAllAttributes(session);
    defineArithmetic(session);
    clock.finish("adjust");
    // Left to its context, which in the service is never destroyed: taking a large program's code apart takes long.
    llvm::Module* const module = session.generate().release();
    clock.finish("IR");
    if (module == nullptr || session.failed()) return;
    finishModule(*module, points);
    recordFunctionConstants(*module, constants, reply);
    recordProgramScope(*module, variables, reply);
    clock.finish("module");
    reply.bitcode = bitcodeOf(*module);
    clock.finish("bitcode");
    reply.ok = true;
}

}  // namespace

void initialiseFrontend() {
    registerAttributes();
}

protocol::LibraryReply compileLibrary(const protocol::LibraryRequest& request, const TargetDescription& target,
                                      Session* warm, const std::string& sourceName) {
    const auto start = std::chrono::steady_clock::now();
    protocol::LibraryReply reply;
    std::unique_ptr<Session> cold;
    if (warm == nullptr || !warm->serves(request)) {
        cold = std::make_unique<Session>(modeOf(request.options), target, /*withStandardHeaders=*/false);
        warm = cold.get();
    }
    compile(*warm, request, sourceName, reply);
    reply.diagnostics = warm->diagnostics().takeDiagnostics();
    reply.log = warm->diagnostics().takeLog();
    reply.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return reply;
}

}  // namespace metal_compiler
