// SPDX-License-Identifier: MIT
//
// The machine's files as far as a program may include them: those below the folders that the request names.

#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <string>
#include <vector>

namespace metal_compiler {

class GrantedFiles : public llvm::vfs::ProxyFileSystem {
public:
    GrantedFiles() : ProxyFileSystem(llvm::vfs::getRealFileSystem()) {}

    /// Lets what is in `folder` and below be read.
    void grant(const std::string& folder);

    llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override;
    bool exists(const llvm::Twine& path) override;
    llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override;

private:
    bool isGranted(const llvm::Twine& path) const;
    std::string normalise(const llvm::Twine& path) const;

    std::vector<std::string> folders_;  // absolute, each with a separator at its end
};

}  // namespace metal_compiler
