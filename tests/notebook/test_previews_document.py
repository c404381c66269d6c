# SPDX-License-Identifier: MIT
"""The examples of docs/previews.md run, and show the words and the pictures that it has."""

from pathlib import Path

from notebooks.perceptual import differences, is_flat, look_at

from .documents import run_examples

PAGE = Path(__file__).parents[2] / "docs" / "previews.md"


def test_examples(tmp_path):
    examples = list(run_examples(PAGE))
    pictures = [example.picture for example in examples if example.picture]
    assert len(examples) >= 9
    assert sorted(pictures) == sorted((PAGE.parent / "pictures").glob("previews-*.png"))
    for example in examples:
        assert repr(example.value) == example.text.rstrip("\n")
        if example.picture:
            example.value.save(tmp_path / "made.png")
            made, stored = look_at(tmp_path / "made.png"), look_at(example.picture)
            assert differences(made, stored) == [], example.picture.name
            assert not is_flat(made)
