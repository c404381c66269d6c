// SPDX-License-Identifier: MIT
//
// Debian builds clangCodeGen with Polly and so asks for its plugin; an empty one does.

#include <llvm/Plugins/PassPlugin.h>

llvm::PassPluginLibraryInfo getPollyPluginInfo();

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "none", "0", nullptr, nullptr};
}
