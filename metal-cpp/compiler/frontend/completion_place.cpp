// SPDX-License-Identifier: MIT
#include "frontend/completion_place.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <set>

#include "frontend/standard_headers.hpp"

namespace metal_compiler {
namespace {

bool isWordLetter(char letter) {
    return llvm::isAlnum(letter) || letter == '_';
}

std::size_t offsetOf(llvm::StringRef source, std::uint32_t line, std::uint32_t column) {
    std::size_t start = 0;
    for (std::uint32_t at = 1; at < line; ++at) {
        const std::size_t end = source.find('\n', start);
        if (end == llvm::StringRef::npos) return source.size();
        start = end + 1;
    }
    const std::size_t end = std::min(source.find('\n', start), source.size());
    return std::min(start + (column > 0 ? column - 1 : 0), end);
}

// The name begun after `#include <` or `#include "`; false when the line is no such thing.
bool includedName(llvm::StringRef line, llvm::StringRef& name, char& closing) {
    line = line.ltrim();
    if (!line.consume_front("#")) return false;
    line = line.ltrim();
    if (!line.consume_front("include")) return false;
    line = line.ltrim();
    if (line.empty() || (line.front() != '<' && line.front() != '"')) return false;
    closing = line.front() == '<' ? '>' : '"';
    name = line.drop_front();
    return name.find(closing) == llvm::StringRef::npos;
}

// Moves `at` back to the bracket that is open there; false when there is none.
bool openingBefore(llvm::StringRef text, std::size_t& at) {
    int round = 0, curly = 0;
    while (at-- > 0) {
        const char letter = text[at];
        if (letter == ')') ++round;
        if (letter == '}') ++curly;
        if (letter == '(' && --round < 0) return true;
        if (letter == '{' && --curly < 0) return true;
    }
    return false;
}

llvm::StringRef declarationBefore(llvm::StringRef text) {
    return text.substr(text.find_last_of(";{}") + 1);
}

// Whether the brace after `head` is a struct's or a namespace's.
bool opensScope(llvm::StringRef head) {
    const llvm::StringRef declaration = declarationBefore(head);
    if (declaration.contains(')')) return false;
    return declaration.contains("struct") || declaration.contains("class") || declaration.contains("union") ||
           declaration.contains("namespace");
}

bool isHeaderName(llvm::StringRef name) {
    return name.ends_with(".h") || name.ends_with(".metal") || name.ends_with(".hpp") || name.ends_with(".inc");
}

void addFiles(const std::string& folder, llvm::StringRef below, std::set<std::string>& names) {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, below);
    std::error_code error;
    constexpr int most = 1000;  // of a folder that is none of headers
    int seen = 0;
    for (llvm::sys::fs::directory_iterator file(path, error), end; !error && file != end && seen < most;
         file.increment(error), ++seen) {
        const llvm::StringRef name = llvm::sys::path::filename(file->path());
        if (name.starts_with(".")) continue;
        if (llvm::sys::fs::is_directory(file->path())) {
            names.insert((name + "/").str());
        } else if (isHeaderName(name)) {
            names.insert(name.str());
        }
    }
}

// `name` as it goes on after the folder `below`.
void addName(llvm::StringRef name, llvm::StringRef below, std::set<std::string>& names) {
    if (!name.consume_front(below) || name.starts_with("__")) return;
    const std::size_t slash = name.find('/');
    names.insert(name.substr(0, slash == llvm::StringRef::npos ? slash : slash + 1).str());
}

}  // namespace

CompletionPlace completionPlace(llvm::StringRef source, std::uint32_t line, std::uint32_t column) {
    CompletionPlace place;
    const std::size_t offset = offsetOf(source, line, column);
    place.before = source.substr(0, offset);
    place.line = place.before.substr(place.before.rfind('\n') + 1);  // npos + 1 is 0
    place.next = offset < source.size() ? source[offset] : '\n';
    std::size_t start = place.line.size();
    if (isInclude(place.line)) {
        start = place.line.find_last_of("/<\"") + 1;
    } else {
        while (start > 0 && isWordLetter(place.line[start - 1])) --start;
    }
    place.word = place.line.substr(start);
    return place;
}

bool isInFunction(llvm::StringRef before) {
    for (std::size_t at = before.size(); openingBefore(before, at);) {
        if (before[at] == '{' && !opensScope(before.substr(0, at))) return true;
    }
    return false;
}

AttributeSubject attributeSubjectAt(llvm::StringRef before) {
    std::size_t at = before.size();
    const bool isOpen = openingBefore(before, at);
    const llvm::StringRef head = before.substr(0, isOpen ? at : before.size());
    const llvm::StringRef declaration = declarationBefore(head);
    if (isOpen && before[at] == '(') {
        return declaration.contains("kernel") ? AttributeSubject::kernelParameter : AttributeSubject::parameter;
    }
    if (isOpen && opensScope(head) && !declaration.contains("namespace")) return AttributeSubject::field;
    // A program-scope `constant` is a function constant.
    const llvm::StringRef own = declarationBefore(before);
    return own.contains("constant ") ? AttributeSubject::variable : AttributeSubject::function;
}

bool isInclude(llvm::StringRef line) {
    llvm::StringRef name;
    char closing = 0;
    return includedName(line, name, closing);
}

std::vector<protocol::Completion> headersFor(const CompletionPlace& place, const protocol::CompileOptions& options) {
    llvm::StringRef name;
    char closing = 0;
    std::vector<protocol::Completion> found;
    if (!includedName(place.line, name, closing)) return found;
    const llvm::StringRef below = name.substr(0, name.rfind('/') + 1);
    std::set<std::string> names;
    for (const protocol::NamedText& header : options.headers) addName(header.name, below, names);
    if (closing == '>') {
        for (const StandardHeader& header : standardHeaders()) addName(header.name, below, names);
    }
    for (const std::string& folder : options.includeDirectories) addFiles(folder, below, names);
    for (const std::string& candidate : names) {
        if (!llvm::StringRef(candidate).starts_with(place.word)) continue;
        const bool isFolder = candidate.back() == '/';
        const bool isClosed = isFolder || place.next == closing;
        found.push_back({isClosed ? candidate : candidate + closing, protocol::CompletionKind::header,
                         isFolder ? "folder" : "header"});
    }
    return found;
}

}  // namespace metal_compiler
