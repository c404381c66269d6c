// SPDX-License-Identifier: MIT
#include "frontend/completion.hpp"

#include <clang/Sema/SemaCodeCompletion.h>
#include <llvm/ADT/StringSet.h>

#include <chrono>
#include <memory>

#include "frontend/completion_collector.hpp"
#include "frontend/completion_place.hpp"
#include "frontend/session.hpp"

namespace metal_compiler {
namespace {

constexpr std::size_t mostItems = 500;  // IPython shows no more

std::vector<protocol::Completion> attributesFor(const CompletionPlace& place) {
    std::vector<protocol::Completion> found;
    for (const AttributeWord& word : attributeWords(attributeSubjectAt(place.before))) {
        if (!llvm::StringRef(word.name).starts_with(place.word)) continue;
        found.push_back({word.name, protocol::CompletionKind::attribute, word.usage});
    }
    return found;
}

}  // namespace

protocol::CompletionReply complete(const protocol::CompletionRequest& request, const TargetDescription& target,
                                   Session* warm) {
    const auto start = std::chrono::steady_clock::now();
    protocol::CompletionReply reply;
    const CompletionPlace place = completionPlace(request.source, request.line, request.column);
    reply.column = static_cast<std::uint32_t>(place.line.size() - place.word.size()) + 1;
    if (isInclude(place.line)) {
        reply.items = headersFor(place, request.options);
    } else {
        protocol::LibraryRequest program{request.source, request.options};
        std::unique_ptr<Session> cold;
        if (warm == nullptr || !warm->serves(program)) {
            cold = std::make_unique<Session>(modeOf(request.options), target, /*withStandardHeaders=*/false);
            warm = cold.get();
        }
        CompletionCollector collector(place.word.str(), isInFunction(place.before));
        // Where the word begins, so that what is offered does not depend on what of it is written.
        warm->complete(program, request.line, reply.column, collector);
        reply.items = collector.isAttribute() ? attributesFor(place) : collector.takeItems();
        reply.signatures = collector.takeSignatures();
        reply.argument = collector.argument();
    }
    if (reply.items.size() > mostItems) reply.items.resize(mostItems);
    reply.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return reply;
}

}  // namespace metal_compiler
