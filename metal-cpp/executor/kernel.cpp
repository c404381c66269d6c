// SPDX-License-Identifier: MIT

#include "kernel.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>

#include "fault.hpp"
#include "kernel_steps.hpp"
#include "process.hpp"

namespace metal_executor {
namespace {

/// What a kernel's object says of it.
struct Facts : metal_kernel_info {
    std::uint32_t mostSteps;
};

// Held around the dynamic linker's calls and around fork(): the linker has a lock that a child finds taken for ever
// when another thread was loading at the time.
std::mutex& linking() {
    static std::mutex& mutex = *[] {
        onFork([] { linking().lock(); }, [] { linking().unlock(); }, [] { linking().unlock(); });
        return new std::mutex;  // never destroyed: kernels go when their last user does
    }();
    return mutex;
}

// The dynamic linker takes an object for loaded already when its path was used before, and descriptors' numbers come
// again. So each load spells /proc/self/fd/N in a way of its own: the bits of a counter choose "/." or "/".
std::string uniquePathOf(int descriptor) {
    static std::atomic<std::uint32_t> loads = 0;
    std::string path = "/proc/self/fd";
    for (std::uint32_t rest = loads.fetch_add(1, std::memory_order_relaxed); rest != 0; rest >>= 1) {
        path += rest & 1 ? "/." : "/";
    }
    return path + "/" + std::to_string(descriptor);
}

bool writeAll(int descriptor, std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

int memoryFile(const std::string& name) {
    const std::string shown = "metal:" + name.substr(0, 200);  // the system allows 249 bytes
#ifdef MFD_EXEC
    const int descriptor = memfd_create(shown.c_str(), MFD_CLOEXEC | MFD_EXEC);
    if (descriptor >= 0 || errno != EINVAL) return descriptor;
#endif
    return memfd_create(shown.c_str(), MFD_CLOEXEC);
}

struct CodeRange {
    std::uintptr_t base = 0;  // in: load address
    std::uintptr_t begin = 0, end = 0;
};

int findCode(dl_phdr_info* object, std::size_t, void* data) {
    auto& range = *static_cast<CodeRange*>(data);
    if (object->dlpi_addr != range.base) return 0;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const auto& segment = object->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X)) continue;
        const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
        const std::uintptr_t end = begin + segment.p_memsz;
        if (range.end == 0 || begin < range.begin) range.begin = begin;
        if (end > range.end) range.end = end;
    }
    return 1;
}

std::string linkerError() {
    const char* text = dlerror();
    return text ? text : "unknown error of the dynamic linker";
}

}  // namespace

LaneVariant variantFor(bool usesSimdgroup, std::uint32_t width, std::uint32_t height, std::uint32_t depth,
                       std::uint32_t edgeWidth) {
    const bool isOneRow = height == 1 && depth == 1;
    if (usesSimdgroup) {
        const bool areWhole = width % metal_simdgroup_width == 0 && edgeWidth % metal_simdgroup_width == 0;
        const bool rowsAreSimdgroups = areWhole || isOneRow;
        return {rowsAreSimdgroups ? metal_lanes_in_row : metal_lanes_linear, metal_simdgroup_width};
    }
    if (width >= 32 || isOneRow) return {metal_lanes_in_row, 0};
    if (width >= 16) return {metal_lanes_in_row, 16};
    if (width >= 8) return {metal_lanes_in_row, 8};
    return {metal_lanes_linear, 0};
}

std::shared_ptr<const Kernel> Kernel::load(std::span<const std::uint8_t> object, std::string name,
                                           std::string* whyNot) {
    const int descriptor = memoryFile(name);
    if (descriptor < 0) {
        if (whyNot) *whyNot = "kernel " + name + ": no memory file: " + std::strerror(errno);
        return nullptr;
    }
    std::shared_ptr<const Kernel> kernel;
    if (writeAll(descriptor, object)) {
        kernel = loadFile(uniquePathOf(descriptor), std::move(name), whyNot);
    } else if (whyNot) {
        *whyNot = "kernel " + name + ": cannot write " + std::to_string(object.size()) +
                  " bytes of code to memory: " + std::strerror(errno);
    }
    close(descriptor);  // what is loaded stays mapped
    return kernel;
}

std::shared_ptr<const Kernel> Kernel::loadFile(const std::string& path, std::string name, std::string* whyNot) {
    installFaultHandlers();
    std::unique_lock lock(linking());
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        if (whyNot) *whyNot = "kernel " + name + ": cannot load its code: " + linkerError();
        return nullptr;
    }
    std::shared_ptr<Kernel> kernel(new Kernel(handle, std::move(name)));
    const bool isGood = kernel->resolve(whyNot);
    lock.unlock();  // a kernel's end takes it too
    return isGood ? kernel : nullptr;
}

Kernel::Kernel(void* handle, std::string name) : handle_(handle), name_(std::move(name)) {}

Kernel::~Kernel() {
    delete static_cast<const Facts*>(info_);
    std::lock_guard lock(linking());
    dlclose(handle_);
}

void* Kernel::symbol(const std::string& symbolName) const {
    std::lock_guard lock(linking());
    return dlsym(handle_, symbolName.c_str());
}

bool Kernel::resolve(std::string* whyNot) {
    std::string problem;
    const auto* info = static_cast<const metal_kernel_info*>(dlsym(handle_, METAL_KERNEL_INFO_SYMBOL));
    const auto* most = static_cast<const std::uint32_t*>(dlsym(handle_, METAL_KERNEL_MOST_STEPS_SYMBOL));
    void* function = dlsym(handle_, METAL_KERNEL_SYMBOL);
    link_map* map = nullptr;
    CodeRange code;
    if (!info || !function) {
        problem = "its code lacks the symbol " + std::string(info ? METAL_KERNEL_SYMBOL : METAL_KERNEL_INFO_SYMBOL);
    } else if (info->abi_version != metal_kernel_abi_version) {
        problem = "its code has interface version " + std::to_string(info->abi_version) + ", expected " +
                  std::to_string(metal_kernel_abi_version);
    } else if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0) {
        code.base = map->l_addr;
        dl_iterate_phdr(findCode, &code);
    }
    if (!problem.empty()) {
        if (whyNot) *whyNot = "kernel " + name_ + ": " + problem;
        return false;
    }
    info_ = new Facts{*info, most != nullptr ? *most : 0};
    function_ = reinterpret_cast<metal_kernel_function>(function);
    codeBegin_ = code.begin;
    codeSize_ = code.end - code.begin;
    return true;
}

std::uint32_t mostSteps(const Kernel& kernel) {
    return static_cast<const Facts&>(kernel.info()).mostSteps;
}

void Kernel::noteNanosecondsPerThread(float measured) const {
    // What makes a dispatch slow (waking threads, another process, cold caches) says little about the kernel, so a
    // smaller time counts at once and a larger one by and by.
    const float before = nanosecondsPerThread();
    const bool isBetter = before == 0 || measured < before;
    nanosecondsPerThread_.store(isBetter ? measured : 0.75f * before + 0.25f * measured, std::memory_order_relaxed);
}

}  // namespace metal_executor
