# SPDX-License-Identifier: MIT
"""Cells that run again, headers that change, names that go: old code never runs unknown."""

import numpy as np
import pytest

SCALE = "kernel void {name}(device float* x, uint i [[thread_position_in_grid]]) {{ x[i] *= {by}; }}"
ONES = "np.ones(2, np.float32)"


def scale(name: str, by: object) -> str:
    return SCALE.format(name=name, by=by)


@pytest.fixture
def run_as(notebook):
    """Runs a cell as the front end does that says which cell it is."""

    def run(place: str, text: str) -> str:
        from IPython.utils.capture import capture_output

        with capture_output() as shown:
            notebook.shell.run_cell(text, cell_id=place)
        return shown.stdout + shown.stderr

    return run


def test_a_kernel_that_its_cell_defines_no_more_is_gone(notebook, run_as):
    run_as("first", f"%%metal -o lib\n{scale('a', 2)}\n{scale('b', 3)}")
    assert "Warning: b is gone" in run_as("first", f"%%metal\n{scale('a', 4)}")
    assert "b" not in notebook.shell.user_ns
    assert "lib" not in notebook.shell.user_ns
    assert notebook.run(f"a({ONES})").tolist() == [4, 4]


def test_a_kernel_that_moved_to_another_cell_stays(notebook, run_as):
    run_as("first", f"%%metal\n{scale('a', 2)}\n{scale('b', 3)}")
    run_as("second", f"%%metal\n{scale('b', 5)}")
    assert "gone" not in run_as("first", f"%%metal\n{scale('a', 2)}")
    assert notebook.run(f"b({ONES})").tolist() == [5, 5]


def test_what_a_person_gave_a_gone_name_stays(notebook, run_as):
    run_as("first", f"%%metal\n{scale('a', 2)}\n{scale('b', 3)}")
    notebook.run("b = 'mine'")
    assert "gone" not in run_as("first", f"%%metal\n{scale('a', 2)}")
    assert notebook.run("b") == "mine"


def test_a_cell_that_fails_takes_nothing_away(notebook, run_as):
    run_as("first", f"%%metal\n{scale('a', 2)}\n{scale('b', 3)}")
    run_as("first", f"%%metal\n{scale('a', 'oops')}")
    assert notebook.run(f"b({ONES})").tolist() == [3, 3]


def test_one_python_cell_may_define_kernels_by_and_by(notebook, run_as):
    calls = [f"get_ipython().run_cell_magic('metal', '', {scale(name, 2)!r})" for name in "ab"]
    run_as("first", "\n".join(calls))
    assert {"a", "b"} <= set(notebook.shell.user_ns)


def test_without_a_front_end_s_word_names_stay(notebook):
    notebook.run(f"%%metal\n{scale('a', 2)}\n{scale('b', 3)}")
    notebook.run(f"%%metal\n{scale('a', 2)}")
    assert notebook.run(f"b({ONES})").tolist() == [3, 3]


def test_of_two_cells_with_one_name_the_last_counts(notebook):
    notebook.run("%%metal --header f.h\n#define F 2")
    notebook.run(f'%%metal\n#include "f.h"\n{scale("a", "F")}\n{scale("b", "F")}')
    notebook.run(f"%%metal\n{scale('a', 7)}")
    assert notebook.run(f"a({ONES})").tolist() == [7, 7]
    assert "compiled again: b\n" in notebook.see("%%metal --header f.h\n#define F 3"), "not the a of the first cell"
    assert notebook.run(f"a({ONES})").tolist() == [7, 7]
    assert notebook.run(f"b({ONES})").tolist() == [3, 3]


@pytest.mark.parametrize(
    "include", ['#include "f.h"', "#include <f.h>", '#include "outer.h"', '  #  include "f.h" // factor']
)
def test_every_way_to_include_a_header_is_seen(notebook, include):
    notebook.run('%%metal --header outer.h\n#include "f.h"')
    notebook.run("%%metal --header f.h\n#define F 2")
    notebook.run(f"%%metal -o lib\n{include}\n{scale('a', 'F')}")
    assert "compiled again: a\n" in notebook.see("%%metal --header f.h\n#define F 3")
    assert notebook.run(f"a({ONES})").tolist() == [3, 3]
    assert notebook.run(f"lib['a']({ONES})").tolist() == [3, 3]


def test_a_header_of_a_folder_may_include_one_of_a_cell(notebook, tmp_path):
    (tmp_path / "outer.h").write_text('#include "f.h"\n')
    notebook.run("%%metal --header f.h\n#define F 2")
    notebook.run(f'%%metal -I {tmp_path}\n#include "outer.h"\n{scale("a", "F")}')
    assert notebook.run(f"a({ONES})").tolist() == [2, 2]
    assert "compiled again: a\n" in notebook.see("%%metal --header f.h\n#define F 3")
    assert notebook.run(f"a({ONES})").tolist() == [3, 3]


def test_a_header_that_is_the_same_compiles_nothing(notebook):
    notebook.run("%%metal --header f.h\n#define F 2")
    notebook.run(f'%%metal\n#include "f.h"\n{scale("a", "F")}')
    assert notebook.see("%%metal --header f.h\n#define F 2") == ""


def test_options_and_constants_hold_when_a_header_changes(notebook):
    notebook.run("%%metal --header f.h\n#define F N * M")
    source = f'#include "f.h"\nconstant int M [[function_constant(0)]];\n{scale("a", "F")}'
    notebook.run(f"%%metal -D N=3 --const M=5\n{source}")
    notebook.run("%%metal --header f.h\n#define F N * M + 1")
    assert notebook.run(f"a({ONES})").tolist() == [16, 16]


def test_a_header_that_breaks_a_cell_stops_its_old_code(notebook):
    notebook.run("%%metal --header f.h\nfloat f() { return 2; }")
    notebook.run(f'%%metal -o lib\n#include "f.h"\n{scale("a", "f()")}')
    notebook.run(f'%%metal\n#include "f.h"\n{scale("b", 5)}')
    seen = notebook.see("%%metal --header f.h\nfloat f(float x) { return 2 * x; }")
    assert "no longer compiling with f.h, and not to be called until mended: a\n" in seen
    assert "compiled again: b\n" in seen
    assert "no matching function for call to 'f'" in seen
    for call in (f"a({ONES})", "lib['a']", "a.time()", "lib.a"):
        assert "does not compile with the changed f.h; mend its cell or the header" in notebook.see(call)
    assert "does not compile" in repr(notebook.run("a"))
    assert notebook.run(f"b({ONES})").tolist() == [5, 5]

    notebook.run("%%metal --header f.h\nfloat f() { return 4; }")
    assert notebook.run(f"a({ONES})").tolist() == [4, 4], "mended by the header"
    notebook.see("%%metal --header f.h\nfloat f(float x) { return 2 * x; }")
    notebook.run(f'%%metal -o lib\n#include "f.h"\n{scale("a", "f(3)")}')
    assert notebook.run(f"lib['a']({ONES})").tolist() == [6, 6], "mended by the cell"


def test_headers_that_include_each_other_break_and_mend(notebook):
    notebook.run("%%metal --header f.h\n#define F 2")
    notebook.run(f'%%metal\n#include "f.h"\n{scale("a", "F")}')
    notebook.run('%%metal --header g.h\n#include "f.h"')
    assert "files include each other" in notebook.see('%%metal --header f.h\n#include "g.h"')
    notebook.run("%%metal --header f.h\n#define F 3")
    assert notebook.run(f"a({ONES})").tolist() == [3, 3]


def test_a_header_gives_and_takes_kernels(notebook):
    notebook.run(f"%%metal --header all.h\n{scale('a', 2)}\n{scale('b', 2)}")
    notebook.run('%%metal\n#include "all.h"')
    notebook.run(f"%%metal --header all.h\n{scale('b', 3)}\n{scale('c', 3)}")
    assert "a" not in notebook.shell.user_ns
    assert notebook.run(f"b({ONES}), c({ONES})")[1].tolist() == [3, 3]


def test_a_header_does_not_take_a_name_that_a_person_gave(notebook):
    notebook.run("%%metal --header f.h\n#define F 2")
    notebook.run(f'%%metal\n#include "f.h"\n{scale("a", "F")}\n{scale("b", "F")}')
    notebook.run("a = 'mine'\ndel b")
    notebook.run("%%metal --header f.h\n#define F 3")
    assert notebook.run("a") == "mine"
    assert "b" not in notebook.shell.user_ns


def test_an_interrupted_header_changes_nothing(notebook, monkeypatch):
    notebook.run("%%metal --header f.h\n#define F 2")
    for name in "ab":
        notebook.run(f'%%metal\n#include "f.h"\n{scale(name, "F")}')
    session = notebook.shell.magics_manager.registry["MetalMagics"].session
    compile_, calls = session._compile, []

    def interrupted(*args):
        calls.append(args)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return compile_(*args)

    monkeypatch.setattr(session, "_compile", interrupted)
    notebook.see("%%metal --header f.h\n#define F 3")
    monkeypatch.undo()
    assert notebook.run(f"a({ONES})").tolist() == notebook.run(f"b({ONES})").tolist() == [2, 2]
    notebook.run(f'%%metal\n#include "f.h"\n{scale("c", "F")}')
    assert notebook.run(f"c({ONES})").tolist() == [2, 2]


def test_a_changed_option_is_not_answered_from_a_cache(notebook, tmp_path):
    source = f"constant int M [[function_constant(0)]];\n{scale('a', 'N * M')}"
    for n, m in ((2, 3), (5, 3), (5, 7), (2, 3)):
        notebook.run(f"%%metal -D N={n} --const M={m}\n{source}")
        assert notebook.run(f"a({ONES})").tolist() == [n * m, n * m]
    (tmp_path / "f.h").write_text("#define F 2")
    for by in (2, 3):
        (tmp_path / "f.h").write_text(f"#define F {by}")
        notebook.run(f'%%metal -I {tmp_path}\n#include "f.h"\n{scale("a", "F")}')
        assert notebook.run(f"a({ONES})").tolist() == [by, by]
    nan = "kernel void same(device float* x) { x[1] = isnan(x[0]) ? 1 : 2; }"
    seen = {}
    for mode in ("safe", "fast", "safe"):
        notebook.run(f"%%metal --math {mode}\n{nan}")
        seen.setdefault(mode, []).append(notebook.run("same(np.float32([np.nan, 0]), grid=1)")[1])
    assert set(seen["safe"]) == {1}


def test_load_again_begins_anew(notebook):
    notebook.run("%%metal --header f.h\n#define F 2\n")
    notebook.run(f'%%metal\n#include "f.h"\n{scale("a", "F")}')
    notebook.run("%reload_ext mtlpy_nb")
    assert "a" not in notebook.shell.user_ns
    assert "f.h" in notebook.see(f'%%metal\n#include "f.h"\n{scale("a", "F")}')
    notebook.run(f"%%metal\n{scale('a', 3)}")
    np.testing.assert_array_equal(notebook.run(f"a({ONES})"), [3, 3])
