// SPDX-License-Identifier: MIT

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <system_error>

#include "client.hpp"

// Defined where a program of the installed package is built; see cmake/compiler_place.cpp.in.
extern "C" __attribute__((weak)) const char* const metal_portable_compiler_place;

namespace metal_compiler_client {
namespace {

namespace fs = std::filesystem;

constexpr const char* programName = "metal-compiler";

bool isProgram(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

// The shared object or executable that this function is linked into.
fs::path ownFile() {
    Dl_info facts{};
    if (!dladdr(reinterpret_cast<void*>(&isProgram), &facts) || !facts.dli_fname) return {};
    std::error_code error;
    return fs::absolute(facts.dli_fname, error);
}

fs::path runningProgram() {
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error);
}

std::uint64_t sizeFrom(const char* text, std::uint64_t fallback) {
    if (!text || !*text) return fallback;
    char* end = nullptr;
    const double number = std::strtod(text, &end);
    if (end == text || !(number >= 0) || number > 1e15) return fallback;
    const std::string unit = end;
    double scale = 1;
    if (unit == "K" || unit == "k")
        scale = 1ull << 10;
    else if (unit == "M" || unit == "m")
        scale = 1ull << 20;
    else if (unit == "G" || unit == "g")
        scale = 1ull << 30;
    else if (!unit.empty())
        return fallback;
    return static_cast<std::uint64_t>(number * scale);
}

std::string defaultCacheFolder() {
    // A relative path there is to be ignored, says the specification of XDG.
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && cache[0] == '/')
        return std::string(cache) + "/mtlpy_nb";
    if (const char* home = std::getenv("HOME"); home && home[0] == '/') return std::string(home) + "/.cache/mtlpy_nb";
    return {};
}

}  // namespace

std::string findCompiler() {
    if (const char* named = std::getenv("MTLPY_COMPILER"); named && *named) return named;
    for (const fs::path& neighbour : {ownFile(), runningProgram()}) {
        if (neighbour.empty()) continue;
        for (const fs::path& folder : {neighbour.parent_path(), neighbour.parent_path() / ".." / "bin"}) {
            if (isProgram(folder / programName)) return (folder / programName).lexically_normal();
        }
    }
    if (&metal_portable_compiler_place != nullptr && isProgram(metal_portable_compiler_place))
        return metal_portable_compiler_place;
    std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (!folder.empty() && isProgram(fs::path(folder) / programName)) return fs::path(folder) / programName;
    }
    return {};
}

Configuration Configuration::fromEnvironment() {
    Configuration made;
    made.compiler = findCompiler();
    const char* folder = std::getenv("MTLPY_CACHE_DIR");
    made.cacheFolder = folder ? folder : defaultCacheFolder();
    made.cacheLimit = sizeFrom(std::getenv("MTLPY_CACHE_SIZE"), std::uint64_t{1} << 30);
    return made;
}

}  // namespace metal_compiler_client
