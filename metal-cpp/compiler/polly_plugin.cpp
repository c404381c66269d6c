// SPDX-License-Identifier: MIT
//
// Debian builds clangCodeGen with Polly and so asks for its plugin; an empty one does.

#include <llvm/Plugins/PassPlugin.h>

extern "C" llvm::PassPluginLibraryInfo getPollyPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "none", "0", nullptr};
}
