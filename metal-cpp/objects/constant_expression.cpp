// SPDX-License-Identifier: MIT

#include "constant_expression.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "../Metal/MTLDataType.hpp"

namespace metal_objects {

namespace {

using Operation = protocol::ConstantOperation;

bool isFraction(std::uint32_t type) {
    return type == MTL::DataTypeFloat || type == MTL::DataTypeHalf || type == MTL::DataTypeBFloat;
}

/// Bits of an integer type; negative for signed ones.
int widthOf(std::uint32_t type) {
    switch (static_cast<MTL::DataType>(type)) {
        case MTL::DataTypeChar:
            return -8;
        case MTL::DataTypeUChar:
            return 8;
        case MTL::DataTypeShort:
            return -16;
        case MTL::DataTypeUShort:
            return 16;
        case MTL::DataTypeInt:
            return -32;
        case MTL::DataTypeUInt:
            return 32;
        case MTL::DataTypeLong:
            return -64;
        default:
            return 64;
    }
}

/// An integer is `bits`, extended from its own width; a fraction is `fraction`.
struct Value {
    bool isFraction = false;
    std::uint64_t bits = 0;
    double fraction = 0;
};

Value ofInteger(std::uint64_t bits, std::uint32_t type) {
    if (type == MTL::DataTypeBool) return {false, bits != 0, 0};
    const int width = widthOf(type), unused = 64 - std::abs(width);
    if (unused == 0) return {false, bits, 0};
    const std::uint64_t high = bits << unused;
    return {false, width < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(high) >> unused) : high >> unused,
            0};
}

bool isSigned(std::uint32_t type) {
    return type != MTL::DataTypeBool && widthOf(type) < 0;
}

Value convert(const Value& value, std::uint32_t to, bool fromSigned) {
    if (isFraction(to)) {
        const double number = value.isFraction ? value.fraction
                              : fromSigned     ? static_cast<double>(static_cast<std::int64_t>(value.bits))
                                               : static_cast<double>(value.bits);
        return {true, 0, to == MTL::DataTypeFloat ? static_cast<double>(static_cast<float>(number)) : number};
    }
    if (!value.isFraction) return ofInteger(value.bits, to);
    if (to == MTL::DataTypeBool) return {false, value.fraction != 0, 0};
    // As the language converts: towards zero, and no further than the type goes.
    const int width = widthOf(to);
    const double most = std::ldexp(1.0, std::abs(width) - (width < 0 ? 1 : 0)), least = width < 0 ? -most : 0;
    if (std::isnan(value.fraction) || value.fraction <= least)
        return ofInteger(std::isnan(value.fraction) ? 0 : width < 0 ? 1ULL << (std::abs(width) - 1) : 0, to);
    if (value.fraction >= most) return ofInteger((width < 0 ? 1ULL << (std::abs(width) - 1) : 0) - 1, to);
    return ofInteger(width < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value.fraction))
                               : static_cast<std::uint64_t>(value.fraction),
                     to);
}

float ofHalf(std::uint16_t half) {
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const double size = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                        : exponent == 0 ? std::ldexp(fraction, -24)
                                        : std::ldexp(1024 + fraction, exponent - 25);
    return static_cast<float>(half & 0x8000 ? -size : size);
}

Value ofBytes(const wire::Bytes& bytes, std::uint32_t type) {
    std::uint64_t bits = 0;
    const std::size_t size = isFraction(type)            ? (type == MTL::DataTypeFloat ? 4 : 2)
                             : type == MTL::DataTypeBool ? 1
                                                         : static_cast<std::size_t>(std::abs(widthOf(type)) / 8);
    std::memcpy(&bits, bytes.data(), std::min(size, bytes.size()));
    if (!isFraction(type)) return ofInteger(bits, type);
    const auto small = static_cast<std::uint32_t>(bits);
    const float number = type == MTL::DataTypeFloat  ? std::bit_cast<float>(small)
                         : type == MTL::DataTypeHalf ? ofHalf(static_cast<std::uint16_t>(small))
                                                     : std::bit_cast<float>(small << 16);
    return {true, 0, number};
}

template <class T>
bool compare(Operation operation, T a, T b) {
    switch (operation) {
        case Operation::equal:
            return a == b;
        case Operation::notEqual:
            return a != b;
        case Operation::less:
            return a < b;
        case Operation::lessOrEqual:
            return a <= b;
        case Operation::greater:
            return a > b;
        default:
            return a >= b;
    }
}

Value ofFractions(Operation operation, double a, double b, std::uint32_t type) {
    double result = 0;
    switch (operation) {
        case Operation::add:
            result = a + b;
            break;
        case Operation::subtract:
            result = a - b;
            break;
        case Operation::multiply:
            result = a * b;
            break;
        case Operation::divide:
            result = a / b;
            break;
        default:
            return {false, compare(operation, a, b), 0};
    }
    return convert({true, 0, result}, type, false);
}

/// Division by zero is one by one, as in compiled code.
std::uint64_t quotient(Operation operation, std::uint64_t a, std::uint64_t b, std::uint32_t type) {
    const bool isQuotient = operation == Operation::divide;
    if (b == 0) return isQuotient ? a : 0;
    if (!isSigned(type)) return isQuotient ? a / b : a % b;
    const auto left = static_cast<std::int64_t>(a), right = static_cast<std::int64_t>(b);
    if (right == -1) return isQuotient ? 0 - a : 0;
    return static_cast<std::uint64_t>(isQuotient ? left / right : left % right);
}

Value ofIntegers(Operation operation, std::uint64_t a, std::uint64_t b, std::uint32_t type) {
    const auto shift = static_cast<int>(b) & (std::abs(widthOf(type)) - 1);
    switch (operation) {
        case Operation::add:
            return ofInteger(a + b, type);
        case Operation::subtract:
            return ofInteger(a - b, type);
        case Operation::multiply:
            return ofInteger(a * b, type);
        case Operation::divide:
        case Operation::remainder:
            return ofInteger(quotient(operation, a, b, type), type);
        case Operation::shiftLeft:
            return ofInteger(a << shift, type);
        case Operation::shiftRight:
            return ofInteger(
                isSigned(type) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(a) >> shift) : a >> shift, type);
        case Operation::bitAnd:
            return ofInteger(a & b, type);
        case Operation::bitOr:
            return ofInteger(a | b, type);
        case Operation::bitXor:
            return ofInteger(a ^ b, type);
        case Operation::logicalAnd:
            return {false, a != 0 && b != 0, 0};
        case Operation::logicalOr:
            return {false, a != 0 || b != 0, 0};
        default:
            return {false,
                    isSigned(type) ? compare(operation, static_cast<std::int64_t>(a), static_cast<std::int64_t>(b))
                                   : compare(operation, a, b),
                    0};
    }
}

class Machine {
public:
    explicit Machine(const std::vector<protocol::ConstantValue>& constants) : constants_(constants) {}

    void run(const protocol::ConstantStep& step) {
        switch (step.operation) {
            case Operation::number:
                push(isFraction(step.type) ? Value{true, 0, std::bit_cast<double>(step.value)}
                                           : ofInteger(step.value, step.type),
                     step.type);
                break;
            case Operation::constant: {
                const auto* found = find(step.value);
                push(found != nullptr ? ofBytes(found->bytes, step.type) : convert({}, step.type, false), step.type);
                break;
            }
            case Operation::isDefined:
                push({false, find(step.value) != nullptr, 0}, step.type);
                break;
            case Operation::convert: {
                const Entry from = pop();
                push(convert(from.value, step.type, isSigned(from.type)), step.type);
                break;
            }
            case Operation::negate:
            case Operation::complement:
            case Operation::logicalNot: {
                const Value value = pop().value;
                const bool isZero = value.isFraction ? value.fraction == 0 : value.bits == 0;
                if (step.operation == Operation::logicalNot) {
                    push({false, isZero, 0}, MTL::DataTypeBool);
                } else if (value.isFraction) {
                    push({true, 0, -value.fraction}, step.type);
                } else {
                    push(ofInteger(step.operation == Operation::negate ? 0 - value.bits : ~value.bits, step.type),
                         step.type);
                }
                break;
            }
            case Operation::select: {
                const Entry no = pop(), yes = pop();
                const Value condition = pop().value;
                const bool holds = condition.isFraction ? condition.fraction != 0 : condition.bits != 0;
                stack_.push_back(holds ? yes : no);
                break;
            }
            default: {
                const Value right = pop().value, left = pop().value;
                const bool keepsType = step.operation < Operation::equal;
                push(left.isFraction ? ofFractions(step.operation, left.fraction, right.fraction, step.type)
                                     : ofIntegers(step.operation, left.bits, right.bits, step.type),
                     keepsType ? step.type : static_cast<std::uint32_t>(MTL::DataTypeBool));
            }
        }
    }

    std::int64_t result() {
        const Value value = pop().value;
        return static_cast<std::int64_t>(value.isFraction ? convert(value, MTL::DataTypeLong, false).bits : value.bits);
    }

private:
    struct Entry {
        Value value;
        std::uint32_t type = 0;
    };

    void push(Value value, std::uint32_t type) { stack_.push_back({value, type}); }
    Entry pop() {
        if (stack_.empty()) return {};
        const Entry top = stack_.back();
        stack_.pop_back();
        return top;
    }
    const protocol::ConstantValue* find(std::uint64_t index) const {
        const auto found = std::find_if(constants_.begin(), constants_.end(),
                                        [&](const protocol::ConstantValue& value) { return value.index == index; });
        return found != constants_.end() ? &*found : nullptr;
    }

    const std::vector<protocol::ConstantValue>& constants_;
    std::vector<Entry> stack_;
};

}  // namespace

std::int64_t valueOf(const protocol::ConstantExpression& expression,
                     const std::vector<protocol::ConstantValue>& constants) {
    Machine machine(constants);
    for (const protocol::ConstantStep& step : expression.steps) machine.run(step);
    return machine.result();
}

}  // namespace metal_objects
