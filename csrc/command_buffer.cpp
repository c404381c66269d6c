// SPDX-License-Identifier: MIT
//
// Command buffers: committing, waiting, times, errors, events.

#include "command_buffer.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <utility>

#include "bind.hpp"
#include "blit_encoder.hpp"
#include "compute_encoder.hpp"
#include "counters.hpp"
#include "errors.hpp"
#include "portable.hpp"
#include "portable_committing.hpp"
#include "render_encoder.hpp"
#include "seconds.hpp"
#include "text.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Clock = std::chrono::steady_clock;

/// How long Python's signals may have to wait.
constexpr std::chrono::milliseconds slice{50};

/// How long a stopped kernel may take to end before the interrupt is raised anyway. It cannot end at all while another
/// command buffer runs before it.
constexpr std::chrono::milliseconds stopTime{300};

/// Python's signal handlers; an exception from one stops the command buffer first, and what it may be waiting for. All
/// of that happens here, where a second Ctrl-C cannot get between.
void checkSignals(CommandBuffer& commandBuffer) {
    if (PyErr_CheckSignals() == 0) return;
    nb::python_error interrupt;
    portable::stop(commandBuffer.metal.get(), 0);  // first: it must not begin when those in front of it make way
    UnderWay::stopAll();
    {
        const ReleasedGil release;
        portable::stop(commandBuffer.metal.get());
        PythonGate::hold();
    }
    if (portable::isSoftware(commandBuffer.metal->device())) commandBuffer.waitSlice(stopTime);
    throw interrupt;
}

/// A queue gives no more command buffers than it may have unfinished ones; then whoever asks waits here, where Ctrl-C
/// gets through, and not in the queue.
void waitForRoom(MTL::CommandQueue& queue) {
    if (portable::waitForRoom(&queue, std::chrono::nanoseconds(0))) return;
    while (true) {
        {
            const ReleasedGil release;
            if (portable::waitForRoom(&queue, slice)) break;
            PythonGate::hold();
        }
        if (PyErr_CheckSignals() == 0) continue;
        nb::python_error interrupt;
        UnderWay::stopAll();
        throw interrupt;
    }
}

std::optional<std::string> error(CommandBuffer& self) {
    const NS::Error* error = self.metal->error();
    if (!error) return std::nullopt;
    return errorText(error);
}

void addCompletedHandler(CommandBuffer& self, nb::callable callback) {
    self.addCallback(std::move(callback));
}

void waitUntilScheduled(CommandBuffer& self) {
    if (!self.committed) fail(ErrorKind::validation, "wait_until_scheduled: the command buffer isn't committed");
    while (self.metal->status() < MTL::CommandBufferStatusScheduled) {
        if (self.waitSlice(std::chrono::milliseconds(1))) return;
        checkSignals(self);
    }
}

std::string status(const CommandBuffer& self) {
    switch (self.metal->status()) {
        case MTL::CommandBufferStatusNotEnqueued:
            return "not enqueued";
        case MTL::CommandBufferStatusEnqueued:
            return "enqueued";
        case MTL::CommandBufferStatusCommitted:
            return "committed";
        case MTL::CommandBufferStatusScheduled:
            return "scheduled";
        case MTL::CommandBufferStatusCompleted:
            return "completed";
        case MTL::CommandBufferStatusError:
            return "failed";
    }
    return "unknown";
}

void bindTimes(nb::class_<CommandBuffer>& type) {
    type.def_prop_ro(
            "gpu_start_time", [](CommandBuffer& self) { return self.metal->GPUStartTime(); }, pooled,
            "Seconds; 0 until it has finished.")
        .def_prop_ro(
            "gpu_end_time", [](CommandBuffer& self) { return self.metal->GPUEndTime(); }, pooled,
            "When its last command ended, in seconds; 0 until it has finished.")
        .def_prop_ro(
            "kernel_start_time", [](CommandBuffer& self) { return self.metal->kernelStartTime(); }, pooled,
            "When it was scheduled, in seconds.")
        .def_prop_ro(
            "kernel_end_time", [](CommandBuffer& self) { return self.metal->kernelEndTime(); }, pooled,
            "When it was handed to the device, in seconds; 0 until then.");
}

/// A drawable can be presented until the commit, whatever encoder is open.
MTL::Drawable& checkedDrawable(CommandBuffer& self, const char* where, MTL::Drawable& drawable) {
    if (self.committed) fail(ErrorKind::validation, concat(where, ": the command buffer is committed"));
    return drawable;
}

void bindPresenting(nb::class_<CommandBuffer>& type) {
    type.def(
            "present_drawable",
            [](CommandBuffer& self, MTL::Drawable& drawable) {
                self.metal->presentDrawable(&checkedDrawable(self, "present_drawable", drawable));
            },
            "drawable"_a, pooled, "Show the drawable when the commands have finished.")
        .def(
            "present_drawable_after_minimum_duration",
            [](CommandBuffer& self, MTL::Drawable& drawable, double duration) {
                const char* where = "present_drawable_after_minimum_duration";
                self.metal->presentDrawableAfterMinimumDuration(&checkedDrawable(self, where, drawable),
                                                                checkedSeconds(where, "duration", duration));
            },
            "drawable"_a, "duration"_a, pooled,
            "The same, when what is shown before has been so for `duration` seconds.")
        .def(
            "present_drawable_at_time",
            [](CommandBuffer& self, MTL::Drawable& drawable, double time) {
                const char* where = "present_drawable_at_time";
                self.metal->presentDrawableAtTime(&checkedDrawable(self, where, drawable),
                                                  checkedSeconds(where, "time", time));
            },
            "drawable"_a, "time"_a, pooled, "The same, not before `time`, in seconds of the clock of gpu_start_time.");
}

void bindEncoders(nb::class_<CommandBuffer>& type) {
    type.def(
            "push_debug_group",
            [](CommandBuffer& self, const std::string& name) {
                self.checkEncodable("push_debug_group");
                self.metal->pushDebugGroup(metalString(name));
                ++self.groups;
            },
            "name"_a, pooled, "Name a group that the commands to come are in.")
        .def(
            "pop_debug_group",
            [](CommandBuffer& self) {
                self.checkEncodable("pop_debug_group");
                if (self.groups == 0) fail(ErrorKind::validation, "pop_debug_group: no debug group was pushed");
                --self.groups;
                self.metal->popDebugGroup();
            },
            pooled, "End the group that was pushed last.");
    type.def("compute_command_encoder", &newComputeEncoder, "dispatch_type"_a = MTL::DispatchTypeSerial, pooled,
             "Begin a series of dispatches.")
        .def("compute_command_encoder", &computeEncoderOfPass, "descriptor"_a, pooled)
        .def("render_command_encoder", &newRenderEncoder, "descriptor"_a, pooled,
             "Begin a render pass: a series of draws into the descriptor's textures.")
        .def("parallel_render_command_encoder", &newParallelRenderEncoder, "descriptor"_a, pooled,
             "Begin a render pass of several encoders.")
        .def("blit_command_encoder", &newBlitEncoder, pooled, "Begin a series of copies.")
        .def("blit_command_encoder", &blitEncoderOfPass, "descriptor"_a, pooled)
        .def(
            "encode_signal_event",
            [](CommandBuffer& self, const MTL::Event& event, std::int64_t value) {
                self.checkEncodable("encode_signal_event");
                self.checkDevice("encode_signal_event", "event", event.device());
                self.metal->encodeSignalEvent(&event,
                                              checkedCount("encode_signal_event", "value", value, 0, INT64_MAX));
            },
            "event"_a, "value"_a, pooled, "Set the event to `value` when the commands before have finished.")
        .def(
            "encode_wait_for_event",
            [](CommandBuffer& self, const MTL::Event& event, std::int64_t value) {
                self.checkEncodable("encode_wait_for_event");
                self.checkDevice("encode_wait_for_event", "event", event.device());
                self.metal->encodeWait(&event, checkedCount("encode_wait_for_event", "value", value, 0, INT64_MAX));
            },
            "event"_a, "value"_a, pooled, "Hold the commands that follow until the event has reached `value`.");
}

}  // namespace

CommandBuffer::CommandBuffer(MTL::CommandBuffer* commandBuffer)
    : metal(shared(commandBuffer)), completion(std::make_shared<Completion>()) {}

void CommandBuffer::checkEncodable(const char* where) const {
    if (committed) fail(ErrorKind::validation, concat(where, ": the command buffer is committed"));
    if (encoding)
        fail(ErrorKind::validation, concat(where, ": another encoder of the command buffer is open; end it first"));
}

void CommandBuffer::checkDevice(const char* where, const char* name, const MTL::Device* other) const {
    if (other != metal->device()) fail(ErrorKind::validation, concat(where, ": ", name, " belongs to another device"));
}

void CommandBuffer::checkCommit() {
    checkEncodable("commit");
    committed = true;
    if (completion->hasCallbacks()) completion->begin(nb::find(*this));
}

void CommandBuffer::commit() {
    checkCommit();
    underWay = UnderWay::begin(metal.get());
    if (portable::canWait) portable::atEnd(metal.get(), [begun = underWay] { begun->end(); });
    // A handler costs a thread's waking, so where Metal can be waited for none is added that nobody needs.
    if (completion->hasCallbacks() || !portable::canWait) tellCompletion();
    metal->commit();
}

void CommandBuffer::commitAndWait() {
    checkCommit();
    if (completion->hasCallbacks() || !portable::canWait) tellCompletion();
    wait(std::nullopt, true);
    completion->markFinished();
}

void CommandBuffer::tellCompletion() {
    tells = true;
    metal->addCompletedHandler(MTL::HandlerFunction([end = completion, begun = underWay](MTL::CommandBuffer*) {
        if (begun && !portable::canWait) begun->end();
        end->finish();
    }));
}

void CommandBuffer::addCallback(nb::callable callback) {
    if (committed && !tells && isDone()) completion->markFinished();
    completion->addCallback(std::move(callback), committed ? nb::find(*this) : nb::object());
    if (committed && !tells) tellCompletion();
}

bool CommandBuffer::waitSlice(std::chrono::nanoseconds time, bool commits) {
    const bool isTold = tells;
    ReleasedGil release;
    if (commits) portable::commitAndRun(metal.get());
    if (completion->isCallback()) return true;
    bool finished = !portable::canWait || portable::wait(metal.get(), time);
    if (isTold && finished) finished = completion->waitFor(time);  // a callback may have come after the end
    PythonGate::hold();
    return finished;
}

bool CommandBuffer::wait(std::optional<double> timeout, bool commits) {
    if (!committed) fail(ErrorKind::validation, "wait: the command buffer isn't committed");
    const auto limit = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(std::clamp(timeout.value_or(1e9), 0.0, 1e9)));
    const auto end = Clock::now() + limit;
    const UnderWay::Awaited awaited(underWay);
    while (true) {
        const auto left = std::max<Clock::duration>(end - Clock::now(), Clock::duration::zero());
        if (waitSlice(std::min<Clock::duration>(left, slice), std::exchange(commits, false))) break;
        checkSignals(*this);
        if (Clock::now() >= end) return false;
    }
    if (metal->status() == MTL::CommandBufferStatusError) {
        const std::string text = errorText(metal->error());
        throw Failure(ErrorKind::execution, text, text);
    }
    return true;
}

std::shared_ptr<CommandBuffer> newCommandBuffer(MTL::CommandQueue& queue) {
    portable::checkProcess(queue.device());
    waitForRoom(queue);
    MTL::CommandBuffer* commandBuffer = queue.commandBuffer();
    if (!commandBuffer) fail(ErrorKind::resource, "command_buffer: the queue gave no command buffer");
    return std::make_shared<CommandBuffer>(commandBuffer);
}

std::shared_ptr<CommandBuffer> commandBufferOfDescriptor(MTL::CommandQueue& queue,
                                                         const MTL::CommandBufferDescriptor& descriptor) {
    portable::checkProcess(queue.device());
    waitForRoom(queue);
    // Python lets go of things when it will: commands must not be left with what has gone.
    const auto retaining = owned(descriptor.copy());
    retaining->setRetainedReferences(true);
    MTL::CommandBuffer* commandBuffer = queue.commandBuffer(retaining.get());
    if (!commandBuffer) fail(ErrorKind::resource, "command_buffer: the queue gave no command buffer");
    return std::make_shared<CommandBuffer>(commandBuffer);
}

namespace {

std::shared_ptr<CommandBuffer> noted(std::shared_ptr<CommandBuffer> commandBuffer) {
    commandBuffer->noted = std::make_unique<live::Noted>(commandBuffer.get());
    return commandBuffer;
}

}  // namespace

void bindCommandBuffer(nb::module_& module) {
    nb::class_<CommandBuffer> type(module, "CommandBuffer", "Commands that the device runs together.",
                                   nb::is_weak_referenceable());
    type.def_prop_ro(
            "device", [](CommandBuffer& self) { return shared(self.metal->device()); }, pooled,
            "The device that runs the commands.")
        .def_prop_ro(
            "command_queue", [](CommandBuffer& self) { return shared(self.metal->commandQueue()); }, pooled,
            "The queue that made it, and that it is committed to.")
        .def_prop_rw(
            "label", [](CommandBuffer& self) { return pythonText(self.metal->label()); },
            [](CommandBuffer& self, const std::string& label) { self.metal->setLabel(metalString(label)); }, pooled,
            "A name, for messages and captures; empty unless set.")
        .def_prop_ro(
            "status", [](CommandBuffer& self) { return self.metal->status(); }, pooled,
            "How far it has come: NotEnqueued, Enqueued, Committed, Scheduled, Completed or Error.")
        .def_prop_ro("error", &error, pooled, "What went wrong, or None.")
        .def_prop_ro(
            "error_code",
            [](CommandBuffer& self) {
                const NS::Error* error = self.metal->error();
                return error ? static_cast<std::int64_t>(error->code()) : 0;
            },
            pooled, "A CommandBufferError, or 0.")
        .def_prop_ro(
            "mtl_ptr", [](CommandBuffer& self) { return reinterpret_cast<std::uintptr_t>(self.metal.get()); },
            "Address of the Metal object.");
    bindTimes(type);
    bindEncoders(type);
    bindPresenting(type);
    type.def(
            "commit", [](CommandBuffer& self) { self.commit(); }, pooled,
            "Hand the commands to the device; returns at once.")
        .def(
            "enqueue",
            [](CommandBuffer& self) {
                if (self.committed) fail(ErrorKind::validation, "enqueue: the command buffer is committed");
                self.metal->enqueue();
            },
            pooled, "Take its place in the queue before it is committed.")
        .def(
            "wait", [](CommandBuffer& self, std::optional<double> timeout) { return self.wait(timeout); },
            "timeout"_a = nb::none(), pooled,
            "Wait until it has finished, at most `timeout` seconds; False if it hasn't. Raises ExecutionError if it "
            "failed.")
        .def(
            "wait_until_completed", [](CommandBuffer& self) { self.wait(std::nullopt); }, pooled,
            "Wait until it has finished. Raises ExecutionError if it failed.")
        .def("wait_until_scheduled", &waitUntilScheduled, pooled, "Wait until the device has begun or is about to.")
        .def("done", &CommandBuffer::isDone, pooled, "Whether it has finished, well or badly.")
        .def(
            "add_completed_handler", &addCompletedHandler, "callback"_a,
            nb::sig(
                "def add_completed_handler(self, callback: collections.abc.Callable[[CommandBuffer], object]) -> None"),
            "Call `callback(self)` when it has finished, from any thread; at once when it has.")
        .def("__repr__", [](CommandBuffer& self) { return "<CommandBuffer, " + status(self) + ">"; }, pooled);
}

void bindCommandQueue(nb::module_& module) {
    nb::class_<MTL::CommandQueue>(module, "CommandQueue", "Runs command buffers in the order they are committed.",
                                  nb::is_weak_referenceable())
        .def_prop_ro(
            "device", [](const MTL::CommandQueue& self) { return shared(self.device()); }, pooled,
            "The device that made it.")
        .def_prop_rw(
            "label", [](const MTL::CommandQueue& self) { return pythonText(self.label()); },
            [](MTL::CommandQueue& self, const std::string& label) { self.setLabel(metalString(label)); }, pooled,
            "A name, for messages and captures; empty unless set.")
        .def_prop_ro(
            "mtl_ptr", [](const MTL::CommandQueue& self) { return reinterpret_cast<std::uintptr_t>(&self); },
            "Address of the Metal object.")
        .def("insert_debug_capture_boundary", &MTL::CommandQueue::insertDebugCaptureBoundary, pooled,
             "A mark between command buffers, which captures show.")
        .def(
            "command_buffer", [](MTL::CommandQueue& self) { return noted(newCommandBuffer(self)); }, pooled,
            "A new command buffer, not yet committed.")
        .def(
            "command_buffer",
            [](MTL::CommandQueue& self, const MTL::CommandBufferDescriptor& descriptor) {
                return noted(commandBufferOfDescriptor(self, descriptor));
            },
            "descriptor"_a, pooled)
        .def(
            "__repr__",
            [](const MTL::CommandQueue& self) { return "<CommandQueue of " + pythonText(self.device()->name()) + ">"; },
            pooled);
    // Metal's threads must not enter an interpreter that is ending.
    nb::module_::import_("atexit").attr("register")(nb::cpp_function([] {
        ReleasedGil release;
        PythonGate::close();
    }));
}

}  // namespace mtlpy
