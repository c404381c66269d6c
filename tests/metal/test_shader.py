# SPDX-License-Identifier: MIT
"""Making source text: the preprocessor, templates, kernels from their bodies."""

import re

import numpy as np
import pytest

import mtlpy_nb.metal as pm
from mtlpy_nb.metal import _clang
from mtlpy_nb.metal.shader import (
    COMMON_SNIPPETS,
    ShaderPreprocessor,
    ShaderTemplate,
    compute_shader_hash,
    create_compute_kernel,
)


def words(text):
    """Tokens without comments and space, in which the two preprocessors may differ."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
    return re.findall(r'"(?:\\.|[^"\\])*"|\w+|[^\w\s]', text)


@pytest.fixture(params=["clang", "python"])
def engine(request, monkeypatch):
    if request.param == "python":
        monkeypatch.setattr(_clang, "_program", lambda: "")
    elif not _clang._program():
        pytest.skip("Metal's compiler is no program here")
    return request.param


CASES = {
    "nested conditionals": (
        """
        #ifdef A
        a
        # if defined(B) && LEVEL > 1
        b
        #  ifndef C
        c
        #  else
        not_c
        #  endif
        # elif LEVEL == 1
        one
        # else
        none
        # endif
        #else
        not_a
        # ifdef A
        never
        # endif
        #endif
        """,
        {"A": "1", "LEVEL": "2", "B": ""},
        "a b c",
    ),
    "an else of an outer part that is left out": ("#if 0\n#if 1\nx\n#else\ny\n#endif\n#else\nz\n#endif\n", {}, "z"),
    "elif after a part that was taken": ("#if 1\nx\n#elif 1\ny\n#else\nz\n#endif\n", {}, "x"),
    "division that is not reached": ("#if 0 && 1 / 0 > 2\nx\n#elif 1 || 1 / 0\ny\n#endif\n", {}, "y"),
    "conditions": ("#if (3 + 4 * 2 == 11) && !defined X && (0x10 >> 2) == 4 && 'A' == 65\nyes\n#endif\n", {}, "yes"),
    "unsigned and ternary": ("#if 5u > 3 ? 1 : 0\nyes\n#endif\n", {}, "yes"),
    "Metal's own macros": ("#if defined(__METAL__) && __METAL_VERSION__ >= 300\nmetal\n#endif\n", {}, "metal"),
    "function-like": (
        "#define MAD(a, b, c) ((a) * (b) + (c))\nMAD(1, f(2, 3), MAD(4, 5, 6))",
        {},
        "((1)*(f(2,3))+(((4)*(5)+(6))))",
    ),
    "a name without its arguments": ("#define F(x) x + 1\nint F = F(2); F", {}, "int F = 2 + 1; F"),
    "arguments on several lines": ("#define F(a, b) a-b\nF(1,\n  2)", {}, "1-2"),
    "pasting and quoting": (
        '#define CAT(a, b) a##b\n#define TEXT(x) #x\nCAT(half, 4) TEXT(a  +  "b")',
        {},
        'half4 "a + \\"b\\""',
    ),
    "pasted arguments are not expanded": ("#define A 1\n#define CAT(a, b) a##b\nCAT(A, A) A", {}, "AA 1"),
    "any number of arguments": (
        "#define LOG(f, ...) log(f, ##__VA_ARGS__)\nLOG(1) LOG(1, 2, 3)",
        {},
        "log(1) log(1,2,3)",
    ),
    "no macro within itself": ("#define x x + 1\n#define a b\n#define b a\nx a", {}, "x + 1 a"),
    "redefined later": ("#define N 1\n#define M N\nM\n#undef N\n#define N 2\nM", {}, "1 2"),
    "joined lines": ("#define SUM(a, b) a + \\\n    b\nSUM(1, 2)", {}, "1 + 2"),
    "text and comments are left alone": ('// SIZE\n"SIZE" SIZE /* SIZE */', {"SIZE": "4"}, '"SIZE" 4'),
    "empty arguments": ("#define F(a, b) [a|b]\nF(,) F(1,)", {}, "[|] [1|]"),
    "a directive in a comment": ("/*\n#define N 1\n*/\nN", {}, "N"),
    "the classic of the standard": (
        "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n"
        "#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n"
        "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n    (f)^m(m);",
        {},
        "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);"
        "f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_macros_and_conditionals(engine, case):
    source, macros, expected = CASES[case]
    assert words(ShaderPreprocessor().define_many(macros).process(source)) == words(expected)


def test_clang_does_it_where_the_compiler_is():
    if not _clang._program():
        pytest.skip("Metal's compiler is no program here")
    done = _clang.preprocess("#define F(x) x + N\nF(A)", {"A": "1", "N": "2"}, [])
    assert done is not None
    assert words(done) == ["1", "+", "2"]
    assert _clang.preprocess("#error no", {}, []) is None


def test_files_include_files(engine, tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "common.metal").write_text('#pragma once\n#include "deep/inner.metal"\n#define SIZE (INNER * 2)\n')
    (tmp_path / "deep" / "inner.metal").write_text('#ifndef INNER\n#define INNER 8\n#include "sibling.metal"\n#endif\n')
    (tmp_path / "deep" / "sibling.metal").write_text("int sibling;\n")
    source = '#include <metal_stdlib>\n#include "common.metal"\n#include "common.metal"\nint size = SIZE;\n'
    text = ShaderPreprocessor([tmp_path]).process(source)
    assert words(text) == words("#include <metal_stdlib> int sibling; int size = (8 * 2);")
    assert "#include <metal_stdlib>" in text.splitlines()[0]


def test_a_file_is_searched_beside_the_one_that_includes_it(engine, tmp_path):
    (tmp_path / "a.h").write_text("int a;\n")
    (tmp_path / "main.metal").write_text('#include "a.h"\n')
    assert words(ShaderPreprocessor().process_file(tmp_path / "main.metal")) == words("int a;")
    assert words(ShaderPreprocessor().process('#include "a.h"', tmp_path / "other.metal")) == words("int a;")


def test_what_is_not_found_is_named_with_the_folders(engine, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"'no\.h'.*" + re.escape(str(tmp_path))):
        ShaderPreprocessor([tmp_path]).process('#include "no.h"')


def test_a_file_that_includes_itself_ends(engine, tmp_path):
    (tmp_path / "loop.h").write_text('#include "loop.h"\n')
    with pytest.raises(RecursionError, match="50 deep"):
        ShaderPreprocessor([tmp_path]).process('#include "loop.h"')


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("#if 1\nx", "no #endif"),
        ("#endif", "without #if"),
        ("#if (1\n#endif", "no condition"),
        ("#if 08\n#endif", "'08' is out of place"),
        ("#if ''\n#endif", "no condition"),
        ("#if 1\n#else\n#else\n#endif", "behind #else"),
        ("#error this is wrong", "this is wrong"),
        ("#define F(a) a\nF(1, 2)", "takes 1 arguments, got 2"),
        ("#include 5", "#include wants"),
    ],
)
def test_faults_are_errors(engine, source, error):
    with pytest.raises(pm.CompileError, match=error):
        ShaderPreprocessor().process(source)


def test_lines_keep_their_numbers(engine):
    source = "#define A 1\n\n#if 0\nleft out\n#endif\n  int a = A;  // as it was\n#pragma unroll\nint b;\n"
    lines = ShaderPreprocessor().process(source).splitlines()
    found = [re.sub(r"(?<=\S) +", " ", line.rstrip()) for line in lines]
    assert found[5:8] == ["  int a = 1; // as it was", "#pragma unroll", "int b;"]


def test_parts_of_the_work_can_be_left_out(tmp_path):
    (tmp_path / "a.h").write_text("int a;\n")
    source = '#include "a.h"\n#define N 3\n#ifdef N\nint n = N;\n#endif\n'
    preprocessor = ShaderPreprocessor([tmp_path])
    assert words(preprocessor.process(source, process_includes=False)) == words('#include "a.h" int n = 3;')
    assert words(preprocessor.process(source, process_defines=False)) == words("int a; #define N 3 int n = N;")
    kept = preprocessor.process(source, process_conditionals=False)
    assert words(kept) == words("int a; #ifdef N int n = 3; #endif")


def test_a_define_that_may_not_hold_stays():
    source = "#ifdef A\n#define N 1\n#else\n#define N 2\n#endif\nN"
    assert ShaderPreprocessor().process(source, process_conditionals=False) == source


def test_python_functions_as_macros():
    preprocessor = ShaderPreprocessor().define("N", "3")
    preprocessor.register_macro_function("REPEAT", lambda text: " ".join([text] * 2))
    assert words(preprocessor.process("REPEAT(f(a, b);) REPEAT(N)")) == words("f(a, b); f(a, b); 3 3")
    with pytest.raises(TypeError, match="gave a int"):
        preprocessor.register_macro_function("BAD", lambda text: 1).process("BAD()")


def test_definitions_are_chained_and_taken_back(engine):
    preprocessor = ShaderPreprocessor().define("A").define("B", "2").define("TWICE(x)", "((x) * 2)").undefine("B")
    assert words(preprocessor.process("A B TWICE(A)")) == words("1 B ((1) * 2)")


def test_included_files_are_read_once_until_the_cache_is_cleared(tmp_path, monkeypatch):
    monkeypatch.setattr(_clang, "_program", lambda: "")
    (tmp_path / "a.h").write_text("one")
    preprocessor = ShaderPreprocessor([tmp_path])
    assert "one" in preprocessor.process('#include "a.h"')
    (tmp_path / "a.h").write_text("two")
    assert "one" in preprocessor.process('#include "a.h"')
    assert "two" in preprocessor.clear_cache().process('#include "a.h"')


def test_templates():
    template = ShaderTemplate("kernel void {name}() {{ {body} }}").set_defaults({"body": ";"})
    assert template.render(name="f") == "kernel void f() { ; }"
    assert template.render(name="f", body="return;") == "kernel void f() { return; }"
    assert template.set_default("name", "N").render_with_preprocessor(
        ShaderPreprocessor().define("N", "g")
    ).strip() == ("kernel void g() { ; }")
    with pytest.raises(pm.ValidationError, match="no value for name"):
        ShaderTemplate("{name}").render()
    with pytest.raises(pm.ValidationError, match="names no value"):
        ShaderTemplate("void f() { return; }")


def test_hashes_tell_sources_apart():
    assert compute_shader_hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert compute_shader_hash("a") != compute_shader_hash("b")


def test_a_kernel_around_a_body_runs(device, queue, filled):
    source = create_compute_kernel(
        "vector_add",
        "c[idx] = a[idx] + b[idx];",
        [("a", "float", "read"), ("b", "float", "read"), ("c", "float", "write")],
    )
    pipeline = device.new_compute_pipeline_state(device.new_library_with_source(source).new_function("vector_add"))
    a, b = np.arange(4, dtype=np.float32), np.full(4, 2, np.float32)
    result = device.new_buffer(16)
    commands = queue.command_buffer()
    with commands.compute_command_encoder() as encoder:
        encoder.set_compute_pipeline_state(pipeline)
        for index, buffer in enumerate((filled(a), filled(b), result)):
            encoder.set_buffer(buffer, 0, index)
        encoder.dispatch_threads(4, 1, 1, 4, 1, 1)
    commands.commit()
    commands.wait_until_completed()
    assert np.array_equal(np.frombuffer(result.contents(), np.float32), a + b)


def test_a_kernel_may_have_no_index_and_no_header():
    source = create_compute_kernel("f", "x[0] = 1;", [("x", "int", "readwrite")], False, False)
    assert words(source) == words("kernel void f(device int* x [[buffer(0)]]) { x[0] = 1; }")


@pytest.mark.parametrize(
    ("buffers", "error"), [([("a", "int", "rw")], "must be read, write"), ([("a", "int")], "must be")]
)
def test_a_kernel_of_bad_buffers_is_refused(buffers, error):
    with pytest.raises(pm.ValidationError, match=error):
        create_compute_kernel("f", "", buffers)


def test_snippets_compile(device):
    names = ("metal_stdlib", "float_constants", "int_constants")
    source = "".join(COMMON_SNIPPETS[name] for name in names)
    source += "kernel void f(device float* x) { x[0] = sin(PI) + TAU + E + SQRT2; x[1] = INT_MAX_VALUE; }"
    assert device.new_library_with_source(source).function_names == ["f"]
