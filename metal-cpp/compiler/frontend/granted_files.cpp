// SPDX-License-Identifier: MIT
#include "frontend/granted_files.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Path.h>

#include <system_error>

namespace metal_compiler {

std::string GrantedFiles::normalise(const llvm::Twine& path) const {
    llvm::SmallString<256> absolute;
    path.toVector(absolute);
    if (makeAbsolute(absolute)) return "";
    llvm::sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
    return absolute.str().str();
}

void GrantedFiles::grant(const std::string& folder) {
    std::string path = normalise(folder);
    if (path.empty()) return;
    if (path.back() != '/') path += '/';
    folders_.push_back(std::move(path));
}

bool GrantedFiles::isGranted(const llvm::Twine& path) const {
    const std::string asked = normalise(path) + "/";
    return llvm::any_of(folders_,
                        [&](const std::string& folder) { return llvm::StringRef(asked).starts_with(folder); });
}

llvm::ErrorOr<llvm::vfs::Status> GrantedFiles::status(const llvm::Twine& path) {
    if (!isGranted(path)) return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::status(path);
}

bool GrantedFiles::exists(const llvm::Twine& path) {
    return isGranted(path) && ProxyFileSystem::exists(path);
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> GrantedFiles::openFileForRead(const llvm::Twine& path) {
    if (!isGranted(path)) return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::openFileForRead(path);
}

}  // namespace metal_compiler
