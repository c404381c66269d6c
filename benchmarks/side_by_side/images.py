# SPDX-License-Identifier: MIT
"""Images: divergent loops, stencils on buffers and on textures, resizing, demosaicing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import native
from .contest import NUMBA, OURS, POCL, Case, Contest
from .machines import Machines
from .numba_kernels import numba_kernels

# 32 x 32 to 4096 x 2048.
PIXELS = tuple(1 << n for n in (10, 14, 18, 20, 23))
FRAME_4K = 3840 * 2160
WEIGHTS = (np.outer([1, 4, 6, 4, 1], [1, 4, 6, 4, 1]) / 256).astype(np.float32).ravel()


def shape_of(pixels: int) -> tuple[int, int]:
    """Rows and columns of an image: square, or twice as wide as high."""
    if pixels == FRAME_4K:
        return 2160, 3840
    rows = 1 << ((pixels.bit_length() - 1) // 2)
    return rows, pixels // rows


def _mandelbrot(machines: Machines, pixels: int) -> Contest:
    rows, columns = shape_of(pixels)
    limit = 200
    out = machines.metal.empty((rows, columns), np.uint32)
    kernel = machines.library("images")["mandelbrot"]
    by_hand = np.empty((rows, columns), np.uint32)
    contest = Contest(
        {
            OURS: lambda: kernel(out, limit, grid=(columns, rows)),
            "C++ by hand": lambda: native.mandelbrot(by_hand, limit),
        },
        # Fast mathematics may round differently, and a point at the set's border then leaves at another time.
        {OURS: lambda: np.array([out.numpy().mean()]), "C++ by hand": lambda: np.array([by_hand.mean()])},
        tolerance=3e-2,
    )
    if machines.opencl is not None:
        opencl = machines.opencl
        cl_out = opencl.empty(4 * pixels)
        bound = opencl.bind("images", "mandelbrot", (cl_out, np.uint32(limit)), (columns, rows), None)
        contest.runs[POCL] = opencl.run(bound)
        contest.results[POCL] = lambda: np.array([opencl.read(cl_out, (rows, columns), np.uint32).mean()])
    if (numba := numba_kernels()) is not None:
        numba_out = np.empty((rows, columns), np.uint32)
        contest.runs[NUMBA] = lambda: numba.mandelbrot(numba_out, limit)
        contest.results[NUMBA] = lambda: np.array([numba_out.mean()])
    return contest


def _blur5_buffer(machines: Machines, pixels: int) -> Contest:
    rows, columns = shape_of(pixels)
    image = np.random.default_rng(1).random((rows, columns), np.float32)
    source, out = machines.metal.buffer(image), machines.metal.empty((rows, columns), np.float32)
    weights = machines.metal.buffer(WEIGHTS)
    kernel = machines.library("images")["blur5_buffer"]
    contest = Contest(
        {OURS: lambda: kernel(source, out, weights, grid=(columns, rows))},
        {OURS: out.numpy},
        moved=2 * image.nbytes,
        operations=50.0 * pixels,
    )
    blurred = np.empty_like(image)
    machines.add_pocl(contest, "images", "blur5_buffer", (image, blurred, WEIGHTS), (columns, rows), out=blurred)
    if (numba := numba_kernels()) is not None:
        numba_out = np.empty_like(image)
        contest.runs[NUMBA] = lambda: numba.blur5(image, numba_out, WEIGHTS)
        contest.results[NUMBA] = lambda: numba_out
    return contest


def _blur5_texture(machines: Machines, pixels: int) -> Contest:
    rows, columns = shape_of(pixels)
    image = np.random.default_rng(1).random((rows, columns), np.float32)
    source = machines.metal.texture(image, "r32Float")
    out = machines.metal.empty_texture((rows, columns), "r32Float")
    weights = machines.metal.buffer(WEIGHTS)
    kernel = machines.library("images")["blur5_texture"]
    contest = Contest(
        {OURS: lambda: kernel(source, out, weights, grid=(columns, rows))},
        {OURS: out.numpy},
        moved=2 * image.nbytes,
        operations=50.0 * pixels,
    )
    if machines.opencl is not None:
        opencl = machines.opencl
        cl_out = opencl.image((rows, columns), 1, np.float32)
        arguments = (opencl.image(image, 1, np.float32), cl_out, opencl.buffer(WEIGHTS))
        contest.runs[POCL] = opencl.run(opencl.bind("images", "blur5_texture", arguments, (columns, rows), None))
        contest.results[POCL] = lambda: opencl.read(cl_out, (rows, columns), np.float32)
    return contest


def _resize(machines: Machines, pixels: int) -> Contest:
    """To 3/4 of the size each way, RGBA of 8 bits."""
    rows, columns = shape_of(pixels)
    image = np.random.default_rng(1).integers(0, 256, (rows, columns, 4), np.uint8)
    small = (rows * 3 // 4, columns * 3 // 4)
    source, out = machines.metal.texture(image, "rgba8Unorm"), machines.metal.empty_texture(small, "rgba8Unorm")
    kernel = machines.library("images")["resize"]
    contest = Contest(
        {OURS: lambda: kernel(source, out, grid=small[::-1])},
        {OURS: out.numpy},
        moved=image.nbytes + 4 * small[0] * small[1],
        tolerance=2 / 255,
    )
    if machines.opencl is not None:
        opencl = machines.opencl
        cl_out = opencl.image(small, 4, np.uint8)
        arguments = (opencl.image(image, 4, np.uint8), cl_out)
        contest.runs[POCL] = opencl.run(opencl.bind("images", "resize", arguments, small[::-1], None))
        contest.results[POCL] = lambda: opencl.read(cl_out, (*small, 4), np.uint8)
    try:
        import cv2
    except ImportError:
        return contest
    # By its own rule of filtering (fixed point), so its result is not compared.
    contest.runs["OpenCV"] = lambda: cv2.resize(image, small[::-1], interpolation=cv2.INTER_LINEAR)
    return contest


def _reaction_diffusion(machines: Machines, pixels: int) -> Contest:
    rows, columns = shape_of(pixels)
    field = np.random.default_rng(1).random((rows, columns, 2), np.float32)
    source, out = machines.metal.buffer(field), machines.metal.empty(field.shape, np.float32)
    kernel = machines.library("images")["reaction_diffusion"]
    contest = Contest(
        {OURS: lambda: kernel(source, out, grid=(columns, rows))}, {OURS: out.numpy}, moved=2 * field.nbytes
    )
    stepped = np.empty_like(field)
    machines.add_pocl(contest, "images", "reaction_diffusion", (field, stepped), (columns, rows), out=stepped)
    if (numba := numba_kernels()) is not None:
        numba_out = np.empty_like(field)
        contest.runs[NUMBA] = lambda: numba.reaction_diffusion(field, numba_out)
        contest.results[NUMBA] = lambda: numba_out
    return contest


def _gaussian(machines: Machines, pixels: int) -> Contest:
    """Sigma 3, cut at 4 sigma as SciPy does; two passes."""
    rows, columns = shape_of(pixels)
    radius = 12
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / 3.0) ** 2)
    weights = (weights / weights.sum()).astype(np.float32)
    image = np.random.default_rng(1).random((rows, columns), np.float32)
    source, w = machines.metal.buffer(image), machines.metal.buffer(weights)
    middle, out = (machines.metal.empty((rows, columns), np.float32) for _ in range(2))
    pipeline = machines.library("images")["gaussian_pass"]

    def ours() -> None:
        pipeline(source, middle, w, radius, (1, 0), grid=(columns, rows), wait=False)
        pipeline(middle, out, w, radius, (0, 1), grid=(columns, rows))

    contest = Contest({OURS: ours}, {OURS: out.numpy}, operations=2.0 * 2 * 25 * pixels)
    if machines.opencl is not None:
        opencl = machines.opencl
        cl_w, cl_middle, cl_out = opencl.buffer(weights), opencl.empty(image.nbytes), opencl.empty(image.nbytes)
        steps = [
            opencl.bind(
                "images",
                "gaussian_pass",
                (a, b, cl_w, np.int32(radius), np.array(step, np.int32)),
                (columns, rows),
                None,
            )
            for a, b, step in ((opencl.buffer(image), cl_middle, (1, 0)), (cl_middle, cl_out, (0, 1)))
        ]
        contest.runs[POCL] = opencl.run(*steps)
        contest.results[POCL] = lambda: opencl.read(cl_out, (rows, columns), np.float32)
    try:
        from scipy import ndimage
    except ImportError:
        return contest
    by_scipy = np.empty_like(image)
    contest.runs["SciPy"] = lambda: ndimage.gaussian_filter(image, 3.0, output=by_scipy, mode="nearest")
    contest.results["SciPy"] = lambda: by_scipy
    return contest


def _demosaic(frames: int) -> Callable[[Machines, int], Contest]:
    """Bayer mosaics to BGR. With several frames, a pool of buffers is gone round without waiting for each."""

    def make(machines: Machines, pixels: int) -> Contest:
        rows, columns = shape_of(pixels)
        rng = np.random.default_rng(1)
        raw = [rng.integers(0, 256, (rows, columns), np.uint8) for _ in range(frames)]
        metal = machines.metal
        pool = [(metal.buffer(r), metal.empty(r.shape, np.uint8), metal.empty((*r.shape, 3), np.uint8)) for r in raw]
        library = machines.library("images")
        green, colours = library["demosaic_green"], library["demosaic_colours"]
        grid = (columns, rows)

        def ours() -> None:
            last: Any = None
            for source, middle, out in pool:
                green(source, middle, grid=grid, wait=False)
                last = colours(source, middle, out, grid=grid, wait=False)
            last.wait()

        contest = Contest({OURS: ours}, {OURS: pool[0][2].numpy}, moved=frames * pixels * (1 + 3))
        if machines.opencl is not None:
            opencl = machines.opencl
            steps, cl_outs = [], []
            for r in raw:
                cl_raw, cl_green, cl_out = opencl.buffer(r), opencl.empty(pixels), opencl.empty(3 * pixels)
                steps.append(opencl.bind("images", "demosaic_green", (cl_raw, cl_green), grid, None))
                steps.append(opencl.bind("images", "demosaic_colours", (cl_raw, cl_green, cl_out), grid, None))
                cl_outs.append(cl_out)
            contest.runs[POCL] = opencl.run(*steps)
            contest.results[POCL] = lambda: opencl.read(cl_outs[0], (rows, columns, 3), np.uint8)
        try:
            import cv2
        except ImportError:
            return contest
        # Edge-aware too, by its own formula: not compared. OpenCV names a mosaic by its second row and column.
        by_cv = [np.empty((rows, columns, 3), np.uint8) for _ in range(frames)]

        def by_opencv() -> None:
            for source, out in zip(raw, by_cv, strict=True):
                cv2.demosaicing(source, cv2.COLOR_BayerBG2BGR_EA, out)

        contest.runs["OpenCV"] = by_opencv
        return contest

    return make


CASES = (
    Case("Mandelbrot", PIXELS, _mandelbrot, "pixels"),
    Case("5 x 5 blur, buffer", PIXELS, _blur5_buffer, "pixels"),
    Case("5 x 5 blur, texture", PIXELS, _blur5_texture, "pixels"),
    Case("bilinear resize, texture", PIXELS, _resize, "pixels"),
    Case("reaction-diffusion step", PIXELS, _reaction_diffusion, "pixels"),
    Case("Gaussian blur", PIXELS, _gaussian, "pixels"),
    Case("demosaic", (*PIXELS[2:4], FRAME_4K), _demosaic(1), "pixels"),
    Case("demosaic, 8 frames streaming", (FRAME_4K,), _demosaic(8), "pixels"),
)
