// SPDX-License-Identifier: MIT

#include "error.hpp"

#include <cstdio>
#include <sstream>

#include "../MetalPortable/MetalPortable.hpp"

namespace metal_objects {

namespace {

class ErrorObject final : public Implements<NS::Error> {
public:
    NS::SharedPtr<NS::String> domain;
    NS::Integer code = 0;
    NS::SharedPtr<NS::Dictionary> userInfo;

    template <class Class>
    Class* entry(NS::ErrorUserInfoKey key) const {
        return userInfo ? userInfo->object<Class>(key) : nullptr;
    }

private:
    NS::String* describe() const override {
        std::ostringstream text;
        text << "Error Domain=" << view(domain.get()) << " Code=" << code << " \"" << view(localizedDescription())
             << '"';
        return autoreleasedString(text.str());
    }
};

thread_local MTL::Portable::ValidationHandler validationHandler;

}  // namespace

NS::Error* makeError(const char* domain, NS::Integer code, const std::string& description) {
    auto text = NS::TransferPtr(makeString(description));
    return NS::Error::error(NS::constantString(domain), code,
                            NS::Dictionary::dictionary(text.get(), NS::LocalizedDescriptionKey));
}

void tellMistake(const std::string& message) {
    if (validationHandler) validationHandler(message.c_str());
}

void reportMistake(const std::string& message) {
    if (validationHandler) return validationHandler(message.c_str());
    std::fprintf(stderr, "Metal API validation: %s\n", message.c_str());
}

}  // namespace metal_objects

MTL::Portable::ValidationHandler MTL::Portable::setValidationHandler(ValidationHandler handler) {
    return std::exchange(metal_objects::validationHandler, std::move(handler));
}

using metal_objects::as;
using metal_objects::ErrorObject;

namespace NS {

const ErrorDomain CocoaErrorDomain = constantString("NSCocoaErrorDomain");
const ErrorDomain POSIXErrorDomain = constantString("NSPOSIXErrorDomain");
const ErrorDomain OSStatusErrorDomain = constantString("NSOSStatusErrorDomain");
const ErrorDomain MachErrorDomain = constantString("NSMachErrorDomain");

const ErrorUserInfoKey UnderlyingErrorKey = constantString("NSUnderlyingError");
const ErrorUserInfoKey LocalizedDescriptionKey = constantString("NSLocalizedDescription");
const ErrorUserInfoKey LocalizedFailureReasonErrorKey = constantString("NSLocalizedFailureReason");
const ErrorUserInfoKey LocalizedRecoverySuggestionErrorKey = constantString("NSLocalizedRecoverySuggestion");
const ErrorUserInfoKey LocalizedRecoveryOptionsErrorKey = constantString("NSLocalizedRecoveryOptions");
const ErrorUserInfoKey RecoveryAttempterErrorKey = constantString("NSRecoveryAttempter");
const ErrorUserInfoKey HelpAnchorErrorKey = constantString("NSHelpAnchor");
const ErrorUserInfoKey DebugDescriptionErrorKey = constantString("NSDebugDescription");
const ErrorUserInfoKey LocalizedFailureErrorKey = constantString("NSLocalizedFailure");
const ErrorUserInfoKey StringEncodingErrorKey = constantString("NSStringEncoding");
const ErrorUserInfoKey URLErrorKey = constantString("NSURL");
const ErrorUserInfoKey FilePathErrorKey = constantString("NSFilePath");

Error* Error::error(ErrorDomain domain, Integer code, Dictionary* pDictionary) {
    return alloc()->init(domain, code, pDictionary)->autorelease();
}

Error* Error::alloc() {
    return new ErrorObject;
}

Error* Error::init() {
    return this;
}

Error* Error::init(ErrorDomain domain, Integer code, Dictionary* pDictionary) {
    auto* error = as<ErrorObject>(this);
    error->domain = RetainPtr(domain);
    error->code = code;
    error->userInfo = RetainPtr(pDictionary);
    return this;
}

Integer Error::code() const {
    return as<ErrorObject>(this)->code;
}

ErrorDomain Error::domain() const {
    return as<ErrorObject>(this)->domain.get();
}

Dictionary* Error::userInfo() const {
    const auto& info = as<ErrorObject>(this)->userInfo;
    return info ? info.get() : Dictionary::dictionary();
}

String* Error::localizedDescription() const {
    if (auto* text = as<ErrorObject>(this)->entry<String>(LocalizedDescriptionKey)) return text;
    std::ostringstream text;
    text << "The operation couldn't be completed. (" << metal_objects::view(domain()) << " error " << code() << ".)";
    return metal_objects::autoreleasedString(text.str());
}

Array* Error::localizedRecoveryOptions() const {
    return as<ErrorObject>(this)->entry<Array>(LocalizedRecoveryOptionsErrorKey);
}

String* Error::localizedRecoverySuggestion() const {
    return as<ErrorObject>(this)->entry<String>(LocalizedRecoverySuggestionErrorKey);
}

String* Error::localizedFailureReason() const {
    return as<ErrorObject>(this)->entry<String>(LocalizedFailureReasonErrorKey);
}

}  // namespace NS
