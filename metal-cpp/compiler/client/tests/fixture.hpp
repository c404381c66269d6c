// SPDX-License-Identifier: MIT
//
// What the client's tests share: a folder of their own, a client of the fake compiler, requests.

#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "../../../executor/tests/check.hpp"
#include "../client.hpp"

#if defined(__SANITIZE_THREAD__)
inline constexpr bool threadSanitizer = true;
#else
inline constexpr bool threadSanitizer = false;
#endif

namespace fixture {

using namespace metal_compiler_client;
namespace fs = std::filesystem;

class Folder {
public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "metal-client-XXXXXX").string();
        path_ = mkdtemp(name.data());
        setenv("FAKE_COMPILER_LOG", (path_ / "log").c_str(), 1);
    }
    ~Folder() {
        std::error_code error;
        fs::permissions(path_, fs::perms::owner_all, error);
        fs::remove_all(path_, error);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    const fs::path& path() const { return path_; }
    fs::path cache() const { return path_ / "cache"; }

    /// Requests that reached the compiler.
    int requests() const {
        std::ifstream log(path_ / "log");
        return static_cast<int>(std::count(std::istreambuf_iterator<char>(log), {}, '\n'));
    }
    std::vector<fs::path> entries() const {
        std::vector<fs::path> found;
        std::error_code error;
        for (const auto& item : fs::directory_iterator(cache(), error)) found.push_back(item.path());
        return found;
    }

private:
    fs::path path_;
};

inline Configuration configuration(const Folder& folder) {
    Configuration made;
    made.compiler = FAKE_COMPILER;
    made.cacheFolder = folder.cache().string();
    made.cacheLimit = 1 << 30;
    return made;
}

inline protocol::LibraryRequest library(std::string source) {
    protocol::LibraryRequest request;
    request.source = std::move(source);
    return request;
}

inline protocol::PipelineRequest pipeline(std::string code, std::string name = "k") {
    protocol::PipelineRequest request;
    request.bitcode.assign(code.begin(), code.end());
    request.name = std::move(name);
    return request;
}

inline std::string text(const wire::Bytes& bytes) {
    return {bytes.begin(), bytes.end()};
}

inline void write(const fs::path& path, const std::string& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

inline std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace fixture
