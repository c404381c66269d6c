# SPDX-License-Identifier: MIT
"""What is shown can be read, in the light theme and in the dark one."""

from playwright.sync_api import expect

SETUP = '''%load_ext mtlpy_nb
import numpy as np
import mtlpy_nb
from mtlpy_nb import compare, output, show
x = np.linspace(0, 4 * np.pi, 96)
waves = np.sin(x)[:, None] * np.cos(x)
waves[20:30, 40:60] = np.nan
device = mtlpy_nb.default_device()
library = device.library("""
#include <metal_stdlib>
using namespace metal;
kernel void invert(texture2d<float, access::read> source, texture2d<float, access::write> result,
                   uint2 p [[thread_position_in_grid]]) { result.write(1 - source.read(p), p); }
kernel void wild(device float* x) { x[1ul << 60] = 1; }
""")
lit, dark = device.texture(waves.astype(np.float32)), device.empty_texture(waves.shape, "r32Float")'''
KERNEL = """// Doubles what it is given.
kernel void twice(device float* x, constant uint& count, uint i [[thread_position_in_grid]])
{
    if (i < count) x[i] *= 2;
}"""
WARNS = f"""%%metal
{KERNEL}
kernel void careless(device float* x)
{{
    int unused = x[0];
    if (x[0] = 1) x[1] = 0;
}}"""

# What is shown, by name: the cell, and how its output is known.
SHOWN = {
    "warning": (WARNS, "warning"),
    "kernel": ("twice", "twice"),
    "kernel-help": ("twice?", "Doubles what it is given"),
    "compile-error": ("%%metal\nkernel void f() {\n    vec2 x;\n}", "vec2"),
    "wrong-call": ("twice(np.zeros(4, np.float32), grid=4)", "count"),
    "info": ("%metal info twice", "count"),
    "explanation": ("%metal explain twice", "vector code"),
    "source": (f"%%metal --show source\n{KERNEL}", "twice"),
    "timing": ("%metal_time twice(np.zeros(4096, np.float32), 4096, grid=4096)", "on the device"),
    "heat-map": ("show(waves, colormap='viridis')", "NaN"),
    "picture": ("show(np.stack([waves, waves ** 2, x[:, None] * np.ones(96) / 12], -1))", ""),
    "buffer": ("mtlpy_nb.default_device().buffer(x.astype(np.float32))", ""),
    "line": ("show(np.sin(np.arange(500) / 20))", "min"),
    "no-numbers": ("show(np.float32([[1, 2, np.nan, np.inf]]))", "NaN"),
    "table": ("show(np.array([(1, (2, 3)), (4, (5, 6))], [('count', 'u4'), ('centre', 'f4', 2)]))", "centre"),
    "capture": ("%%metal_capture\nlibrary['invert'](lit, dark)", "after"),
    "capture-error": ("%%metal_capture\nlibrary['wild'](np.zeros(4, np.float32))", "changes"),
    "compare": ("compare(np.nan_to_num(waves), np.nan_to_num(waves) * 0.98)", ""),
}

# Of each piece of text in an area its ratio of contrast with what is behind it, as WCAG 2 defines it.
_CONTRASTS = """area => {
    const parse = text => (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    const over = ([r, g, b, a = 1], below) => [r, g, b].map((c, i) => c * a + below[i] * (1 - a));
    const behind = element => {
        if (!element) return [255, 255, 255];
        const colour = parse(getComputedStyle(element).backgroundColor);
        return (colour[3] ?? 1) === 1 ? colour : over(colour, behind(element.parentElement));
    };
    const light = colour => {
        const [r, g, b] = colour.map(c => c / 255).map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const walker = document.createTreeWalker(area, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) {
        const text = walker.currentNode.data.trim(), element = walker.currentNode.parentElement;
        if (!text || element.closest('style, script')) continue;
        const below = behind(element), colour = over(parse(getComputedStyle(element).color), below);
        const [a, b] = [light(colour), light(below)].sort((x, y) => y - x);
        found.push([text, (a + 0.05) / (b + 0.05)]);
    }
    return found;
}"""
# The best that one colour can have on the error background of both themes is 3.2.
_LEAST = 2.8


def test_text_stands_out_in_both_themes(lab):
    lab.open(lab.write_notebook("gallery.ipynb", SETUP, *(cell for cell, _ in SHOWN.values())))
    for number in range(len(SHOWN) + 1):
        lab.run(number)
    faint = []
    for theme in ("Light", "Dark"):
        lab.theme(theme)
        for number, (name, (_, expected)) in enumerate(SHOWN.items(), 1):
            area = lab.output(number)
            expect(area).to_contain_text(expected)
            area.screenshot(path=lab.screenshots / f"{name}-{theme.lower()}.png")
            if name not in ("wrong-call", "capture-error"):  # their lines of Python are in IPython's own colours
                faint += [
                    (theme, name, text, round(ratio, 2)) for text, ratio in area.evaluate(_CONTRASTS) if ratio < _LEAST
                ]
    assert faint == []
