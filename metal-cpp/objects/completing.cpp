// SPDX-License-Identifier: MIT

#include "../MetalPortable/MetalPortable.hpp"
#include "compiling.hpp"
#include "descriptors.hpp"
#include "library.hpp"
#include "string.hpp"

namespace MTL::Portable {

namespace {

const char* nameOf(protocol::CompletionKind kind) {
    switch (kind) {
        case protocol::CompletionKind::function:
            return "function";
        case protocol::CompletionKind::variable:
            return "variable";
        case protocol::CompletionKind::field:
            return "field";
        case protocol::CompletionKind::type:
            return "type";
        case protocol::CompletionKind::enumerator:
            return "enumerator";
        case protocol::CompletionKind::scope:
            return "namespace";
        case protocol::CompletionKind::keyword:
            return "keyword";
        case protocol::CompletionKind::attribute:
            return "attribute";
        case protocol::CompletionKind::macro:
            return "macro";
        case protocol::CompletionKind::header:
            return "header";
    }
    return "";
}

}  // namespace

bool complete(const NS::String* source, const CompileOptions* options, NS::UInteger line, NS::UInteger column,
              Completions& completions) {
    protocol::CompletionRequest request;
    request.source = metal_objects::view(source);
    if (options != nullptr) {
        request.options =
            metal_objects::compileOptions(metal_objects::as<metal_objects::CompileOptionsObject>(options)->values);
    }
    request.line = static_cast<std::uint32_t>(line);
    request.column = static_cast<std::uint32_t>(column);
    const auto answer = metal_compiler_client::Client::shared().completion(
        std::move(request), metal_objects::requestOptions("a completion"));
    if (!answer) return false;
    for (const protocol::Completion& item : answer.reply->items) {
        completions.items.push_back({item.text, nameOf(item.kind), item.signature});
    }
    for (const protocol::Signature& signature : answer.reply->signatures) {
        Signature& added = completions.signatures.emplace_back();
        added.text = signature.text;
        for (const protocol::TextRange& range : signature.parameters)
            added.parameters.emplace_back(range.begin, range.end);
        added.comment = signature.comment;
    }
    completions.argument = answer.reply->argument;
    completions.column = answer.reply->column;
    return true;
}

}  // namespace MTL::Portable
