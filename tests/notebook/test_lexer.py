# SPDX-License-Identifier: MIT
"""Pygments and nbconvert know Metal."""

import json
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Keyword, Name, Number, String

from mtlpy_nb.notebook.lexer import MetalLexer

SOURCE = """%%metal --const N=3 blur(photo, name="kernel")
constant int N [[function_constant(0)]];
kernel void blur(texture2d<float, access::read> source, device half4* result,
                 uint2 position [[thread_position_in_grid]])
{
    float length = clamp(source.read(position).x, 0.5h, 1.0f);  // a comment
    os_log_default.log("text", length);
    result[position.x] = half4(metal::length(length)) * square(true);
}
"""


def kinds(source):
    return [(value, kind) for kind, value in MetalLexer().get_tokens(source) if value.strip()]


def kind_of(word, number=0):
    return [kind for value, kind in kinds(SOURCE) if value == word][number]


@pytest.mark.parametrize(
    ("word", "number", "kind"),
    [
        ("%%metal", 0, Name.Decorator),
        ("const", 0, Name),
        ("kernel", 0, String.Double),
        ("kernel", 1, Keyword),
        ("constant", 0, Keyword),
        ("device", 0, Keyword),
        ("void", 0, Keyword.Type),
        ("texture2d", 0, Keyword.Type),
        ("half4", 0, Keyword.Type),
        ("half4", 1, Keyword.Type),
        ("blur", 0, Name),
        ("blur", 1, Name.Function),
        ("square", 0, Name),
        ("[[function_constant(0)]]", 0, Name.Decorator),
        ("[[thread_position_in_grid]]", 0, Name.Decorator),
        ("clamp", 0, Name.Builtin),
        ("length", 0, Name),
        ("length", 2, Name.Builtin),
        ("log", 0, Name),
        ("read", 1, Name),
        ("0.5h", 0, Number.Float),
        ("true", 0, Keyword.Constant),
        ("// a comment\n", 0, Comment.Single),
    ],
)
def test_kinds(word, number, kind):
    assert kind_of(word, number) is kind


@given(st.text(alphabet="%metal kernel{}[]()/*\"'\\\n.;:<>#0h5", max_size=80))
def test_nothing_of_the_text_is_lost(text):
    assert "".join(value for _, _, value in MetalLexer().get_tokens_unprocessed(text)) == text


def test_pygments_finds_it():
    assert isinstance(get_lexer_by_name("metal"), MetalLexer)
    assert isinstance(get_lexer_for_filename("kernels.metal"), MetalLexer)


LANGUAGES = {"HighlightMagicsPreprocessor": {"languages": {"%%metal": "metal"}}}


@pytest.mark.parametrize("how", ["command line", "config file"])
def test_nbconvert_colours_cells(tmp_path, how):
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": SOURCE, "outputs": [], "execution_count": None}
    language = {"language_info": {"name": "python", "pygments_lexer": "ipython3"}}
    notebook = {"cells": [cell], "metadata": language, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "a.ipynb").write_text(json.dumps(notebook))
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--log-level=ERROR", "a.ipynb"]
    if how == "command line":
        command.append("--HighlightMagicsPreprocessor.languages=%%metal=metal")
    else:
        (tmp_path / "jupyter_config.json").write_text(json.dumps(LANGUAGES))
    environment = {**os.environ, "JUPYTER_CONFIG_DIR": str(tmp_path)}
    subprocess.run(command, cwd=tmp_path, check=True, env=environment)
    page = (tmp_path / "a.html").read_text()
    assert '<span class="k">kernel</span>' in page
    assert '<span class="nd">[[function_constant(0)]]</span>' in page
