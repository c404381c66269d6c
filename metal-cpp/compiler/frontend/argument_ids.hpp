// SPDX-License-Identifier: MIT
//
// [[id(n)]] of an argument buffer's members: each index is one member's, and they increase. A member that says none has
// the next one; arrays and structs have one for each element and member.

#pragma once

#include "frontend/rule_report.hpp"

namespace clang {
class CXXRecordDecl;
}  // namespace clang

namespace metal_compiler {

void checkArgumentIds(const clang::CXXRecordDecl* record, RuleReport& report);

}  // namespace metal_compiler
