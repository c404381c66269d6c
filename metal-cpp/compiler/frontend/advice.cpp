// SPDX-License-Identifier: MIT
#include "frontend/advice.hpp"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticLex.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "frontend/attributes.hpp"
#include "frontend/library_names.hpp"

namespace metal_compiler {
namespace {

namespace diag = clang::diag;

// The text between the first pair of quotes: what most messages are about.
llvm::StringRef firstQuoted(llvm::StringRef text) {
    const std::size_t start = text.find('\'');
    if (start == llvm::StringRef::npos) return {};
    return text.substr(start + 1, text.find('\'', start + 1) - start - 1);
}
llvm::StringRef lastQuoted(llvm::StringRef text) {
    const std::size_t end = text.rfind('\'');
    if (end == llvm::StringRef::npos || end == 0) return {};
    const std::size_t start = text.rfind('\'', end - 1);
    return start == llvm::StringRef::npos ? llvm::StringRef() : text.substr(start + 1, end - start - 1);
}

std::string messageOf(const clang::Diagnostic& diagnostic) {
    llvm::SmallString<256> text;
    diagnostic.FormatDiagnostic(text);
    return text.str().str();
}

// ---- Headers ----

std::string missingHeader(llvm::StringRef name, const std::string& text) {
    const auto is = [&](llvm::StringRef prefix) { return name.starts_with(prefix); };
    if (is("metal_raytracing"))
        return "'" + name.str() + "' file not found: ray tracing is not available on this device";
    if (is("metal_mesh")) return "'" + name.str() + "' file not found: mesh shaders are not available on this device";
    if (is("metal_imageblocks"))
        return "'" + name.str() + "' file not found: imageblocks are not available on this device";
    if (is("metal_tensor") || is("metal_cooperative_tensor") || is("MetalPerformancePrimitives"))
        return "'" + name.str() + "' file not found: tensors are not available on this device";
    static constexpr llvm::StringLiteral ofCpp[] = {
        "algorithm",     "any",           "array",       "atomic",   "bit",      "bitset",      "cassert",
        "cctype",        "cfloat",        "chrono",      "climits",  "cmath",    "complex",     "condition_variable",
        "cstdio",        "cstdlib",       "cstring",     "ctime",    "deque",    "exception",   "fstream",
        "functional",    "future",        "iomanip",     "iostream", "iterator", "limits",      "list",
        "map",           "memory",        "mutex",       "new",      "numeric",  "optional",    "ostream",
        "queue",         "random",        "regex",       "set",      "span",     "sstream",     "stack",
        "stdexcept",     "string",        "string_view", "thread",   "tuple",    "type_traits", "typeinfo",
        "unordered_map", "unordered_set", "utility",     "variant",  "vector",   "assert.h",    "math.h",
        "stdio.h",       "stdlib.h",      "string.h",    "time.h",   "ctype.h",  "pthread.h"};
    for (const llvm::StringLiteral header : ofCpp) {
        if (name == header) return "'" + name.str() + "' file not found: the C++ standard library is not in Metal";
    }
    return text;
}

bool isHeaderOfCpp(llvm::StringRef message) {
    return message.ends_with("the C++ standard library is not in Metal");
}

// ---- Names ----

// The nearest of some words that `name` could be a slip of; empty when none is near.
std::string adviceOnSpelling(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> words) {
    llvm::StringRef best;
    unsigned distance = static_cast<unsigned>(name.size() / 4) + 1;
    for (const llvm::StringRef word : words) {
        const unsigned found = name.edit_distance(word, true, distance);
        if (found > 0 && found <= distance && (best.empty() || found < distance)) {
            best = word;
            distance = found;
        }
    }
    return best.empty() ? "" : "did you mean '" + best.str() + "'?";
}

std::vector<llvm::StringRef> attributeNames() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const AttributeSubject subject : {AttributeSubject::parameter, AttributeSubject::field,
                                               AttributeSubject::function, AttributeSubject::variable}) {
            for (const AttributeWord& word : attributeWords(subject)) all.push_back(word.name);
        }
        return all;
    }();
    return {names.begin(), names.end()};
}

// `isGuessed`: Clang has a name to offer already, and knows better than a reader of texts.
std::string adviceOnName(llvm::StringRef name, bool isGuessed, const clang::ASTContext* program) {
    static constexpr llvm::StringLiteral words[] = {"kernel",   "vertex",      "fragment", "device",
                                                    "constant", "threadgroup", "thread"};
    const llvm::StringRef known =
        llvm::StringSwitch<llvm::StringRef>(name)
            .Cases({"printf", "fprintf", "puts", "NSLog"},
                   "a kernel has no console: write the values to a buffer, or log them with "
                   "os_log of <metal_logging>")
            .Case("std",
                  "Metal has no 'std'; its library is in the namespace 'metal', as in "
                  "'metal::sin'")
            .Cases({"string", "vector", "map", "cout", "endl"},
                   "the C++ standard library is not in Metal; use arrays, 'array<T, N>' and "
                   "buffers")
            .Cases({"vec2", "vec3", "vec4"}, "Metal calls it 'float2', 'float3', 'float4'")
            .Cases({"mat2", "mat3", "mat4"}, "Metal calls it 'float2x2', 'float3x3', 'float4x4'")
            .Case("__syncthreads",
                  "Metal calls it 'threadgroup_barrier(mem_flags::"
                  "mem_threadgroup)'")
            .Cases({"threadIdx", "blockIdx", "blockDim", "gl_GlobalInvocationID"},
                   "a thread's place is an argument of the kernel: 'uint i "
                   "[[thread_position_in_grid]]'")
            .Cases({"atomic_store", "atomic_load", "atomic_exchange", "atomic_fetch_add", "atomic_fetch_sub",
                    "atomic_fetch_min", "atomic_fetch_max", "atomic_fetch_and", "atomic_fetch_or", "atomic_fetch_xor"},
                   "Metal's atomic functions end in '_explicit' and take the order: 'memory_order_relaxed'")
            .Cases({"import", "def"}, "this looks like Python; here stands Metal's language")
            .Cases({"malloc", "free", "calloc"}, "a kernel cannot allocate memory; declare an array or use a buffer")
            .Default("");
    if (!known.empty() || isGuessed) return known.str();
    if (llvm::is_contained(attributeNames(), name) && name.contains('_'))
        return "an attribute stands in two brackets: '[[" + name.str() + "]]'";
    if (program == nullptr || !isLibraryName(name, *program))
        return adviceOnSpelling(name, {std::begin(words), std::end(words)});
    return "'" + name.str() + "' is Metal's: begin with '#include <metal_stdlib>' and 'using namespace metal;'";
}

// ---- Vectors ----

struct Shape {
    llvm::StringRef element;
    unsigned count;  // 1 for a scalar
};

// Of 'device const float4 &', without its qualifiers.
std::optional<Shape> shapeOf(llvm::StringRef type) {
    type = type.rtrim(" &");
    type = type.substr(type.rfind(' ') + 1);
    type.consume_front("packed_");
    Shape shape{type, 1};
    if (!type.empty() && type.back() >= '2' && type.back() <= '4') {
        shape.count = static_cast<unsigned>(type.back() - '0');
        shape.element = type.drop_back();
    }
    const bool isElement = llvm::StringSwitch<bool>(shape.element)
                               .Cases({"bool", "char", "uchar", "short", "ushort", "int", "uint"}, true)
                               .Cases({"long", "ulong", "half", "bfloat", "float"}, true)
                               .Default(false);
    if (!isElement) return std::nullopt;
    return shape;
}

std::string adviceBetween(llvm::StringRef from, llvm::StringRef to) {
    const auto before = shapeOf(from), after = shapeOf(to);
    if (!before || !after || before->count == 1) return "";
    const std::string type = after->element.str() + (after->count > 1 ? std::to_string(after->count) : "");
    if (after->count == 1)
        return "take one component of the " + before->element.str() + std::to_string(before->count) + ", such as '.x'";
    if (after->count == before->count) return "convert it: '" + type + "(...)'";
    if (after->count < before->count) {
        return "take " + std::to_string(after->count) + " components of it, such as '." +
               llvm::StringRef("xyzw").take_front(after->count).str() + "'";
    }
    std::string parts = "...";
    for (unsigned i = before->count; i < after->count; ++i) parts += i + 1 == 4 ? ", 1" : ", 0";
    return "say what the other components are, such as '" + type + "(" + parts + ")'";
}

// ---- Operands ----

// Of 'float3x2': three columns of two rows.
struct MatrixShape {
    std::string name;
    unsigned columns, rows;
};

std::optional<MatrixShape> matrixShapeOf(llvm::StringRef type) {
    type = type.rtrim(" &");
    type = type.substr(type.rfind(' ') + 1);
    if (type.size() < 4 || type[type.size() - 2] != 'x') return std::nullopt;
    const auto columns = static_cast<unsigned>(type[type.size() - 3] - '0');
    const auto rows = static_cast<unsigned>(type.back() - '0');
    const llvm::StringRef element = type.drop_back(3);
    const bool isElement = element == "float" || element == "half" || element == "bfloat";
    if (!isElement || columns < 2 || columns > 4 || rows < 2 || rows > 4) return std::nullopt;
    return MatrixShape{type.str(), columns, rows};
}

// The element type that loses nothing of the other, as far as there is one.
bool isWider(llvm::StringRef element, llvm::StringRef other) {
    static constexpr llvm::StringLiteral order[] = {"bool", "char", "uchar", "short",  "ushort", "int",
                                                    "uint", "long", "ulong", "bfloat", "half",   "float"};
    return std::find(std::begin(order), std::end(order), element) >
           std::find(std::begin(order), std::end(order), other);
}

std::string adviceOnVectors(const Shape& left, const Shape& right) {
    if (left.count == right.count) {
        if (left.element == right.element) return "";
        const Shape& wide = isWider(left.element, right.element) ? left : right;
        return "both must have the same type: convert the other one, '" + wide.element.str() +
               std::to_string(wide.count) + "(...)'";
    }
    const Shape& small = left.count < right.count ? left : right;
    const Shape& large = left.count < right.count ? right : left;
    std::string parts = "...";
    for (unsigned i = small.count; i < large.count; ++i) parts += ", 0";
    return "both must have as many components: take " + std::to_string(small.count) + " of the " + large.element.str() +
           std::to_string(large.count) + ", such as '." + llvm::StringRef("xyzw").take_front(small.count).str() +
           "', or add to the " + small.element.str() + std::to_string(small.count) + ", such as '" +
           small.element.str() + std::to_string(large.count) + "(" + parts + ")'";
}

std::string adviceOnProduct(llvm::StringRef left, llvm::StringRef right) {
    const auto leftMatrix = matrixShapeOf(left), rightMatrix = matrixShapeOf(right);
    if (leftMatrix && rightMatrix) {
        if (leftMatrix->columns == rightMatrix->rows) return "";
        return "the left matrix must have as many columns (" + std::to_string(leftMatrix->columns) +
               ") as the right one has rows (" + std::to_string(rightMatrix->rows) + ")";
    }
    const auto vector = leftMatrix ? shapeOf(right) : shapeOf(left);
    const auto& matrix = leftMatrix ? leftMatrix : rightMatrix;
    if (!matrix || !vector || vector->count == 1) return "";
    const unsigned wanted = leftMatrix ? matrix->columns : matrix->rows;
    if (vector->count == wanted) return "";
    return "a vector " + std::string(leftMatrix ? "right" : "left") + " of a " + matrix->name + " has " +
           std::to_string(wanted) + " components, as many as the matrix has " + (leftMatrix ? "columns" : "rows");
}

std::string adviceOnOperands(const clang::Diagnostic& diagnostic, llvm::StringRef text) {
    const llvm::StringRef left = firstQuoted(text), right = lastQuoted(text);
    const auto leftShape = shapeOf(left), rightShape = shapeOf(right);
    if (leftShape && rightShape)
        return leftShape->count > 1 && rightShape->count > 1 ? adviceOnVectors(*leftShape, *rightShape) : "";
    const clang::SourceManager& sources = diagnostic.getSourceManager();
    const bool isProduct = *sources.getCharacterData(sources.getSpellingLoc(diagnostic.getLocation())) == '*';
    return isProduct ? adviceOnProduct(left, right) : "";
}

// ---- Address spaces ----

// The words of what a pointer or reference is to: "const", "device", "float".
llvm::SmallVector<llvm::StringRef, 4> wordsOf(llvm::StringRef type) {
    llvm::SmallVector<llvm::StringRef, 4> words;
    type.rtrim(" *&").split(words, ' ');
    return words;
}

bool isSpace(llvm::StringRef word) {
    return word == "device" || word == "constant" || word == "threadgroup" || word == "thread";
}

// Empty for the one of all that is not said to be elsewhere.
llvm::StringRef spaceOf(llvm::StringRef type) {
    for (const llvm::StringRef word : wordsOf(type)) {
        if (isSpace(word)) return word;
    }
    return "";
}

std::string withoutQualifiers(llvm::StringRef type) {
    std::string name;
    for (const llvm::StringRef word : wordsOf(type)) {
        if (!isSpace(word) && word != "const") name += (name.empty() ? "" : " ") + word.str();
    }
    return name;
}

// A variable whose pointer is to another address space than what it is given.
std::string adviceOnSpace(const clang::Diagnostic& diagnostic, llvm::StringRef text) {
    const llvm::StringRef wanted = firstQuoted(text), given = lastQuoted(text), space = spaceOf(given);
    const bool isPointer = wanted.ends_with("*") && given.ends_with("*");
    if ((!isPointer && !wanted.ends_with("&")) || space.empty() || space == spaceOf(wanted) ||
        withoutQualifiers(wanted) != withoutQualifiers(given)) {
        return "";
    }
    const clang::SourceManager& sources = diagnostic.getSourceManager();
    const clang::SourceLocation place = sources.getSpellingLoc(diagnostic.getLocation());
    const llvm::StringRef name = llvm::StringRef(sources.getCharacterData(place)).take_while([](char letter) {
        return llvm::isAlnum(letter) || letter == '_';
    });
    const bool isConst = space != "constant" &&
                         (llvm::is_contained(wordsOf(wanted), "const") || llvm::is_contained(wordsOf(given), "const"));
    return "declare it '" + space.str() + (isConst ? " const " : " ") + withoutQualifiers(wanted) +
           wanted.drop_front(wanted.rtrim(" *&").size()).str() + name.str() + "'";
}

// An operator of Python's that Metal reads as a product with what a pointer is to.
bool isPower(const clang::Diagnostic& diagnostic) {
    const clang::SourceManager& sources = diagnostic.getSourceManager();
    const clang::SourceLocation place = sources.getSpellingLoc(diagnostic.getLocation());
    if (sources.getFileOffset(place) == 0) return false;
    const char* star = sources.getCharacterData(place);
    return star[0] == '*' && star[-1] == '*';
}

std::string adviceOnMember(llvm::StringRef name, llvm::StringRef type) {
    const auto shape = shapeOf(type);
    if (!shape || shape->count == 1) return "";
    const std::string letters = llvm::StringRef("xyzw").take_front(shape->count).str();
    const std::string colours = llvm::StringRef("rgba").take_front(shape->count).str();
    const bool isKnown = name.find_first_not_of(letters + colours) == llvm::StringRef::npos;
    if (isKnown && name.size() <= 4) return "the letters of xyzw and of rgba cannot be mixed";
    const auto list = [](llvm::StringRef all) {
        std::string text;
        for (const char letter : all) text += (text.empty() ? "" : ", ") + std::string(1, letter);
        return text;
    };
    return "a " + shape->element.str() + std::to_string(shape->count) + " has the components " + list(letters) +
           " (or " + list(colours) + ") and up to four of them together, such as '." + letters + "'";
}

}  // namespace

std::string reworded(const clang::Diagnostic& diagnostic, std::string text) {
    switch (diagnostic.getID()) {
        case diag::err_pp_file_not_found:
            return missingHeader(firstQuoted(text), text);
        case diag::err_need_header_before_typeid:
            return "'typeid' is not supported in Metal";
        case diag::err_address_space_qualified_delete:
            return "'delete' is not supported in Metal";
        case diag::err_address_space_qualified_new:
            return "'new' is not supported in Metal; declare a variable or use a buffer";
        case diag::err_exceptions_disabled:
            return "exceptions are not supported in Metal; write a value that means failure";
        case diag::err_main_returns_nonint:
        case diag::ext_main_returns_nonint:
        case diag::err_main_arg_wrong:
        case diag::err_main_surplus_args:
            return "'main' cannot be the name of a function in Metal; give it another";
        case diag::err_vla_decl_has_static_storage:
            return "variable length arrays are not supported in Metal; give the length as a constant";
        case diag::note_ovl_too_many_candidates:
            return text.substr(0, text.find(" omitted")) + " not shown";
        default:
            return text;
    }
}

std::string adviceFor(const clang::Diagnostic& diagnostic, const clang::ASTContext* program) {
    const std::string text = messageOf(diagnostic);
    switch (diagnostic.getID()) {
        case diag::err_undeclared_var_use:
        case diag::err_undeclared_use:
        case diag::err_unknown_typename:
        case diag::err_no_template:
            return adviceOnName(firstQuoted(text), /*isGuessed=*/false, program);
        case diag::err_undeclared_var_use_suggest:
        case diag::err_unknown_type_or_class_name_suggest:
            return adviceOnName(firstQuoted(text), /*isGuessed=*/true, program);
        case diag::err_pp_file_not_found:
            return isHeaderOfCpp(missingHeader(firstQuoted(text), "")) ? "what Metal has is in <metal_stdlib>" : "";
        case diag::err_no_member_suggest:
            // Only std::initializer_list is there.
            return text.find("in namespace 'std'") == std::string::npos ? "" : adviceOnName("std", false, program);
        case diag::err_no_member:
            if (lastQuoted(text) == "std") return adviceOnName("std", /*isGuessed=*/false, program);
            return adviceOnMember(firstQuoted(text), lastQuoted(text));
        case diag::err_typecheck_assign_const:
            return "what is 'constant' or 'const' cannot be written; a buffer to write to is 'device' without 'const'";
        case diag::err_ovl_no_viable_function_in_call:
            if (firstQuoted(text).ends_with("_barrier")) {
                return "say which memory it is for, such as 'mem_flags::mem_threadgroup' or 'mem_flags::mem_device'";
            }
            return firstQuoted(text).starts_with("atomic_")
                       ? "the first argument is a pointer to an atomic type, such as 'device atomic_int *'"
                       : "";
        case diag::err_ovl_ambiguous_call:
        case diag::err_ovl_ambiguous_member_call:
            return "give all arguments the same type, as by '3u' for uint or 'float(x)'";
        case diag::warn_unknown_attribute_ignored:
            return adviceOnSpelling(firstQuoted(text), attributeNames());
        case diag::err_typecheck_invalid_operands:
            return adviceOnOperands(diagnostic, text);
        case diag::err_typecheck_indirection_requires_pointer:
            return isPower(diagnostic) ? "Metal has no operator '**'; 'pow(x, y)' is x to the power of y" : "";
        case diag::err_arg_with_address_space:
            return "a value from outside is a reference, such as 'constant float &a', and an array is a pointer, such "
                   "as 'device float *x'";
        case diag::err_ovl_no_viable_subscript:
            return lastQuoted(text).ends_with("*")
                       ? "an array has one index: of column x and row y it is 'y * width + x'"
                       : "";
        default:
            if (llvm::StringRef(text).starts_with("use of class template 'texture"))
                return "say what a kernel reads of it, such as 'texture2d<float>'";
            return llvm::StringRef(text).starts_with("cannot initialize a variable of type '")
                       ? adviceOnSpace(diagnostic, text)
                       : "";
    }
}

bool replacesCandidates(llvm::StringRef message) {
    return message.starts_with("invalid operands to binary expression") ||
           (message.consume_front("no viable overloaded '") && message.split('\'').first.ends_with("="));
}

std::string adviceOnConversion(llvm::ArrayRef<std::string> messages) {
    const bool isAssignment = replacesCandidates(messages.front());
    for (const std::string& message : messages) {
        const llvm::StringRef text = message;
        if (text.contains("is not contextually convertible to 'bool'") && shapeOf(firstQuoted(text))) {
            return "say how its components decide: 'all(...)' or 'any(...)'";
        }
        if (text.starts_with("assigning to '")) {
            if (std::string advice = adviceBetween(lastQuoted(text), firstQuoted(text)); !advice.empty()) return advice;
        }
        const std::size_t from = text.find(" from '");
        const std::size_t to = text.find("' to '", from == llvm::StringRef::npos ? 0 : from);
        if (from == llvm::StringRef::npos || to == llvm::StringRef::npos) continue;
        // Of a function's candidates none may be the one meant.
        const bool isCall = &message != &messages.front() && !isAssignment;
        const llvm::StringRef source = text.substr(from + 7, to - from - 7);
        const llvm::StringRef target = text.substr(to + 6, text.find('\'', to + 6) - to - 6);
        std::string advice = adviceBetween(source, target);
        if (!advice.empty() && !(isCall && !llvm::StringRef(advice).starts_with("convert"))) return advice;
    }
    return "";
}

}  // namespace metal_compiler
