# SPDX-License-Identifier: MIT
"""#include of texts and files before the compiler sees the source."""

import pytest

from mtlpy_nb import CompileError, ValidationError
from mtlpy_nb._includes import resolve_includes


def test_texts_are_put_in_once_with_line_marks():
    headers = {"a.h": '#pragma once\n#include "b.h"\nint a;\n', "b.h": "#pragma once\nint b;"}
    text = resolve_includes('#include "a.h"\n#include "b.h"\nint c;\n', headers)
    assert [line for line in text.splitlines() if line.startswith("int")] == ["int b;", "int a;", "int c;"]
    assert text.splitlines()[-2:] == ['#line 3 "program_source"', "int c;"]


def test_texts_without_a_guard_are_put_in_each_time():
    text = resolve_includes('#include "a.h"\n#include "a.h"', {"a.h": "int a;"})
    assert text.count("int a;") == 2


def test_imports_are_put_in_once():
    text = resolve_includes('#import "a.h"\n#import "a.h"\n# import <a.h>\nint b;', {"a.h": "int a;"})
    assert text.count("int a;") == 1
    assert text.splitlines()[-1] == "int b;"


@pytest.mark.parametrize("guard", ["#pragma once\n", "// About.\n#ifndef A_H\n#define A_H\n"])
def test_circle_with_guards_ends(guard):
    text = resolve_includes('#include "a.h"', {"a.h": guard + '#include "b.h"', "b.h": '#include "a.h"\nint b;'})
    assert text.count("int b;") == 1


def test_circle_without_guards_is_an_error():
    with pytest.raises(CompileError, match=r"files include each other: a.h -> b.h -> a.h"):
        resolve_includes('#include "a.h"', {"a.h": '#include "b.h"', "b.h": '#include "a.h"\nint b;'})


def test_what_is_not_found_is_left_to_the_compiler():
    source = '#include <metal_stdlib>\n#include "missing.h"\n'
    assert resolve_includes(source, {"other.h": ""}) == source


def test_folders_and_files_beside_the_including_one(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.h").write_text('#include "beside.h"\n')
    (tmp_path / "deep" / "beside.h").write_text("int beside;")
    assert "int beside;" in resolve_includes('#include "deep/a.h"', [tmp_path])


def test_texts_and_folders_together(tmp_path):
    (tmp_path / "a.h").write_text('#include "b.h"\nint of_the_folder;')
    text = resolve_includes('#include "a.h"', [tmp_path, {"b.h": "int of_the_dict;"}])
    assert text.index("of_the_dict") < text.index("of_the_folder")
    assert "of_the_dict" in resolve_includes("#include <a.h>", [{"a.h": "int of_the_dict;"}, tmp_path])


@pytest.mark.parametrize("name", ["a\0b.h", "x" * 5000, "folder"])
def test_a_name_that_is_no_file_is_left_to_the_compiler(tmp_path, name):
    (tmp_path / "folder").mkdir()
    assert name in resolve_includes(f'#include "{name}"', [tmp_path])


def test_one_path_is_refused():
    with pytest.raises(ValidationError, match="expected a list of folders"):
        resolve_includes("", "folder")


def test_error_in_a_header_names_its_line(device):
    with pytest.raises(CompileError) as caught:
        device.library(
            '#include "a.h"\nkernel void f() {}\n', includes={"a.h": "int ok();\nint bad() { return oops; }\n"}
        )
    (error,) = [d for d in caught.value.diagnostics if d.severity == "error"]
    assert (error.file, error.line) == ("a.h", 2)
