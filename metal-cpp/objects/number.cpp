// SPDX-License-Identifier: MIT

#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "runtime.hpp"

namespace metal_objects {

namespace {

/// What Value's methods need of an object, be it made as a Value or as a Number.
class Bytes {
public:
    virtual ~Bytes() = default;
    virtual std::string_view bytes() const = 0;
    virtual const char* type() const = 0;
};

/// Size of the C type with this code; zero for those that have none here (structs, arrays, ...).
std::size_t sizeOfType(std::string_view type) {
    if (type.empty()) return 0;
    switch (type[0]) {
        case 'c':
        case 'C':
        case 'B':
            return 1;
        case 's':
        case 'S':
            return 2;
        case 'i':
        case 'I':
        case 'f':
            return 4;
        case 'l':
        case 'L':
        case 'q':
        case 'Q':
        case 'd':
        case '^':
        case '*':
        case '@':
            return 8;
        default:
            return 0;
    }
}

bool sameValue(const Bytes& a, const Bytes* b) {
    return b != nullptr && a.bytes() == b->bytes() && std::strcmp(a.type(), b->type()) == 0;
}

class ValueObject final : public Implements<NS::Value>, public Bytes {
public:
    void set(const void* value, const char* type) {
        type_ = type;
        bytes_.assign(static_cast<const char*>(value), sizeOfType(type_));
    }
    std::string_view bytes() const override { return bytes_; }
    const char* type() const override { return type_.c_str(); }

private:
    NS::UInteger hashValue() const override { return std::hash<std::string>{}(bytes_); }
    bool equals(const NS::Object* other) const override { return sameValue(*this, dynamic_cast<const Bytes*>(other)); }

    std::string type_ = "^v";
    std::string bytes_ = std::string(sizeof(void*), '\0');
};

using Scalar = std::variant<bool, char, unsigned char, short, unsigned short, int, unsigned int, long, unsigned long,
                            long long, unsigned long long, float, double>;

// In the order of Scalar.
constexpr const char* typeCodes[] = {"B", "c", "C", "s", "S", "i", "I", "l", "L", "q", "Q", "f", "d"};

class NumberObject final : public Implements<NS::Number>, public Bytes {
public:
    Scalar value = 0;

    std::string_view bytes() const override {
        return std::visit([](const auto& v) { return std::string_view(reinterpret_cast<const char*>(&v), sizeof v); },
                          value);
    }
    const char* type() const override { return typeCodes[value.index()]; }

    template <class T>
    T to() const {
        return std::visit([](auto v) { return convert<T>(v); }, value);
    }

    /// Exact for any two numbers, whatever their types.
    int compare(const NumberObject& other) const {
        return std::visit([](auto a, auto b) { return compareScalars(a, b); }, value, other.value);
    }

    std::string text() const {
        return std::visit(
            [](auto v) -> std::string {
                if constexpr (std::is_floating_point_v<decltype(v)>) {
                    char text[40];
                    std::snprintf(text, sizeof text, sizeof v == 4 ? "%.9g" : "%.17g", static_cast<double>(v));
                    return shortest(v, text);
                } else {
                    return std::to_string(v);
                }
            },
            value);
    }

private:
    template <class T, class V>
    static T convert(V v) {
        if constexpr (std::is_floating_point_v<V> && std::is_integral_v<T> && !std::is_same_v<T, bool>) {
            // Out of range would be undefined in C++: through 64 bits, saturated.
            if (!(v > -9.2233720368547758e18)) return std::isnan(v) ? T(0) : static_cast<T>(INT64_MIN);
            if (v >= 1.8446744073709552e19) return static_cast<T>(UINT64_MAX);
            return v < 0 ? static_cast<T>(static_cast<std::int64_t>(v)) : static_cast<T>(static_cast<std::uint64_t>(v));
        } else {
            return static_cast<T>(v);
        }
    }

    template <class A, class B>
    static int compareScalars(A a, B b) {
        using Wide = long double;  // holds every 64-bit integer and every double
        const Wide wideA = static_cast<Wide>(a);
        const Wide wideB = static_cast<Wide>(b);
        return wideA < wideB ? -1 : wideA > wideB ? 1 : 0;
    }

    /// The shortest of the texts that read back as `v`.
    template <class V>
    static std::string shortest(V v, const char* longest) {
        char text[40];
        for (int digits = 1; digits < 17; ++digits) {
            std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(v));
            if (static_cast<V>(std::strtod(text, nullptr)) == v) return text;
        }
        return longest;
    }

    NS::UInteger hashValue() const override { return std::hash<double>{}(to<double>()); }
    bool equals(const NS::Object* other) const override {
        const auto* number = dynamic_cast<const NumberObject*>(other);
        return number != nullptr && compare(*number) == 0;
    }
    NS::String* describe() const override { return autoreleasedString(text()); }
};

template <class T>
NS::Number* filled(NS::Number* number, T value) {
    as<NumberObject>(number)->value = value;
    return number;
}

template <class T>
NS::Number* makeNumber(T value) {
    return filled(new NumberObject, value)->autorelease();
}

}  // namespace

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::Bytes;
using metal_objects::NumberObject;
using metal_objects::part;
using metal_objects::ValueObject;

namespace NS {

Value* Value::value(const void* pValue, const char* pType) {
    return alloc()->init(pValue, pType)->autorelease();
}

Value* Value::value(const void* pPointer) {
    return value(&pPointer, "^v");
}

Value* Value::alloc() {
    return new ValueObject;
}

Value* Value::init(const void* pValue, const char* pType) {
    as<ValueObject>(this)->set(pValue, pType);
    return this;
}

void Value::getValue(void* pValue, UInteger size) const {
    const std::string_view bytes = part<Bytes>(this)->bytes();
    if (bytes.size() == size) std::memcpy(pValue, bytes.data(), size);
}

const char* Value::objCType() const {
    return part<Bytes>(this)->type();
}

bool Value::isEqualToValue(Value* pValue) const {
    return isEqual(pValue);
}

void* Value::pointerValue() const {
    void* pointer = nullptr;
    getValue(&pointer, sizeof pointer);
    return pointer;
}

Number* Number::alloc() {
    return new NumberObject;
}

Number* Number::number(char value) {
    return metal_objects::makeNumber(value);
}
Number* Number::number(unsigned char value) {
    return metal_objects::makeNumber(value);
}
Number* Number::number(short value) {
    return metal_objects::makeNumber(value);
}
Number* Number::number(unsigned short value) {
    return metal_objects::makeNumber(value);
}
Number* Number::number(int value) {
    return metal_objects::makeNumber(value);
}
Number* Number::number(unsigned int value) {
    return metal_objects::makeNumber(value);
}
Number* Number::number(long value) {
    return metal_objects::makeNumber(value);
}
Number* Number::number(unsigned long value) {
    return metal_objects::makeNumber(value);
}
Number* Number::number(long long value) {
    return metal_objects::makeNumber(value);
}
Number* Number::number(unsigned long long value) {
    return metal_objects::makeNumber(value);
}
Number* Number::number(float value) {
    return metal_objects::makeNumber(value);
}
Number* Number::number(double value) {
    return metal_objects::makeNumber(value);
}
Number* Number::number(bool value) {
    return metal_objects::makeNumber(value);
}

Number* Number::init(char value) {
    return metal_objects::filled(this, value);
}
Number* Number::init(unsigned char value) {
    return metal_objects::filled(this, value);
}
Number* Number::init(short value) {
    return metal_objects::filled(this, value);
}
Number* Number::init(unsigned short value) {
    return metal_objects::filled(this, value);
}
Number* Number::init(int value) {
    return metal_objects::filled(this, value);
}
Number* Number::init(unsigned int value) {
    return metal_objects::filled(this, value);
}
Number* Number::init(long value) {
    return metal_objects::filled(this, value);
}
Number* Number::init(unsigned long value) {
    return metal_objects::filled(this, value);
}
Number* Number::init(long long value) {
    return metal_objects::filled(this, value);
}
Number* Number::init(unsigned long long value) {
    return metal_objects::filled(this, value);
}
Number* Number::init(float value) {
    return metal_objects::filled(this, value);
}
Number* Number::init(double value) {
    return metal_objects::filled(this, value);
}
Number* Number::init(bool value) {
    return metal_objects::filled(this, value);
}

char Number::charValue() const {
    return as<NumberObject>(this)->to<char>();
}
unsigned char Number::unsignedCharValue() const {
    return as<NumberObject>(this)->to<unsigned char>();
}
short Number::shortValue() const {
    return as<NumberObject>(this)->to<short>();
}
unsigned short Number::unsignedShortValue() const {
    return as<NumberObject>(this)->to<unsigned short>();
}
int Number::intValue() const {
    return as<NumberObject>(this)->to<int>();
}
unsigned int Number::unsignedIntValue() const {
    return as<NumberObject>(this)->to<unsigned int>();
}
long Number::longValue() const {
    return as<NumberObject>(this)->to<long>();
}
unsigned long Number::unsignedLongValue() const {
    return as<NumberObject>(this)->to<unsigned long>();
}
long long Number::longLongValue() const {
    return as<NumberObject>(this)->to<long long>();
}
unsigned long long Number::unsignedLongLongValue() const {
    return as<NumberObject>(this)->to<unsigned long long>();
}
float Number::floatValue() const {
    return as<NumberObject>(this)->to<float>();
}
double Number::doubleValue() const {
    return as<NumberObject>(this)->to<double>();
}
bool Number::boolValue() const {
    return as<NumberObject>(this)->to<bool>();
}
Integer Number::integerValue() const {
    return as<NumberObject>(this)->to<Integer>();
}
UInteger Number::unsignedIntegerValue() const {
    return as<NumberObject>(this)->to<UInteger>();
}

String* Number::stringValue() const {
    return description();
}

ComparisonResult Number::compare(const Number* pOtherNumber) const {
    return static_cast<ComparisonResult>(as<NumberObject>(this)->compare(*as<NumberObject>(pOtherNumber)));
}

bool Number::isEqualToNumber(const Number* pNumber) const {
    return isEqual(pNumber);
}

}  // namespace NS
