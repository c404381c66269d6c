// SPDX-License-Identifier: MIT

#include "program_lines.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace metal_host {
namespace {

using llvm::DILocation;

constexpr const char* headerFolder = "/__metal__/headers/";

/// Whether a person wrote the file, rather than us.
bool isProgram(llvm::StringRef file) {
    return !file.empty() && (!file.starts_with("/__metal__/") || file.starts_with(headerFolder)) &&
           !file.starts_with("metal_prelude") && !file.starts_with("command_line") && !file.starts_with("<");
}

class Lines {
public:
    Lines(llvm::Function& entry, llvm::StringRef name, Notes& notes)
        : entry_(entry), notes_(notes), builder_(*entry.getParent()) {
        llvm::DIFile* file = builder_.createFile("program_source", "");
        builder_.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C_plus_plus_17), file,
                                   "metal-compiler", true, "", 0, "",
                                   llvm::DICompileUnit::DebugEmissionKind::LineTablesOnly);
        function_ = builder_.createFunction(
            file, name, name, file, 0, builder_.createSubroutineType(builder_.getOrCreateTypeArray({})), 0,
            llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
    }

    void run() {
        entry_.setSubprogram(function_);
        for (llvm::Instruction& instruction : llvm::instructions(entry_)) {
            instruction.setDebugLoc(placed(instruction.getDebugLoc()));
            llvm::updateLoopMetadataDebugLocations(instruction, [this](llvm::Metadata* data) -> llvm::Metadata* {
                auto* place = llvm::dyn_cast_or_null<DILocation>(data);
                return place ? placed(place).get() : data;
            });
        }
        builder_.finalize();
    }

private:
    llvm::DebugLoc placed(const llvm::DebugLoc& place) {
        const DILocation* found = place.get();
        const DILocation* inside = nullptr;  // of the header's function that the program called
        while (found && (found->getLine() == 0 || !isProgram(found->getFilename()))) {
            inside = found;
            found = found->getInlinedAt();
        }
        if (!found) return {};
        llvm::DebugLoc made =
            DILocation::get(entry_.getContext(), found->getLine(), found->getColumn(), scopeOf(found->getFile()));
        if (inside && inside->getFilename().ends_with("/metal_texture")) noteTexture(made, *inside);
        return made;
    }

    void noteTexture(const llvm::DebugLoc& place, const DILocation& inside) {
        llvm::StringRef operation = inside.getScope()->getSubprogram()->getName();
        for (llvm::StringRef beginning : {"read", "write", "sample", "gather"}) {
            if (operation.starts_with(beginning))
                notes_.add(protocol::FindingKind::texture, place, operation, "specialised");
        }
    }

    llvm::DIScope* scopeOf(llvm::DIFile* file) {
        llvm::StringRef name = file->getFilename();
        if (name == function_->getFile()->getFilename()) return function_;
        llvm::DIScope*& scope = scopes_[file];
        if (!scope) {
            name.consume_front(headerFolder);
            scope = builder_.createLexicalBlockFile(function_, builder_.createFile(name, ""));
        }
        return scope;
    }

    llvm::Function& entry_;
    Notes& notes_;
    llvm::DIBuilder builder_;
    llvm::DISubprogram* function_ = nullptr;
    llvm::DenseMap<const llvm::DIFile*, llvm::DIScope*> scopes_;
};

}  // namespace

void keepProgramLines(llvm::Function& entry, llvm::StringRef name, Notes& notes) {
    for (llvm::Function& function : *entry.getParent()) {
        if (&function != &entry) llvm::stripDebugInfo(function);
    }
    Lines(entry, name, notes).run();
}

void placeLoops(llvm::Function& kernel) {
    llvm::DominatorTree dominators(kernel);
    llvm::LoopInfo loops(dominators);
    for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
        llvm::BasicBlock *before = loop->getLoopPreheader(), *latch = loop->getLoopLatch();
        if (!before) continue;
        llvm::DebugLoc place = latch ? latch->getTerminator()->getDebugLoc() : llvm::DebugLoc();
        if (!place) place = DILocation::get(kernel.getContext(), 0, 0, kernel.getSubprogram());
        before->getTerminator()->setDebugLoc(place);
    }
}

}  // namespace metal_host
