# SPDX-License-Identifier: MIT
"""Kernels to look at, and a browser that answers when it is told to."""

import numpy as np
import pytest

import mtlpy_nb

KERNELS = """
#include <metal_stdlib>
using namespace metal;
kernel void blend(device const float* a, device float* o, constant float& mix, constant int& radius,
                  constant bool& flip, uint i [[thread_position_in_grid]]) {
    o[i] = flip ? -a[i] : a[i] * mix + radius;
}
kernel void invert(device float* a, uint i [[thread_position_in_grid]]) { a[i] = 1 - a[i]; }
kernel void waves(texture2d<float, access::write> out, constant float& time, constant uint& frame,
                  constant float2& mouse, uint2 p [[thread_position_in_grid]]) {
    out.write(float4(fract(time), float(frame) / 255, mouse.x / 64, 1), p);
}
kernel void ramp(device float4* out, constant float& time, constant uint2& size,
                 uint2 p [[thread_position_in_grid]]) {
    out[p.y * size.x + p.x] = float4(float2(p) / float2(size), time, 1);
}
kernel void paint(texture2d<float, access::write> frame, constant float& time, uint2 p [[thread_position_in_grid]]) {
    frame.write(float4(fract(time), 0, 0, 1), p);
}
kernel void narrow(device uchar* o, constant uchar& level, constant float2& pair, uint i [[thread_position_in_grid]]) {
    o[i] = level;
}
"""


@pytest.fixture(scope="package")
def device():
    return mtlpy_nb.Device(cache_path=False)


@pytest.fixture(scope="package")
def kernels(device):
    return device.library(KERNELS)


@pytest.fixture
def image():
    return np.linspace(0, 1, 64, dtype=np.float32).reshape(8, 8)


class Browser:
    """Says of a view's screen what a browser would say."""

    def __init__(self, view):
        self.screen = view._screen

    def say(self, **message):
        self.screen._handle_custom_msg(message, [])

    def draw(self):
        self.say(kind="drawn", drawn={"number": self.screen.number, "ago": 0})

    def comes(self, views=1):
        self.say(kind="views", page="a page", views=views)

    def open(self):
        self.comes()
        self.say(kind="look")
        self.draw()


@pytest.fixture
def browser():
    return Browser
