// SPDX-License-Identifier: MIT
//
// What all encoders share: they end once, before their command buffer is committed, and Python sees to it even when the
// program forgets.

#pragma once

#include <nanobind/stl/string.h>
#include <Metal/Metal.hpp>
#include <memory>
#include <string>

#include "command_buffer.hpp"
#include "errors.hpp"
#include "handle.hpp"
#include "text.hpp"

namespace mtlpy {

template <class T>
class Encoder {
public:
    /// `isPart`: of another encoder, whose turn it is until that ends.
    Encoder(std::shared_ptr<CommandBuffer> commandBuffer, T* encoder, bool isPart = false)
        : metal(shared(encoder)), commandBuffer(std::move(commandBuffer)), isPart_(isPart) {
        this->commandBuffer->encoding = true;
    }
    ~Encoder() { leave(); }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    void checkOpen(const char* where) const {
        if (open_) return;
        const std::string label = pythonText(metal->label());
        fail(ErrorKind::validation,
             concat(where, ": the encoder ", label.empty() ? "" : "'" + label + "' ", "has ended"));
    }

    /// For messages: " (encoder 'x')"; empty without a label.
    std::string place() const {
        const std::string label = pythonText(metal->label());
        return label.empty() ? label : " (encoder '" + label + "')";
    }

    void end(const char* where) {
        checkOpen(where);
        open_ = false;
        if (!isPart_) commandBuffer->encoding = false;
        metal->endEncoding();
    }

    bool isOpen() const { return open_; }

    void pushGroup(const std::string& name) {
        checkOpen("push_debug_group");
        metal->pushDebugGroup(metalString(name));
        ++groups_;
    }
    void popGroup() {
        checkOpen("pop_debug_group");
        if (groups_ == 0) fail(ErrorKind::validation, "pop_debug_group: no debug group was pushed");
        --groups_;
        metal->popDebugGroup();
    }

    NS::SharedPtr<T> metal;
    std::shared_ptr<CommandBuffer> commandBuffer;

protected:
    /// Metal stops the program when an encoder goes that was not ended. What that finds wrong nobody can be told.
    void leave() noexcept {
        if (!open_) return;
        AutoreleaseScope scope;
        try {
            end("end_encoding");
        } catch (const Failure&) {
        }
    }

private:
    const bool isPart_;
    bool open_ = true;
    unsigned groups_ = 0;
};

/// The methods that every encoder has. An encoder is a context manager that ends itself.
template <class E>
void bindEncoder(nb::class_<E>& type) {
    using namespace nb::literals;
    type.def_prop_ro(
            "device", [](E& self) { return shared(self.metal->device()); }, pooled,
            "The device that runs the commands.")
        .def_prop_rw(
            "label", [](E& self) { return pythonText(self.metal->label()); },
            [](E& self, const std::string& label) { self.metal->setLabel(metalString(label)); }, pooled,
            "A name, for messages and captures.")
        .def("push_debug_group", &E::pushGroup, "name"_a, pooled, "Name a group that the commands to come are in.")
        .def("pop_debug_group", &E::popGroup, pooled, "End the group that was pushed last.")
        .def(
            "insert_debug_signpost",
            [](E& self, const std::string& text) {
                self.checkOpen("insert_debug_signpost");
                self.metal->insertDebugSignpost(metalString(text));
            },
            "text"_a, pooled, "A mark between commands, which captures show.")
        .def(
            "end_encoding", [](E& self) { self.end("end_encoding"); }, pooled, "No more commands follow.")
        .def(
            "__enter__", [](nb::handle self) { return nb::borrow(self); },
            nb::sig("def __enter__(self) -> typing_extensions.Self"))
        .def(
            "__exit__",
            [](E& self, nb::handle, nb::handle, nb::handle) {
                if (self.isOpen()) self.end("end_encoding");
            },
            "exc_type"_a.none(), "exc_value"_a.none(), "traceback"_a.none(), pooled,
            nb::sig("def __exit__(self, exc_type: object, exc_value: object, traceback: object) -> None"));
}

/// Of encoders without stages.
template <class E>
void bindFences(nb::class_<E>& type) {
    using namespace nb::literals;
    type.def(
            "update_fence",
            [](E& self, const MTL::Fence& fence) {
                self.checkOpen("update_fence");
                self.commandBuffer->checkDevice("update_fence", "fence", fence.device());
                self.metal->updateFence(&fence);
            },
            "fence"_a, pooled, "Signal the fence when the commands so far have finished.")
        .def(
            "wait_for_fence",
            [](E& self, const MTL::Fence& fence) {
                self.checkOpen("wait_for_fence");
                self.commandBuffer->checkDevice("wait_for_fence", "fence", fence.device());
                self.metal->waitForFence(&fence);
            },
            "fence"_a, pooled, "Hold the commands that follow until the fence is signalled.");
}

}  // namespace mtlpy
