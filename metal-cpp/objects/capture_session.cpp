// SPDX-License-Identifier: MIT

#include "capture_session.hpp"

#include <errno.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "../executor/clock.hpp"
#include "../executor/process.hpp"
#include "../executor/threads.hpp"
#include "../executor/worker_pool.hpp"
#include "buffer.hpp"
#include "capture_pointees.hpp"
#include "texture.hpp"

namespace metal_objects {

using metal_capture::JsonWriter;
using metal_executor::seconds;

namespace {

constexpr int formatVersion = 1;

// How long a command buffer may hold up the end of a capture that waits for an event which nothing that runs can
// signal, or that is behind one which was enqueued and not committed: a moment for the program's other threads.
constexpr std::chrono::milliseconds patience{100};

constexpr unsigned mostThreads = 4;

const char* kindName(CommandRecord::Kind kind) {
    constexpr const char* names[] = {"dispatch", "copy",     "fill",    "generate_mipmaps", "synchronize", "signal",
                                     "wait",     "signpost", "execute", "render",           "other"};
    return names[static_cast<int>(kind)];
}

/// The capture that is under way, and the scopes that are open whether it is or not. Never destroyed: a program may end
/// in the middle of a capture.
struct Global {
    std::mutex mutex;
    std::shared_ptr<CaptureSession> session;
    std::vector<const CaptureScopeObject*> openScopes;
};

Global*& global() {
    static Global* instance = [] {
        // The child has none of the capture's threads, and the file is its parent's.
        metal_executor::onFork([] { global()->mutex.lock(); }, [] { global()->mutex.unlock(); },
                               [] { global() = new Global; });
        return new Global;
    }();
    return instance;
}

double wallSeconds() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void writeSizes(JsonWriter& json, const char* name, const std::uint64_t (&sizes)[3]) {
    json.key(name).beginArray().value(sizes[0]).value(sizes[1]).value(sizes[2]).endArray();
}

/// Of an indirect dispatch, whose grid is in memory.
void writeIndirectGrid(JsonWriter& json, const CommandRecord& record) {
    std::uint64_t groups[3], threads[3];
    for (int axis = 0; axis < 3; ++axis) {
        groups[axis] = record.indirect[axis];
        threads[axis] = groups[axis] * record.threadgroup[axis];
    }
    writeSizes(json, "grid", threads);
    writeSizes(json, "threadgroups", groups);
}

}  // namespace

std::atomic<bool> CaptureSession::isAny_ = false;

std::shared_ptr<CaptureSession> CaptureSession::find() {
    std::lock_guard lock(global()->mutex);
    const auto session = global()->session;
    return session && session->process_ == metal_executor::thisProcess() ? session : nullptr;
}

std::shared_ptr<CaptureSession> CaptureSession::take() {
    std::lock_guard lock(global()->mutex);
    const auto session = global()->session;
    if (!session || session->process_ != metal_executor::thisProcess()) return nullptr;
    isAny_ = false;
    return std::exchange(global()->session, nullptr);
}

CaptureSession::Start CaptureSession::start(Target target, const std::string& path, std::string& whyNot) {
    if (find() != nullptr) return Start::busy;
    auto zip = metal_capture::ZipWriter::create(path, whyNot);
    if (zip == nullptr) return Start::failed;
    std::shared_ptr<CaptureSession> session;
    try {
        session = std::make_shared<CaptureSession>(std::move(target), path, std::move(zip));
    } catch (const std::system_error& error) {  // no thread to be had
        whyNot = error.what();
        return Start::failed;
    }
    std::lock_guard lock(global()->mutex);
    if (global()->session != nullptr) return Start::busy;
    global()->session = session;
    isAny_ = true;
    for (const CaptureScopeObject* scope : global()->openScopes) session->began(scope);
    return Start::begun;
}

CaptureSession::CaptureSession(Target target, std::string path, std::unique_ptr<metal_capture::ZipWriter> zip)
    : target_(std::move(target)),
      path_(std::move(path)),
      process_(metal_executor::thisProcess()),
      started_(seconds()),
      startedWall_(wallSeconds()),
      zip_(std::move(zip)),
      contents_(std::make_unique<metal_capture::ContentStore>(
          *zip_, std::clamp(metal_executor::threadCount(), 1u, mostThreads),
          [](std::function<void()> work) { metal_executor::startThread("metal-capture", std::move(work)); })) {
    commands_.beginArray();
}

// ---- Command buffers ----

std::shared_ptr<BufferRecord> CaptureSession::recordOf(const QueueObject* queue) {
    const auto* device = queue->device.get();
    std::lock_guard lock(mutex_);
    if (!isOpen_) return nullptr;
    if (target_.device && target_.device.get() != device) return nullptr;
    if (target_.queue && target_.queue.get() != queue) return nullptr;
    if (target_.scope) {
        const auto* scope = target_.scope.get();
        const bool covers = scope->queue ? as<QueueObject>(scope->queue.get()) == queue : scope->device.get() == device;
        if (!covers || !isScopeOpen_) return nullptr;
    }
    const std::uint32_t number = objects.queue(queue);
    std::vector<std::uint32_t> scopes;
    for (std::uint32_t i = 0; i < spans_.size(); ++i) {
        if (spans_[i].end == 0 && spans_[i].queue.value_or(number) == number) scopes.push_back(i);
    }
    return std::make_shared<BufferRecord>(shared_from_this(), bufferCount_++, number, scopeSpan_, std::move(scopes));
}

bool CaptureSession::commit(const BufferRecord& record, const std::string& label) {
    std::lock_guard lock(mutex_);
    if (!isOpen_ || (target_.scope && !(isScopeOpen_ && scopeSpan_ == record.scopeSpan))) return false;
    BufferState& state = buffers_[record.number];
    state.queue = record.queue;
    state.label = label;
    state.encoders = record.encoders();
    state.commandCount = record.commands().size();
    state.committed = seconds();
    for (const std::uint32_t span : record.scopes) {
        if (spans_[span].end == 0) state.scopes.push_back(span);
    }
    ++queues_[record.queue].inFlight;
    return true;
}

void CaptureSession::ended(std::uint32_t number, std::uint32_t queue, metal_executor::CommandBuffer& commandBuffer,
                           const std::string& error) {
    const metal_executor::Fault fault = commandBuffer.fault();
    std::lock_guard lock(mutex_);
    BufferState& state = buffers_[number];
    state.status = fault ? "error" : "completed";
    state.error = error;
    state.times = commandBuffer.times();
    QueueState& of = queues_[queue];
    --of.inFlight;
    if (of.waiting != 0 && fault) --of.waiting;  // stopped while it waited
    changed_.notify_all();
}

void CaptureSession::waits(std::uint32_t queue, bool isWaiting) {
    std::lock_guard lock(mutex_);
    QueueState& state = queues_[queue];
    state.waiting = isWaiting ? 1 : 0;
    changed_.notify_all();
}

// ---- Scopes ----

void CaptureSession::began(const CaptureScopeObject* scope) {
    std::optional<std::uint32_t> queue;
    if (scope->queue) queue = objects.queue(as<QueueObject>(scope->queue.get()));
    std::lock_guard lock(mutex_);
    if (!isOpen_) return;
    spans_.push_back({scope, scope->label.text(), queue, seconds(), 0});
    if (target_.scope.get() != scope) return;
    isScopeOpen_ = true;
    ++scopeSpan_;
}

void CaptureSession::ended(const CaptureScopeObject* scope) {
    std::lock_guard lock(mutex_);
    if (!isOpen_) return;
    for (Span& span : spans_) {
        if (span.scope == scope && span.end == 0) span.end = seconds();
    }
    if (target_.scope.get() == scope) isScopeOpen_ = false;
}

void CaptureSession::noteBoundary(const QueueObject* queue) {
    const std::uint32_t number = objects.queue(queue);
    std::lock_guard lock(mutex_);
    if (isOpen_) boundaries_.emplace_back(number, seconds());
}

CaptureScopeObject::~CaptureScopeObject() {
    end();
}

void CaptureScopeObject::begin() {
    std::shared_ptr<CaptureSession> session;
    {
        std::lock_guard lock(global()->mutex);
        auto& open = global()->openScopes;
        if (std::find(open.begin(), open.end(), this) != open.end()) return;
        open.push_back(this);
        session = global()->session;
    }
    if (session) session->began(this);
}

void CaptureScopeObject::end() {
    std::shared_ptr<CaptureSession> session;
    {
        std::lock_guard lock(global()->mutex);
        if (std::erase(global()->openScopes, this) == 0) return;
        session = global()->session;
    }
    if (session) session->ended(this);
}

// ---- Commands ----

std::uint32_t CaptureSession::contentOf(const void* bytes, std::size_t size) {
    std::lock_guard lock(writing_);
    return closed_ ? 0 : contents_->put(bytes, size);
}

void CaptureSession::writeBefore(JsonWriter& json, const CommandRecord& record) {
    json.key("touched").beginArray();
    const auto write = [&](const Touch& touch, const void* data, std::uint64_t size,
                           std::optional<std::uint32_t> level) {
        json.beginObject().member("resource", objects.resource(touch.resource));
        if (level) json.member("level", *level);
        json.member("written", touch.isWritten).member("before", contents_->put(data, size)).endObject();
    };
    for (const Touch& touch : record.touches) forEachPart(touch, write);
    json.endArray();
}

void CaptureSession::writeAfter(JsonWriter& json, const CommandRecord& record) {
    json.key("after").beginArray();
    for (const Touch& touch : record.touches) {
        forEachPart(touch, [&](const Touch&, const void* data, std::uint64_t size, std::optional<std::uint32_t>) {
            if (touch.isWritten) {
                json.value(contents_->put(data, size));
            } else {
                json.null();
            }
        });
    }
    json.endArray();
}

void CaptureSession::commandBegins(CommandRecord& record, std::uint32_t commandBuffer, std::size_t index) {
    std::lock_guard lock(writing_);
    if (closed_) return;
    if (record.tellMore) record.tellMore(record, objects);
    JsonWriter json;
    json.beginObject().member("kind", kindName(record.kind)).member("index", index).raw(record.fields.text());
    if (record.indirect != nullptr) writeIndirectGrid(json, record);
    if (!record.argumentBuffers.empty()) writePointees(json, objects, record);
    writeBefore(json, record);
    running_[commandBuffer] = json.take();
}

void CaptureSession::commandEnded(CommandRecord& record, std::uint32_t commandBuffer, double start, double end,
                                  const metal_executor::Fault& fault) {
    std::lock_guard lock(writing_);
    const auto begun = running_.find(commandBuffer);
    if (closed_ || begun == running_.end()) return;
    JsonWriter json;
    json.beginObject();
    writeAfter(json, record);
    json.member("start", start).member("end", end);
    if (fault) json.member("error", fault.message);
    json.endObject();
    // Two objects' members as one's.
    commands_.raw(begun->second + "," + json.text().substr(1));
    running_.erase(begun);
}

void CaptureObserver::begins(std::size_t command) {
    CommandRecord& record = record_->commands().at(command);
    const bool isWait = record.kind == CommandRecord::Kind::wait;
    if (isWait) {
        record_->session->waits(record_->queue, true);
    } else {
        record_->session->turn().lock();
    }
    try {
        record_->session->commandBegins(record, record_->number, command);
    } catch (const std::exception&) {
        // Out of memory: the command runs all the same, and is not in the capture.
    }
}

void CaptureObserver::ended(std::size_t command, double start, double end, const metal_executor::Fault& fault) {
    CommandRecord& record = record_->commands().at(command);
    try {
        record_->session->commandEnded(record, record_->number, start, end, fault);
    } catch (const std::exception&) {
    }
    record.held.clear();
    if (record.kind == CommandRecord::Kind::wait) {
        record_->session->waits(record_->queue, false);
    } else {
        record_->session->turn().unlock();
    }
}

// ---- The end ----

bool CaptureSession::canGoOn() const {
    return std::any_of(queues_.begin(), queues_.end(), [&](const auto& entry) {
        const auto& [number, queue] = entry;
        return queue.inFlight != 0 && queue.waiting == 0 && !objects.isHeldUp(number);
    });
}

bool CaptureSession::wait(double longest) {
    const double end = seconds() + longest;
    std::unique_lock lock(mutex_);
    // What other threads commit meanwhile could be waited for without end.
    isOpen_ = false;
    for (;;) {
        if (std::all_of(queues_.begin(), queues_.end(), [](const auto& queue) { return queue.second.inFlight == 0; }))
            return true;
        if (!canGoOn()) {
            if (!changed_.wait_for(lock, patience, [&] { return canGoOn(); })) return true;
            continue;
        }
        const double left = end - seconds();
        if (left <= 0) return false;
        changed_.wait_for(lock, std::chrono::duration<double>(std::min(left, 1.0)));
    }
}

unsigned CaptureSession::close() {
    unsigned unfinished = 0;
    {
        std::lock_guard lock(mutex_);
        isOpen_ = false;
        for (const auto& [number, queue] : queues_) unfinished += queue.inFlight;
    }
    std::lock_guard lock(writing_);
    closed_ = true;
    for (const auto& [number, begun] : running_) commands_.raw(begun + ",\"after\":null,\"start\":null,\"end\":null}");
    return unfinished;
}

MTL::Portable::CaptureEnd CaptureSession::stop() {
    const unsigned unfinished = close();
    MTL::Portable::CaptureEnd end;
    end.path = path_;
    end.unfinished = unfinished;
    contents_->flush();
    JsonWriter contents;
    contents_->write(contents);
    addJson("contents.json", contents);
    commands_.endArray();
    addJson("commands.json", commands_);
    writeObjects();
    objects.writeSources(*zip_);
    writeManifest(unfinished);
    end.bytes = zip_->bytesWritten();
    end.error = zip_->finish();
    contents_.reset();
    return end;
}

void CaptureSession::addJson(const char* name, JsonWriter& json) {
    const std::string text = json.take();
    metal_capture::Deflater deflater;
    zip_->add(name, deflater.pack({text.begin(), text.end()}));
}

void CaptureSession::writeBuffers(JsonWriter& json) {
    json.key("command_buffers").beginArray();
    for (const auto& [number, state] : buffers_) {
        json.beginObject().member("id", number).member("queue", state.queue).member("label", state.label);
        json.member("status", state.status).member("error", state.error).member("commands", state.commandCount);
        json.key("encoders").raw(state.encoders).key("scopes").beginArray();
        for (const std::uint32_t span : state.scopes) json.value(span);
        json.endArray().member("committed", state.committed).member("start", state.times.gpuStart);
        json.member("end", state.times.gpuEnd).endObject();
    }
    json.endArray();
}

void CaptureSession::writeScopes(JsonWriter& json) {
    json.key("scopes").beginArray();
    for (const Span& span : spans_) {
        json.beginObject().member("label", span.label).key("queue");
        if (span.queue) {
            json.value(*span.queue);
        } else {
            json.null();
        }
        json.member("begin", span.begin).key("end");
        if (span.end != 0) {
            json.value(span.end);
        } else {
            json.null();
        }
        json.endObject();
    }
    json.endArray().key("boundaries").beginArray();
    for (const auto& [queue, time] : boundaries_)
        json.beginObject().member("queue", queue).member("time", time).endObject();
    json.endArray();
}

void CaptureSession::writeObjects() {
    JsonWriter json;
    json.beginObject();
    objects.write(json);
    {
        std::lock_guard lock(mutex_);
        writeBuffers(json);
        writeScopes(json);
    }
    json.endObject();
    addJson("objects.json", json);
}

void CaptureSession::writeManifest(unsigned unfinished) {
    const MTL::Device* device = target_.device  ? target_.device.get()
                                : target_.queue ? target_.queue->device.get()
                                                : target_.scope->device.get();
    utsname system{};
    uname(&system);
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    JsonWriter json;
    json.beginObject().member("format", "mtlpy_nb capture").member("version", formatVersion);
    json.member("block_size", metal_capture::ContentStore::blockSize);
    json.member("of", target_.device ? "device" : target_.queue ? "queue" : "scope");
    json.member("unfinished", unfinished).member("started", started_).member("stopped", seconds());
    json.member("date", startedWall_);
    json.key("device").beginObject().member("name", view(device->name())).member("is_software", true);
    json.member("threads", metal_executor::threadCount()).member("memory", device->recommendedMaxWorkingSetSize());
    json.endObject().key("process").beginObject().member("id", getpid());
    json.member("program", program_invocation_short_name);
    json.member("system", std::string(system.sysname) + " " + system.release + " " + system.machine);
    json.endObject().endObject();
    addJson("manifest.json", json);
}

}  // namespace metal_objects
