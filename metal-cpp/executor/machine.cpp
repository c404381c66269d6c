// SPDX-License-Identifier: MIT

#include "machine.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace metal_executor {
namespace {

struct Hierarchy {
    std::string folder;      // where it is mounted
    std::string path;        // this process's group below it
    bool isUnified = false;  // cgroup version 2
};

// The group that holds `controller`, and where its files are: /proc/self/cgroup names groups, /sys/fs/cgroup holds
// them. In a container the named path may not be visible; then the mount's root is this process's own group.
std::vector<Hierarchy> hierarchiesOf(const std::string& controller) {
    std::vector<Hierarchy> found;
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        const auto first = line.find(':');
        const auto second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string path = line.substr(second + 1);
        if (controllers.empty()) {
            found.push_back({"/sys/fs/cgroup", path, true});
            found.push_back({"/sys/fs/cgroup/unified", path, true});
            continue;
        }
        std::istringstream names(controllers);
        for (std::string name; std::getline(names, name, ',');) {
            if (name != controller) continue;
            found.push_back({"/sys/fs/cgroup/" + controller, path, false});
            found.push_back({"/sys/fs/cgroup/" + controllers, path, false});
        }
    }
    return found;
}

// Calls `visit` with the folder of the group and of each group around it.
void forEachGroup(const std::string& controller, const std::function<void(const std::string&, bool)>& visit) {
    for (const Hierarchy& hierarchy : hierarchiesOf(controller)) {
        std::string path = hierarchy.path;
        while (!path.empty() && path != "/") {
            visit(hierarchy.folder + path, hierarchy.isUnified);
            path.erase(path.rfind('/'));
        }
        visit(hierarchy.folder, hierarchy.isUnified);
    }
}

std::string firstLine(const std::string& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

// Numbers that aren't there ("max", no file, -1) are no limit.
double positiveOrZero(const std::string& text) {
    try {
        return std::max(0.0, std::stod(text));
    } catch (const std::exception&) {
        return 0;
    }
}

double processorQuota(const std::string& folder, bool isUnified) {
    double quota = 0, period = 0;
    if (isUnified) {
        std::istringstream fields(firstLine(folder + "/cpu.max"));
        std::string first, second;
        fields >> first >> second;
        quota = positiveOrZero(first);
        period = positiveOrZero(second);
    } else {
        quota = positiveOrZero(firstLine(folder + "/cpu.cfs_quota_us"));
        period = positiveOrZero(firstLine(folder + "/cpu.cfs_period_us"));
    }
    return period > 0 ? quota / period : 0;
}

}  // namespace

unsigned usableProcessors() {
    unsigned count = std::max(1u, std::thread::hardware_concurrency());
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) count = std::max(1, CPU_COUNT(&set));
    forEachGroup("cpu", [&](const std::string& folder, bool isUnified) {
        const double quota = processorQuota(folder, isUnified);
        if (quota > 0) count = std::min(count, std::max(1u, static_cast<unsigned>(std::ceil(quota))));
    });
    return count;
}

std::uint64_t usableMemory() {
    std::uint64_t bytes =
        static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    forEachGroup("memory", [&](const std::string& folder, bool isUnified) {
        const double limit = positiveOrZero(firstLine(folder + (isUnified ? "/memory.max" : "/memory.limit_in_bytes")));
        if (limit > 0 && limit < static_cast<double>(bytes)) bytes = static_cast<std::uint64_t>(limit);
    });
    return bytes;
}

}  // namespace metal_executor
