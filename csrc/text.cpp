// SPDX-License-Identifier: MIT

#include "text.hpp"

#include "errors.hpp"

namespace mtlpy {

NS::String* metalString(const std::string& text) {
    const auto nul = text.find('\0');
    if (nul != std::string::npos)
        fail(ErrorKind::validation, concat("the text has a NUL character at position ", nul, "; Metal takes none"));
    NS::String* string = NS::String::string(text.c_str(), NS::UTF8StringEncoding);
    if (!string) fail(ErrorKind::validation, "the text isn't valid UTF-8");
    return string;
}

std::string pythonText(const NS::String* string) {
    const char* bytes = string ? string->utf8String() : nullptr;
    return bytes ? bytes : "";
}

std::string errorText(const NS::Error* error) {
    std::string text = error ? pythonText(error->localizedDescription()) : "";
    return text.empty() ? "unknown error" : text;
}

}  // namespace mtlpy
