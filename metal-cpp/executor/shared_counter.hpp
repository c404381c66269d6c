// SPDX-License-Identifier: MIT
//
// The value of an event that several processes share: a page of anonymous shared memory (memfd), which has no name in
// any folder and is gone when the last process that has it is, however that ended. There is no lock in it, so a process
// that dies at any moment leaves nothing behind that others would wait for.

#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace metal_executor {

class SharedCounter {
public:
    /// A new one. Null, and `whyNot`, when the system has no memory or file descriptors for it.
    static std::shared_ptr<SharedCounter> make(std::uint64_t value, std::string_view label, std::string& whyNot);

    /// The one that a file descriptor stands for, which stays the caller's; or a name, while a process that gave the
    /// name has the counter still. Null, and `whyNot`, for anything else.
    static std::shared_ptr<SharedCounter> open(int descriptor, std::string& whyNot);
    static std::shared_ptr<SharedCounter> open(const std::string& name, std::string& whyNot);

    SharedCounter(const SharedCounter&) = delete;
    SharedCounter& operator=(const SharedCounter&) = delete;
    ~SharedCounter();

    std::uint64_t value() const;

    /// Sets a greater value and wakes who sleeps in any process.
    void raise(std::uint64_t value);

    /// A number that changes with the value; to be taken before the value is looked at, and then given to sleep().
    std::uint32_t pulse() const;
    /// Until the pulse is another, at most `timeout`; may return early.
    void sleep(std::uint32_t pulse, std::chrono::nanoseconds timeout) const;

    /// For this object's life.
    int descriptor() const { return descriptor_; }
    /// "mtlpy-event:PROCESS:DESCRIPTOR:IDENTITY", for other processes of this user.
    std::string name() const;
    std::string label() const;

private:
    struct Page;

    SharedCounter(int descriptor, Page* page) : descriptor_(descriptor), page_(page) {}
    static std::shared_ptr<SharedCounter> map(int descriptor, std::string& whyNot);

    const int descriptor_;
    Page* const page_;
};

}  // namespace metal_executor
