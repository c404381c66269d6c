// SPDX-License-Identifier: MIT
//
// Runs a test kernel slowly and plainly: one fiber a thread, one thread after the other from barrier to barrier.

#include <kernel_abi.h>
#include <ucontext.h>

#include <vector>

namespace {

struct Thread {
    ucontext_t context;
    std::vector<char> stack;
    bool done = false;
    uint32_t position[3];
};

const metal_launch* launch;
uint32_t group[3], size[3];
Thread* current;
ucontext_t scheduler;
void (*kernel)();

void runThread() {
    kernel();
    current->done = true;
    swapcontext(&current->context, &scheduler);
}

uint32_t flatIndex() {
    return (current->position[2] * size[1] + current->position[1]) * size[0] + current->position[0];
}

}  // namespace

extern "C" {

void* __metal_argument(int slot) {
    return launch->arguments[slot];
}

int __metal_index(int kind, int d) {
    switch (kind) {
        case 0:
            return int(launch->grid_origin[d] + group[d] * launch->threads_per_threadgroup[d] + current->position[d]);
        case 1:
            return int(group[d]);
        case 2:
            return int(current->position[d]);
        case 3:
            return int(size[d]);
        case 4:
            return int(launch->threads_per_grid[d]);
        case 5:
            return int(launch->threadgroups_per_grid[d]);
        case 6:
            return int(flatIndex());
        case 7:
            return int(flatIndex() & 31);
        case 8:
            return int(flatIndex() / 32);
        case 11:
            return int(launch->threads_per_threadgroup[d]);
        default:
            return 0;
    }
}

void __metal_threadgroup_barrier(int) {
    swapcontext(&current->context, &scheduler);
}
void __metal_simdgroup_barrier(int) {
    swapcontext(&current->context, &scheduler);
}
int __metal_atomic_fetch_add_i32_device(volatile int* p, int v) {
    int old = *p;
    *p = int(unsigned(old) + unsigned(v));
    return old;
}
int __metal_atomic_fetch_max_i32_device(volatile int* p, int v) {
    int old = *p;
    if (v > old) *p = v;
    return old;
}
int __metal_atomic_exchange_i32_device(volatile int* p, int v) {
    int old = *p;
    *p = v;
    return old;
}
int __metal_atomic_fetch_add_i32_threadgroup(volatile int* p, int v) {
    return __metal_atomic_fetch_add_i32_device(p, v);
}

void reference_run(void (*function)(), const metal_launch* record) {
    kernel = function;
    launch = record;
    const uint32_t* groups = record->threadgroups_per_grid;
    for (uint64_t number = 0; number < uint64_t(groups[0]) * groups[1] * groups[2]; ++number) {
        group[0] = uint32_t(number % groups[0]);
        group[1] = uint32_t(number / groups[0] % groups[1]);
        group[2] = uint32_t(number / groups[0] / groups[1]);
        for (int d = 0; d < 3; ++d) {
            uint32_t left = record->threads_per_grid[d] - group[d] * record->threads_per_threadgroup[d];
            size[d] = left < record->threads_per_threadgroup[d] ? left : record->threads_per_threadgroup[d];
        }
        std::vector<Thread> threads(std::size_t(size[0]) * size[1] * size[2]);
        for (std::size_t index = 0; index < threads.size(); ++index) {
            Thread& thread = threads[index];
            thread.position[0] = uint32_t(index % size[0]);
            thread.position[1] = uint32_t(index / size[0] % size[1]);
            thread.position[2] = uint32_t(index / size[0] / size[1]);
            thread.stack.resize(65536);
            getcontext(&thread.context);
            thread.context.uc_stack.ss_sp = thread.stack.data();
            thread.context.uc_stack.ss_size = thread.stack.size();
            thread.context.uc_link = nullptr;
            makecontext(&thread.context, runThread, 0);
        }
        for (bool running = true; running;) {
            running = false;
            for (Thread& thread : threads) {
                if (thread.done) continue;
                running = true;
                current = &thread;
                swapcontext(&scheduler, &thread.context);
            }
        }
    }
}
}
