// SPDX-License-Identifier: MIT

#include "bytes.hpp"

#include "errors.hpp"

namespace mtlpy {

ByteView::ByteView(BytesLike source, Access access, const char* where, const char* name) {
    const int flags = access == Access::write ? PyBUF_WRITABLE : PyBUF_SIMPLE;
    if (PyObject_GetBuffer(source.object.ptr(), &view_, flags) == 0) return;
    nb::python_error reason;
    fail(ErrorKind::validation,
         concat(where, ": ", name, " must be C-contiguous", access == Access::write ? " and writable" : "", ": ",
                nb::str(reason.value()).c_str()));
}

ByteView::~ByteView() {
    PyBuffer_Release(&view_);
}

}  // namespace mtlpy
