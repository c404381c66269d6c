// SPDX-License-Identifier: MIT
#include "service/service.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "frontend/library.hpp"
#include "frontend/session.hpp"
#include "service/channel.hpp"
#include "service/child.hpp"

namespace metal_compiler {
namespace {

// The device's process may have had handlers, blocked signals and open files; none of that is ours.
void standAlone(int descriptor) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
    signal(SIGINT, SIG_IGN);  // Ctrl-C in a terminal reaches the whole group; the device decides what ends
    signal(SIGPIPE, SIG_IGN);
    const auto closeRange = [](unsigned first, unsigned last) {
        if (first <= last) ::syscall(SYS_close_range, first, last, 0);
    };
    if (descriptor > 3) closeRange(3, static_cast<unsigned>(descriptor) - 1);
    closeRange(static_cast<unsigned>(descriptor) + 1, ~0u);
    // Nothing a library prints belongs in the device's output.
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int standard : {0, 1, 2}) {
        if (null >= 0 && standard != descriptor) ::dup2(null, standard);
    }
}

}  // namespace

int serve(int descriptor) {
    if (::fcntl(descriptor, F_GETFD) < 0) {
        std::fprintf(stderr, "metal-compiler: --serve %d: not an open descriptor\n", descriptor);
        return 2;
    }
    standAlone(descriptor);
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    initialiseFrontend();
    const std::unique_ptr<Target> target = makeHostTarget();
    Prepared prepared{target.get(), describe(*target), nullptr};
    Session session(Mode{}, prepared.description, /*withStandardHeaders=*/true);
    prepared.session = &session;
    signal(SIGCHLD, SIG_IGN);  // the system reaps the children by itself
    for (;;) {
        const int socket = receiveDescriptor(descriptor);
        if (socket < 0) return 0;
        const pid_t child = ::fork();
        if (child == 0) {
            ::close(descriptor);
            signal(SIGCHLD, SIG_DFL);
            serveRequest(socket, prepared);
        }
        ::close(socket);  // after a failed fork too: the device sees its end
    }
}

}  // namespace metal_compiler
