// SPDX-License-Identifier: MIT
#include "service/channel.hpp"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace metal_compiler {
namespace {

constexpr std::uint64_t maxFrame = std::uint64_t{1} << 30;

bool readAll(int socket, void* data, std::size_t size) {
    auto* at = static_cast<char*>(data);
    while (size != 0) {
        const ssize_t count = ::recv(socket, at, size, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        at += count;
        size -= static_cast<std::size_t>(count);
    }
    return true;
}

bool writeAll(int socket, const void* data, std::size_t size) {
    const auto* at = static_cast<const char*>(data);
    while (size != 0) {
        const ssize_t count = ::send(socket, at, size, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        at += count;
        size -= static_cast<std::size_t>(count);
    }
    return true;
}

}  // namespace

std::optional<wire::Bytes> readFrame(int socket) {
    std::uint64_t size = 0;
    if (!readAll(socket, &size, sizeof size) || size > maxFrame) return std::nullopt;
    wire::Bytes bytes(size);
    if (!readAll(socket, bytes.data(), bytes.size())) return std::nullopt;
    return bytes;
}

bool writeFrame(int socket, const wire::Bytes& bytes) {
    const std::uint64_t size = bytes.size();
    return writeAll(socket, &size, sizeof size) && writeAll(socket, bytes.data(), bytes.size());
}

int receiveDescriptor(int socket) {
    for (;;) {
        char byte = 0;
        iovec part{&byte, 1};
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        const ssize_t count = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return -1;
        const cmsghdr* header = CMSG_FIRSTHDR(&message);
        if (header == nullptr || header->cmsg_type != SCM_RIGHTS) continue;  // a byte without a descriptor asks nothing
        int descriptor = -1;
        std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
        return descriptor;
    }
}

}  // namespace metal_compiler
