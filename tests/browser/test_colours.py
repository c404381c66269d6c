# SPDX-License-Identifier: MIT
"""Metal's colours in `%%metal` cells, and nowhere else."""

CELL = """%%metal --const N=3 -DA=1 --std=3.1 --quiet blur(photo, name="a photo")
#include <metal_stdlib>
/* two
   lines */
constant int N [[function_constant(0)]];
kernel void blur(texture2d<float, access::read> source,
                 device half4* result, threadgroup uint* shared,
                 uint2 position [[thread_position_in_grid]])
{
    float length = clamp(source.read(position).x, 0.5h, 1.0f);  // a comment
    result[position.x] = half4(length);
}
"""
PYTHON = 'kernel = float4 = device = 1\ndef f(x):\n    return "text"  # a comment'
KEYWORDS = ("constant", "kernel", "device", "threadgroup")
TYPES = ("int", "void", "float", "half4", "uint", "uint2", "texture2d")


def check_metal(tokens):
    """Whatever the theme: Metal's words stand out from names, by kind."""
    plain = tokens.colour("position", line=7)
    kinds = {
        "keyword": {tokens.colour(word) for word in KEYWORDS},
        "type": {tokens.colour(word) for word in TYPES},
        "comment": {tokens.colour("two"), tokens.colour("lines"), tokens.colour("a comment")},
        "attribute": {tokens.colour("function_constant"), tokens.colour("thread_position_in_grid")},
        "number": {tokens.colour("0.5h"), tokens.colour("1.0f")},
        "string": {tokens.colour('"a photo"', line=0)},
    }
    assert all(len(colours) == 1 for colours in kinds.values()), kinds
    assert plain not in set.union(*kinds.values())
    distinct = set.union(*(kinds[kind] for kind in ("keyword", "type", "comment", "attribute", "string")))
    assert len(distinct) == 5, kinds
    assert tokens.colour("clamp") != plain
    assert tokens.colour("blur", line=5) != plain
    assert {tokens.colour(word, line) for word, line in (("source", 9), ("length", 9), ("result", 10))} == {plain}
    assert tokens.colour("blur", line=0) == tokens.colour("photo", line=0) == plain
    assert tokens.colour("%%metal") != plain
    assert tokens.colour("N=3") == tokens.colour("A=1") == plain
    options = {tokens.colour(word) for word in ("--const", "-D", "--std=", "--quiet")}
    assert len(options) == 1
    assert plain not in options


def check_python(tokens):
    plain = tokens.colour("float4")
    assert tokens.colour("kernel") == tokens.colour("device") == plain
    assert plain not in {tokens.colour("def"), tokens.colour('"text"'), tokens.colour("a comment")}


def test_in_jupyterlab(lab):
    lab.open(lab.write_notebook("colours.ipynb", CELL, PYTHON, ("markdown", "%%metal\nkernel void f()")))
    for theme in ("Dark", "Light"):
        lab.theme(theme)
        check_metal(lab.tokens(0))
        check_python(lab.tokens(1))
        lab.screenshot(f"colours-lab-{theme.lower()}")
    lab.cell(2).dblclick()
    text = lab.tokens(2)
    assert text.colour("kernel") == text.colour("f")


def test_in_notebook_7(notebook7):
    page = notebook7
    page.visit(page.write_notebook("colours7.ipynb", CELL, PYTHON))
    for theme in ("Dark", "Light"):
        page.theme(theme)
        check_metal(page.tokens(0))
        check_python(page.tokens(1))
        page.screenshot(f"colours-notebook7-{theme.lower()}")


def test_typing_and_deleting_the_magic(lab):
    body = "kernel void f()\n{\n}"
    lab.open(lab.write_notebook("typing.ipynb", body))
    assert lab.tokens(0).colour("kernel") == lab.tokens(0).colour("f")
    lab.go_to(0, "Control+Home")
    lab.page.keyboard.type("%%metal")
    assert lab.tokens(0).colour("void") == lab.tokens(0).colour("f")  # "%%metalkernel" is no magic of ours
    lab.page.keyboard.press("Enter")
    turned = lab.tokens(0)
    assert turned.colour("kernel") != turned.colour("f")
    assert lab.text(0) == f"%%metal\n{body}"
    for key in ("ArrowUp", "End", "Backspace"):
        lab.page.keyboard.press(key)
    back = lab.tokens(0)
    assert back[0].text != "%%metal"
    assert back.colour("kernel") == back.colour("f")


def test_undo_goes_back_through_a_turn(lab):
    lab.open(lab.write_notebook("undo.ipynb", "kernel void f() {}"))
    lab.go_to(0)
    lab.page.keyboard.insert_text(" // first")
    lab.page.keyboard.press("Control+Home")
    lab.page.keyboard.insert_text("%%metal\n")
    texts = [lab.text(0)]
    assert lab.tokens(0).colour("kernel") != lab.tokens(0).colour("f")
    while texts[-1] != "kernel void f() {}":
        lab.page.keyboard.press("ControlOrMeta+z")
        texts.append(lab.text(0))
        assert len(texts) < 5, texts
    assert lab.tokens(0).colour("kernel") == lab.tokens(0).colour("f")
    for _ in texts[1:]:
        lab.page.keyboard.press("ControlOrMeta+Shift+z")
    assert lab.text(0) == "%%metal\nkernel void f() {} // first"
    assert lab.tokens(0).colour("kernel") != lab.tokens(0).colour("f")


def test_which_cells_turn(lab):
    lab.open(lab.write_notebook("which.ipynb", ""))
    expected = {
        "%%metal": True,
        "%%metal --header common.h": True,
        "\n%%metal --quiet": True,
        "%%metal_time": False,
        "%metal devices": False,
        "# %%metal": False,
        "x = 1\n%%metal": False,
    }
    found = {}
    for line in expected:
        lab.rewrite(0, f"{line}\nkernel void name() {{}}")
        tokens = lab.tokens(0)
        found[line] = tokens.colour("kernel") != tokens.colour("name", line=tokens[-1].line)
    assert found == expected


def test_a_long_cell_turns_at_once(lab):
    """Nothing is drawn between the change of the text and that of the colours where the magic is typed."""
    body = "".join(f"kernel void f{i}(device float* x) {{ x[{i}] = {i}; }}  // {i}\n" for i in range(500))
    lab.open(lab.write_notebook("long.ipynb", body))
    lab.go_to(0, "Control+Home")
    before, turned, after = lab.page.evaluate("""() => {
        const editor = jupyterapp.shell.currentWidget.content.activeCell.editor.editor;
        const look = () => {
            const lines = [...editor.contentDOM.querySelectorAll('.cm-line')].slice(0, 20);
            const first = lines.filter(line => line.innerText.startsWith('kernel')).map(line => {
                const text = document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode();
                return getComputedStyle(text.parentElement).color;
            });
            return [first.length, ...new Set(first)];
        };
        const before = look();
        editor.dispatch({changes: {from: 0, insert: '%%metal\\n'}});
        const turned = look();
        editor.dispatch({changes: {from: 0, to: 8}});
        return [before, turned, look()];
    }""")
    assert len(before) == len(turned) == 2
    assert turned[1] != before[1]
    assert after == before


def test_enter_indents_as_in_c(lab):
    lab.open(lab.write_notebook("indent.ipynb", "%%metal\nkernel void f()\n{"))
    lab.go_to(0)
    lab.page.keyboard.press("Enter")
    for line in ("if (a::b)", "x = 1;", "y = 2;"):  # Python's rules would know nothing of `if` without a colon
        lab.page.keyboard.type(line)
        lab.page.keyboard.press("Enter")
    lab.page.keyboard.type("}")
    assert lab.text(0) == "%%metal\nkernel void f()\n{\n    if (a::b)\n        x = 1;\n    y = 2;\n}"


def test_comment_shortcut(lab):
    lab.open(lab.write_notebook("comment.ipynb", "%%metal\nint x;", "x = 1"))
    lab.go_to(0)
    lab.page.keyboard.press("ControlOrMeta+/")
    assert lab.text(0) == "%%metal\n// int x;"
    lab.go_to(1)
    lab.page.keyboard.press("ControlOrMeta+/")
    assert lab.text(1) == "# x = 1"
