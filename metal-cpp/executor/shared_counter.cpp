// SPDX-License-Identifier: MIT

#include "shared_counter.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace metal_executor {

namespace {

constexpr const char* fileName = "mtlpy-event";
constexpr std::uint64_t pageMark = 0x544e'5645'424e'4c4d;  // "MLNBEVNT"
constexpr std::uint32_t pageVersion = 1;
constexpr std::size_t pageBytes = 4096;
// Nobody can take the memory away from under another process.
constexpr int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

std::string systemsWords(const char* what) {
    return std::string(what) + ": " + std::strerror(errno);
}

std::string hex(const std::array<std::uint64_t, 2>& identity) {
    char text[33];
    std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(identity[0]),
                  static_cast<unsigned long long>(identity[1]));
    return text;
}

// Whether /proc's entry leads to a file that make() made. Opening anything else could have effects of its own.
bool isCounter(const std::string& path) {
    char target[64] = {};
    errno = 0;
    if (readlink(path.c_str(), target, sizeof target - 1) < 0) return false;
    return std::string_view(target).starts_with(std::string("/memfd:") + fileName);
}

}  // namespace

// Shared between processes, maybe of different builds: never changed without another pageVersion.
struct SharedCounter::Page {
    std::uint64_t mark;
    std::uint32_t version;
    std::atomic<std::uint32_t> pulse;  // futex
    std::atomic<std::uint64_t> value;
    std::array<std::uint64_t, 2> identity;
    char label[256];
};

std::shared_ptr<SharedCounter> SharedCounter::make(std::uint64_t value, std::string_view label, std::string& whyNot) {
    const int file = memfd_create(fileName, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) {
        whyNot = systemsWords("no shared memory");
        return nullptr;
    }
    auto* page = static_cast<Page*>(MAP_FAILED);
    if (fchmod(file, S_IRUSR | S_IWUSR) == 0 && ftruncate(file, pageBytes) == 0 && fcntl(file, F_ADD_SEALS, seals) == 0)
        page = static_cast<Page*>(mmap(nullptr, pageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    if (page == MAP_FAILED) {
        whyNot = systemsWords("no shared memory");
        close(file);
        return nullptr;
    }
    std::shared_ptr<SharedCounter> made(new SharedCounter(file, page));
    page->version = pageVersion;
    page->value = value;
    if (getrandom(page->identity.data(), sizeof page->identity, 0) != sizeof page->identity) {
        whyNot = systemsWords("no random number");
        return nullptr;
    }
    std::memcpy(page->label, label.data(), std::min(label.size(), sizeof page->label - 1));
    page->mark = pageMark;
    return made;
}

// Takes the descriptor over.
std::shared_ptr<SharedCounter> SharedCounter::map(int file, std::string& whyNot) {
    struct stat facts{};
    const int sealed = fcntl(file, F_GET_SEALS);
    Page* page = nullptr;
    if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size == static_cast<off_t>(pageBytes) &&
        sealed >= 0 && (sealed & F_SEAL_SHRINK) != 0) {
        void* mapped = mmap(nullptr, pageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (mapped != MAP_FAILED) page = static_cast<Page*>(mapped);
    }
    if (page == nullptr) {
        whyNot = "the file is no shared event";
        close(file);
        return nullptr;
    }
    std::shared_ptr<SharedCounter> opened(new SharedCounter(file, page));
    if (page->mark == pageMark && page->version == pageVersion) return opened;
    whyNot = page->mark == pageMark ? "the shared event is of another version of this package"
                                    : "the file is no shared event";
    return nullptr;
}

std::shared_ptr<SharedCounter> SharedCounter::open(int descriptor, std::string& whyNot) {
    const int file = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (file >= 0) return map(file, whyNot);
    whyNot = systemsWords(("file descriptor " + std::to_string(descriptor)).c_str());
    return nullptr;
}

std::shared_ptr<SharedCounter> SharedCounter::open(const std::string& name, std::string& whyNot) {
    long process = 0;
    int descriptor = 0, end = 0;
    char identity[33] = {};
    if (std::sscanf(name.c_str(), "mtlpy-event:%ld:%d:%32[0-9a-f]%n", &process, &descriptor, identity, &end) != 3 ||
        static_cast<std::size_t>(end) != name.size()) {
        whyNot = "'" + name + "' is no name of a shared event";
        return nullptr;
    }
    const std::string path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(descriptor);
    const std::string gone =
        "process " + std::to_string(process) + " has the event no more: it ended, or let go of event and handle";
    if (access(("/proc/" + std::to_string(process)).c_str(), F_OK) != 0 || !isCounter(path)) {
        whyNot = errno == EACCES ? "process " + std::to_string(process) + " belongs to another user" : gone;
        return nullptr;
    }
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        whyNot = errno == EACCES ? "process " + std::to_string(process) + " belongs to another user" : gone;
        return nullptr;
    }
    std::shared_ptr<SharedCounter> opened = map(file, whyNot);
    if (opened && hex(opened->page_->identity) != identity) {  // another event has its place now
        whyNot = gone;
        return nullptr;
    }
    return opened;
}

SharedCounter::~SharedCounter() {
    munmap(page_, pageBytes);
    close(descriptor_);
}

std::uint64_t SharedCounter::value() const {
    return page_->value.load();
}

void SharedCounter::raise(std::uint64_t value) {
    std::uint64_t present = page_->value.load();
    do {
        if (value <= present) return;
    } while (!page_->value.compare_exchange_weak(present, value));
    page_->pulse.fetch_add(1);
    syscall(SYS_futex, &page_->pulse, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

std::uint32_t SharedCounter::pulse() const {
    return page_->pulse.load();
}

void SharedCounter::sleep(std::uint32_t pulse, std::chrono::nanoseconds timeout) const {
    if (timeout.count() <= 0) return;
    const timespec relative{static_cast<time_t>(timeout.count() / 1'000'000'000),
                            static_cast<long>(timeout.count() % 1'000'000'000)};
    syscall(SYS_futex, &page_->pulse, FUTEX_WAIT, pulse, &relative, nullptr, 0);
}

std::string SharedCounter::name() const {
    return "mtlpy-event:" + std::to_string(getpid()) + ":" + std::to_string(descriptor_) + ":" + hex(page_->identity);
}

std::string SharedCounter::label() const {
    return {page_->label, strnlen(page_->label, sizeof page_->label)};
}

}  // namespace metal_executor
