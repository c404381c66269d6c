// SPDX-License-Identifier: MIT

#include "live.hpp"

#include <nanobind/stl/string.h>

#include <pthread.h>
#include <mutex>
#include <string>
#include <unordered_map>

#include "bind.hpp"

namespace mtlpy::live {

namespace {

/// Where the user's program was. Held without a reference count, so that any thread may drop it: code objects and
/// names are few and are kept for ever, once for each place that makes objects.
struct Place {
    PyObject* file = nullptr;
    PyObject* function = nullptr;
    int line = 0;
};

struct Entry {
    Find find;
    Place place;
};

struct All {
    std::mutex mutex;  // objects may go without the GIL, where a command buffer has held them last
    std::unordered_map<const void*, Entry> entries;
};

All& all() {
    static auto* made = [] {
        // A worker may be letting go of an object while another thread forks: the child has no worker to unlock it.
        pthread_atfork([] { all().mutex.lock(); }, [] { all().mutex.unlock(); }, [] { all().mutex.unlock(); });
        return new All;
    }();
    return *made;
}

/// With the GIL held. Files, by the addresses of their names, and whether they are this package's.
struct Files {
    std::string package;  // its folder
    std::unordered_map<PyObject*, bool> known;
    std::unordered_map<PyObject*, nb::object> held;
};

Files& files() {
    static auto* made = new Files;
    return *made;
}

/// A name that stays at its address, since this holds it.
PyObject* held(nb::object name) {
    const auto [found, _] = files().held.try_emplace(name.ptr(), name);
    return found->first;
}

bool isOurs(nb::handle file) {
    const auto found = files().known.find(file.ptr());
    if (found != files().known.end()) return found->second;
    const std::string path = nb::cast<std::string>(file);
    const bool ours = !files().package.empty() && path.starts_with(files().package);
    files().known[held(nb::borrow(file))] = ours;
    return ours;
}

nb::object attribute(nb::handle object, const char* name) {
    PyObject* found = PyObject_GetAttrString(object.ptr(), name);
    if (!found) PyErr_Clear();
    return nb::steal(found);
}

Place here() {
    nb::object frame = nb::borrow(reinterpret_cast<PyObject*>(PyEval_GetFrame()));
    while (frame.is_valid() && !frame.is_none()) {
        auto* raw = reinterpret_cast<PyFrameObject*>(frame.ptr());
        const nb::object code = nb::steal(reinterpret_cast<PyObject*>(PyFrame_GetCode(raw)));
        const nb::object file = attribute(code, "co_filename");
        if (file.is_valid() && !isOurs(file))
            return {held(file), held(attribute(code, "co_name")), PyFrame_GetLineNumber(raw)};
        frame = attribute(frame, "f_back");
    }
    return {};
}

nb::list liveObjects() {
    // Each looked up after the lock: making a reference can run Python, which can let go of others.
    std::unordered_map<const void*, Entry> entries;
    {
        const std::lock_guard lock(all().mutex);
        entries = all().entries;
    }
    nb::list result;
    for (const auto& [object, entry] : entries) {
        {
            const std::lock_guard lock(all().mutex);
            if (!all().entries.contains(object)) continue;
        }
        nb::object found = entry.find(object);
        if (!found.is_valid()) continue;
        const auto text = [](PyObject* name) { return name ? nb::borrow(name) : nb::object(nb::str("")); };
        const Place& place = entry.place;
        result.append(nb::make_tuple(found, text(place.file), place.line, text(place.function)));
    }
    return result;
}

}  // namespace

void note(const void* object, Find find) {
    const Entry entry{find, here()};
    const std::lock_guard lock(all().mutex);
    all().entries[object] = entry;
}

void forget(const void* object) noexcept {
    const std::lock_guard lock(all().mutex);
    all().entries.erase(object);
}

void bind(nb::module_& module) {
    using namespace nb::literals;
    module.def("live_objects", &liveObjects, nb::sig("def live_objects() -> list[tuple[object, str, int, str]]"),
               "Each of Metal's objects that Python holds, with the file, the line and the function that made it.");
    module.def(
        "set_package_folder", [](const std::string& folder) { files().package = folder; }, "folder"_a,
        "Whose files do not count as the user's program.");
}

}  // namespace mtlpy::live
