// SPDX-License-Identifier: MIT

#include "machine_code.hpp"

#include <lld/Common/Driver.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/PassTimingInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Pass.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include <sys/mman.h>
#include <unistd.h>

#include "runtime_library.hpp"

LLD_HAS_DRIVER(elf)

namespace metal_host {
namespace {

/// Bytes under a path that a linker can open, without a file on disk.
class MemoryFile {
public:
    explicit MemoryFile(llvm::StringRef bytes) : descriptor_(memfd_create("kernel", MFD_CLOEXEC)) {
        for (std::size_t done = 0; descriptor_ >= 0 && done < bytes.size();) {
            ssize_t written = write(descriptor_, bytes.data() + done, bytes.size() - done);
            if (written <= 0) break;
            done += std::size_t(written);
        }
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile() {
        if (descriptor_ >= 0) close(descriptor_);
    }

    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
    int descriptor_;
};

/// LLD renames its output into place, so that has to be a file; in memory where the system has a place for that.
std::string outputPath() {
    llvm::SmallString<128> path;
    for (const char* folder : {"/dev/shm", "/tmp"}) {
        if (!llvm::sys::fs::createUniqueFile(llvm::Twine(folder) + "/metal-kernel-%%%%%%%%.so", path))
            return std::string(path);
    }
    return {};
}

}  // namespace

std::unique_ptr<llvm::TargetMachine> makeMachine(const std::string& triple, const std::string& cpu,
                                                 const std::string& features) {
    std::string error;
    llvm::Triple parsed(triple);
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(parsed, error);
    if (!target) return nullptr;
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // what may be contracted says so itself
    options.FunctionSections = options.DataSections = true;
    return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
        parsed, cpu, features, options, llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Default, true));
}

llvm::SmallVector<char, 0> emit(llvm::Module& module, llvm::TargetMachine& machine, llvm::CodeGenFileType kind) {
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream stream(bytes);
    llvm::legacy::PassManager passes;
    machine.addPassesToEmitFile(passes, stream, nullptr, kind);
    passes.run(module);
    if (llvm::TimePassesIsEnabled) llvm::reportAndResetTimings();
    return bytes;
}

llvm::Expected<std::vector<std::uint8_t>> linkShared(llvm::ArrayRef<char> object) {
    MemoryFile input(llvm::StringRef(object.data(), object.size())), support(supportObject().getBuffer());
    std::string inputPath = input.path(), supportPath = support.path(), output = outputPath();
    if (output.empty()) return llvm::createStringError("no folder for temporary files: tried /dev/shm and /tmp");
    const char* arguments[] = {"ld.lld",
                               "-shared",
                               "-o",
                               output.c_str(),
                               inputPath.c_str(),
                               supportPath.c_str(),
                               "--gc-sections",
                               "--no-undefined",
                               "--threads=1",
                               "--hash-style=gnu",
                               "--build-id=none",
                               "-Bsymbolic",
                               "-z",
                               "noexecstack",
                               "-z",
                               "norelro"};
    std::string messages;
    llvm::raw_string_ostream stream(messages);
    static const lld::DriverDef driver{lld::Gnu, &lld::elf::link};
    lld::Result result = lld::lldMain(arguments, stream, stream, driver);
    auto linked = llvm::MemoryBuffer::getFile(output, false, false);
    llvm::sys::fs::remove(output);
    if (result.retCode != 0) return llvm::createStringError("linking the kernel failed: " + messages);
    if (!linked) return llvm::createStringError("the linked kernel cannot be read: " + linked.getError().message());
    llvm::StringRef bytes = (*linked)->getBuffer();
    return std::vector<std::uint8_t>(bytes.bytes_begin(), bytes.bytes_end());
}

}  // namespace metal_host
