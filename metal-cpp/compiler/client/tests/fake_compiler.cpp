// SPDX-License-Identifier: MIT
//
// Stands in for metal-compiler in the client's tests: speaks the protocol and does what the source says.
//   "crash"         the child for the request dies
//   "sleep"         it never answers, and ends when the connection does
//   "end"           the whole service ends
//   "garbage"       it answers something that is no reply
//   "descriptors"   the log lists the open descriptors
//   "include PATH"  the reply depends on that file
//   "error"         ok is false
//   anything else   the bitcode is the source
// Each request adds a line to the file $FAKE_COMPILER_LOG.

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "../cache_key.hpp"

using namespace metal_compiler_client;

namespace {

int receiveDescriptor(int control) {
    char byte = 0;
    iovec data{&byte, 1};
    alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    if (recvmsg(control, &message, MSG_CMSG_CLOEXEC) <= 0) return -1;
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
    return descriptor;
}

void receiveAll(int descriptor, void* data, std::size_t size) {
    auto* bytes = static_cast<char*>(data);
    while (size > 0) {
        const ssize_t got = read(descriptor, bytes, size);
        if (got <= 0) _exit(1);
        bytes += got;
        size -= static_cast<std::size_t>(got);
    }
}

void sendAll(int descriptor, const void* data, std::size_t size) {
    const auto* bytes = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t sent = write(descriptor, bytes, size);
        if (sent <= 0) _exit(1);
        bytes += sent;
        size -= static_cast<std::size_t>(sent);
    }
}

std::string openDescriptors() {
    std::string text;
    DIR* folder = opendir("/proc/self/fd");
    while (const dirent* item = readdir(folder)) {
        if (item->d_name[0] != '.' && std::atoi(item->d_name) != dirfd(folder)) text += std::string(item->d_name) + " ";
    }
    closedir(folder);
    return text;
}

protocol::LibraryReply libraryReply(const protocol::LibraryRequest& request, int connection) {
    const std::string& source = request.source;
    if (source == "crash") abort();
    if (source == "sleep") {
        char byte = 0;
        receiveAll(connection, &byte, 1);
    }
    if (source == "end") {
        kill(getppid(), SIGKILL);
        abort();
    }
    protocol::LibraryReply reply;
    reply.ok = source != "error";
    reply.bitcode.assign(source.begin(), source.end());
    if (source == "descriptors") reply.log = openDescriptors();
    if (source.starts_with("include ")) {
        const std::string path = source.substr(8);
        std::ifstream file(path, std::ios::binary);
        const wire::Bytes bytes{std::istreambuf_iterator<char>(file), {}};
        reply.dependencies.push_back({path, contentHash(bytes)});
        reply.bitcode = bytes;
    }
    return reply;
}

wire::Bytes answer(const protocol::Request& request, int connection) {
    switch (request.kind) {
        case protocol::RequestKind::library: {
            const auto body = wire::decode<protocol::LibraryRequest>(request.body);
            if (body.source == "garbage") return {1, 2, 3};
            return wire::encode(libraryReply(body, connection));
        }
        case protocol::RequestKind::pipeline: {
            const auto body = wire::decode<protocol::PipelineRequest>(request.body);
            protocol::PipelineReply reply;
            reply.ok = true;
            reply.log = "about " + body.name;
            if (body.output == protocol::Output::object) reply.object = body.bitcode;
            if (body.output != protocol::Output::object) reply.text = "text of " + body.name;
            return wire::encode(reply);
        }
        case protocol::RequestKind::completion: {
            const auto body = wire::decode<protocol::CompletionRequest>(request.body);
            protocol::CompletionReply reply;
            reply.items.push_back({body.source + std::to_string(body.column), protocol::CompletionKind::type, ""});
            return wire::encode(reply);
        }
        case protocol::RequestKind::information: {
            protocol::InformationReply reply;
            reply.cpu = "fake";
            return wire::encode(reply);
        }
    }
    return {};
}

[[noreturn]] void serve(int connection) {
    std::uint64_t size = 0;
    receiveAll(connection, &size, sizeof size);
    wire::Bytes bytes(size);
    receiveAll(connection, bytes.data(), size);
    if (const char* path = std::getenv("FAKE_COMPILER_LOG")) {
        const int log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        sendAll(log, "request\n", 8);
        close(log);
    }
    const wire::Bytes reply = answer(wire::decode<protocol::Request>(bytes), connection);
    size = reply.size();
    sendAll(connection, &size, sizeof size);
    sendAll(connection, reply.data(), size);
    _exit(0);
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3 || std::string(arguments[1]) != "--serve") return 2;
    signal(SIGCHLD, SIG_IGN);
    const int control = std::atoi(arguments[2]);
    for (int connection; (connection = receiveDescriptor(control)) >= 0;) {
        if (fork() == 0) serve(connection);
        close(connection);
    }
    return 0;
}
