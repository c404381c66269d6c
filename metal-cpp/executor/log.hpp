// SPDX-License-Identifier: MIT
//
// Messages that kernels write (os_log): where they go while a dispatch runs, and as texts when it has ended.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernel_abi.h"

namespace metal_executor {

/// Same numbers as MTL::LogLevel.
enum class LogLevel : std::uint32_t { debug = 1, info = 2, notice = 3, error = 4, fault = 5 };

struct LogMessage {
    LogLevel level = LogLevel::notice;
    std::string subsystem, category;  // empty: os_log_default's
    std::string text;
};

/// Who is told of a command buffer's messages, and how many there may be.
struct LogTarget {
    std::function<void(const std::vector<LogMessage>&)> deliver;
    LogLevel least = LogLevel::debug;
    std::size_t bytes = std::size_t{1} << 20;
};

/// For command buffers with no target of their own. An empty function: a line each on the standard error stream.
void setDefaultLogTarget(std::function<void(const std::vector<LogMessage>&)> deliver);
void deliverToDefault(const std::vector<LogMessage>& messages);

/// The memory of one dispatch's messages, used again by the next.
class LogBuffer {
public:
    LogBuffer(LogLevel least, std::size_t bytes);
    LogBuffer(const LogBuffer&) = delete;
    LogBuffer& operator=(const LogBuffer&) = delete;

    metal_log* log() { return reinterpret_cast<metal_log*>(memory_.data()); }

    /// Appends what was written, and how many messages found no room; empties the buffer. While the kernel is loaded.
    void collect(std::vector<LogMessage>& messages);

private:
    std::vector<std::uint64_t> memory_;
};

/// printf's text of a message; a vector, as in %v4f, has commas between its components.
std::string formatMessage(const metal_log_record& record);

}  // namespace metal_executor
