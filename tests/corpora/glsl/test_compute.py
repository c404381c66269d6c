# SPDX-License-Identifier: MIT
"""GLSL compute shaders by way of SPIR-V and spirv-cross, each beside what the GLSL means, in NumPy."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest

import mtlpy_nb.metal as pm

from .compute import Image, run, sampler

F, S, U = np.float32, np.int32, np.uint32


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def floats(rng, *shape, low=-3.0, high=3.0):
    return rng.uniform(low, high, shape).astype(F)


def close(got, wanted, tolerance=1e-5):
    np.testing.assert_allclose(got, wanted, rtol=tolerance, atol=tolerance)


def test_push_constants(rng):
    x, y = floats(rng, 256), floats(rng, 256)
    out = y.copy()
    run(
        "push_constants.comp",
        (4,),
        (64,),
        {0: np.frombuffer(struct.pack("fI", 2.5, 200), np.uint8).copy(), 1: x, 2: out},
    )
    close(out[:200], F(2.5) * x[:200] + y[:200])
    np.testing.assert_array_equal(out[200:], y[200:])


BODY = np.dtype({
    "names": ["position", "color", "gloss", "scale", "kind", "weights", "turn"],
    "formats": [(F, 3), (F, 3), F, (F, 2), S, (F, 3), (F, (3, 4))],
    "offsets": [0, 16, 28, 32, 40, 48, 64],
    "itemsize": 112,
})  # fmt: skip


def test_std430_structs(rng):
    count = 40
    bodies = np.zeros(64, BODY)
    for name in ("position", "color", "gloss", "scale", "weights", "turn"):
        bodies[name] = floats(rng, *bodies[name].shape)
    bodies["kind"] = rng.integers(-9, 9, 64)
    source = np.frombuffer(struct.pack("IIII", count, 0, 0, 0) + bodies.tobytes(), np.uint8).copy()
    result = np.zeros(64, BODY)
    run("std430_structs.comp", (2,), (32,), {0: source, 1: result})
    for i in range(count):
        body = bodies[i].copy()
        close(result[i]["position"], body["turn"][:, :3].T @ body["position"])
        close(result[i]["color"], body["color"][::-1] * body["gloss"])
        close(result[i]["scale"], body["scale"] + [0, body["kind"]])
        weights = body["weights"].copy()
        weights[i % 3] *= 2
        close(result[i]["weights"], weights)
        turn = body["turn"][:, :3].copy()
        turn[1] = i
        close(result[i]["turn"][:, :3], turn)
        assert result[i]["kind"] == ~body["kind"]
    assert not result[count:]["kind"].any()


def test_std140_uniform(rng):
    ramp, turn, small = floats(rng, 5), floats(rng, 3, 3), floats(rng, 2, 2)
    rows, lights = floats(rng, 4, 3), floats(rng, 2, 4)

    def padded(matrix):
        return np.pad(matrix, ((0, 0), (0, 4 - matrix.shape[1]))).astype(F).tobytes()

    # A row-major mat3x4 (3 columns, 4 rows) is 4 rows of 3, each in 16 bytes.
    bytes_ = padded(ramp[:, None]) + padded(turn) + padded(small) + padded(rows) + lights.tobytes()
    bytes_ += struct.pack("iiii", -3, 5, 1, 0)
    out = np.zeros((8, 4), F)
    run("std140_uniform.comp", (1,), (8,), {0: np.frombuffer(bytes_, np.uint8).copy(), 1: out})
    for i in range(8):
        wanted = np.append(turn.T @ [i, 1, 2], ramp[i % 5])
        wanted += np.append(small.T @ [1, i], [-3, 5]) + rows @ [1, i, -1]
        wanted[:3] += (lights[:, :3] * lights[:, 3:]).sum(0)
        close(out[i], wanted)


def test_matrices(rng):
    columns = floats(rng, 16, 4, 4) + 4 * np.eye(4, dtype=F)
    layout = np.dtype([("inverses", F, (16, 4, 4)), ("transposes", F, (16, 4, 4)), ("products", F, (16, 4, 4)),
                       ("determinants", F, (16, 4)), ("outers", F, (16, 2, 4)), ("rows", F, (16, 4))])  # fmt: skip
    out = np.zeros(1, layout)
    run("matrices.comp", (1,), (16,), {0: columns, 1: out})
    for i in range(16):
        m = columns[i].T.astype(float)  # rows first, as mathematics writes them
        upper, corner = m[:3, :3], m[:2, :2]
        close(out["inverses"][0, i].T, np.linalg.inv(m), 1e-4)
        np.testing.assert_array_equal(out["transposes"][0, i], columns[i].T)
        close(out["products"][0, i].T, m * m + m @ m.T - 2 * m, 1e-4)
        wanted = [np.linalg.det(m), np.linalg.det(upper), np.linalg.det(corner), 1 / np.linalg.det(upper)]
        close(out["determinants"][0, i], wanted, 1e-4)
        close(out["outers"][0, i][:, :3].T, np.outer(upper[:, 0], corner[:, 1]))
        inverse = np.linalg.inv(corner)
        close(out["rows"][0, i], np.append(upper[:, 0], 1) @ m + np.append(inverse @ [1, 2], inverse[:, 1]), 1e-4)


def test_shared_matrices(rng):
    columns, wide, out = floats(rng, 8, 4, 4), floats(rng, 3, 2), np.zeros((8, 4), F)
    result = columns.copy()
    run("shared_matrices.comp", (1,), (8,), {0: result, 1: wide, 2: out})
    for i in range(8):
        m = columns.astype(float).transpose(0, 2, 1)
        product = m[(i + 1) % 8] @ m[i]
        product[1, 1] += 2 * wide[2, 1]
        pair = [1 + 2 * 13, 2 + 2 * 4]
        close(out[i], product @ [i, 1, 2, 3] + [*pair, 5, 6], 1e-4)
        m[i][:, 2] = [i, 1, 2, 3]
        close(result[i], 2 * m[i])  # columns of the transposed


def test_shared_reduction(rng):
    values, sums = rng.integers(-1000, 1000, 512, dtype=S), np.zeros(4, S)
    run("shared_reduction.comp", (4,), (128,), {0: values, 1: sums})
    np.testing.assert_array_equal(sums, values.reshape(4, 128).sum(1))


def test_shared_scan(rng):
    values = rng.integers(-8, 8, 96 * 3).astype(F)
    out = values.copy()
    run("shared_scan.comp", (3,), (96,), {0: out})
    np.testing.assert_array_equal(out.reshape(3, 96), values.reshape(3, 96).cumsum(1))


def test_tile_transpose(rng):
    a, out = rng.integers(0, 1 << 32, (21, 37), dtype=U), np.zeros((37, 21), U)
    run("tile_transpose.comp", (3, 2), (16, 4), {0: np.array([37, 21], U), 1: a, 2: out})
    np.testing.assert_array_equal(out, a.T)


def test_atomics():
    n = 256
    counters = np.array([0, 1000, -1000 & 0xFFFFFFFF, 0xFFFFFFFF, 0, 0, 0, 0] + [0] * 8, U)
    order = np.zeros(n, U)
    run("atomics.comp", (4,), (64,), {0: counters, 1: order})
    i = np.arange(n, dtype=np.int64)
    assert counters[0] == i.sum()
    assert counters.view(S)[1] == (i * 53 % 97 - 60).min()
    assert counters.view(S)[2] == (i * 37 % 101 - 50).max()
    assert counters[3] == 0xFFFFFFFF & ~0x7F
    assert counters[4] == (1 << 13) - 1
    assert counters[5] == np.bitwise_xor.reduce((i * 2654435761 & 0xFFFFFFFF).astype(U))
    assert counters[6] == n
    assert counters[7] == (i * 31 % 257).max()
    np.testing.assert_array_equal(counters[8:], np.bincount(i * i % 8, minlength=8))
    np.testing.assert_array_equal(np.sort(order), i)


def test_control_flow(rng):
    a, out = rng.integers(0, 60, 128, dtype=S), np.zeros(128, S)
    run("control_flow.comp", (2,), (64,), {0: a, 1: out})

    def collatz(n):
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
            if steps > 40:
                return -steps
        return steps

    for i, x in enumerate(map(int, a)):
        total = 0
        for k in range(12):
            if k == x % 5:
                continue
            case = (x + k) % 6
            if case in (0, 1):
                total += 11 if case == 0 else 10
            elif case == 2:
                total += sum(range(k, 0, -2)) if k > 0 else k
            elif case == 3:
                total -= 0 if k > 7 else 5
            else:
                total ^= k
            if total > 200:
                break
        p, q = x, 1
        while p > q:
            total, p, q = total + p * q, p - 3, q + 2
        assert out[i] == total * 1000 + collatz(x + 1)


def test_arrays_and_functions(rng):
    a, out = floats(rng, 64, 4), np.zeros((64, 4), F)
    run("arrays_and_functions.comp", (2,), (32,), {0: a, 1: out})
    weights, corners = [0.0625, 0.25, 0.375, 0.25, 0.0625], [(0, 0), (1, 0), (1, 1), (0, 1)]
    for i in range(64):
        v = a[i].astype(float)
        line = [*v, float(i)]
        line = [sum(weights[k] * line[min(max(j + k - 2, 0), 4)] for k in range(5)) for j in range(5)]
        x = line[i % 5]
        low, high = sorted((v[0], v[3])), sorted((v[1], v[2]))
        front, back = [low[0], high[0]], [high[1], low[1]]
        total = np.array([x, x * x, x**3]) + front[0]
        large = total[0] > 1
        if large:
            total = total + back[1]
            large = total[2] > 1  # of zyx, the first
        total[:2] += corners[i % 4]
        table = [[line[r + c] * (r + 1) for c in range(3)] for r in range(2)]
        wanted = [*(total + np.array([*front, back[0]])), table[i % 2][i % 3] + large + 2]
        close(out[i], wanted, 1e-4)


def test_swizzles(rng):
    a = rng.integers(-4, 5, (64, 4)).astype(F)
    layout = np.zeros(1, np.dtype([("b", F, (64, 4)), ("c", S, (64, 4))]))
    run("swizzles.comp", (4,), (16,), {0: a, 1: layout})
    for i in range(64):
        v = a[i].copy()
        w = v[::-1].copy()
        w[0] = w[2] = v[1]
        w[1], w[3] = w[1] * 2, w[3] * -1
        v[:3] = v[2::-1] + w[3]
        v[i % 4] += 10
        p = np.array([v[0], v[1], w[2]])
        p[2], p[0] = p[0], p[2]
        less, equal = v < w, v == a[i]
        np.testing.assert_array_equal(layout["b"][0, i], np.where(less, w, v) + np.array([*p, p[1]]))
        flags = less + 2 * equal + 4 * ~less
        flags[3] += 100 * less.any()
        flags[2] += 1000
        flags[0], flags[1] = -flags[1], -flags[0]
        np.testing.assert_array_equal(layout["c"][0, i], flags)


def test_packing(rng):
    f, u = floats(rng, 64, 4, low=-1.3, high=1.3), rng.integers(0, 1 << 32, (64, 4), dtype=U)
    given = np.zeros(1, np.dtype([("f", F, (64, 4)), ("u", U, (64, 4))]))
    given["f"], given["u"] = f, u
    out = np.zeros(1, np.dtype([("bits", U, (64, 16)), ("real", F, (64, 16))]))
    run("packing.comp", (2,), (32,), {0: given, 1: out})

    def packed(values, bits, low):
        top = (1 << bits) - 1 if low == 0 else (1 << (bits - 1)) - 1
        whole = [int(np.rint(np.clip(F(v), low, 1) * F(top))) & ((1 << bits) - 1) for v in values]
        return sum(value << bits * k for k, value in enumerate(whole))

    def signed(value, bits=32):
        return value - (1 << bits) if value >> (bits - 1) & 1 else value

    for i in range(64):
        v, (x, y, z, w) = f[i], map(int, u[i])
        got = [int(b) for b in out["bits"][0, i]]
        halves = (v[:2] * F(100)).astype(np.float16).view(np.uint16).astype(int)
        shifted, top = x << i % 32 & 0xFFFFFFFF, y >> i % 32
        low_bit = (shifted & -shifted).bit_length() - 1 if shifted else -1
        deep = signed(x) >> 3
        high_bit = (deep if deep >= 0 else ~deep).bit_length() - 1
        total, wide, swide = x + y, x * y, signed(x) * signed(y)
        wanted = [
            packed(v, 8, 0), packed(v, 8, -1), packed(v[:2], 16, 0), packed(v[2:], 16, -1), halves[0] | halves[1] << 16,
            x >> 5 & 0x7FF, signed(x >> 9 & 0x7F, 7), x & ~(0x3FFF << 3) | (y & 0x3FFF) << 3,
            int(f"{z:032b}"[::-1], 2), w.bit_count(), low_bit, (top.bit_length() - 1) ^ (high_bit << 8),
            (total & 0xFFFFFFFF) ^ (total >> 32), (x - y & 0xFFFFFFFF) + (x < y),
            (wide >> 32) ^ (wide & 0xFFFFFFFF) ^ (swide >> 32), int(v[0].view(U)) ^ int(v[1].view(U)),
        ]  # fmt: skip
        assert got == [value & 0xFFFFFFFF for value in wanted], i
        bytes_ = [x >> 8 * k & 255 for k in range(4)]
        snorms = [max(signed(y >> 8 * k & 255, 8) / 127, -1) for k in range(4)]
        words = [(z >> 16 * k & 0xFFFF) / 65535 for k in range(2)]
        swords = [max(signed(w >> 16 * k & 0xFFFF, 16) / 32767, -1) for k in range(2)]
        half = np.array([x & 0x7BFF, x >> 16 & 0x7BFF], np.uint16).view(np.float16).astype(F)
        real = U(x & 0x3FFFFFFF | 0x3F800000).view(F)
        close(out["real"][0, i], [*(b / 255 for b in bytes_), *snorms, *words, *swords, *half, real,
                                  v[2] * 2.0 ** (i % 20 - 10)])  # fmt: skip


def test_rounding(rng):
    a = np.where(rng.random((128, 2)) < 0.3, rng.integers(-8, 9, (128, 2)) / 2, floats(rng, 128, 2)).astype(F)
    a[:, 1] = np.where(a[:, 1] == 0, 1, a[:, 1])
    out = np.zeros((128, 20), F)
    run("rounding.comp", (2,), (64,), {0: a, 1: out})
    x, y = a.astype(float).T
    mantissa, exponent = np.frexp(x)
    t = np.clip((x + 1) / 3, 0, 1)
    wanted = [
        x - y * np.floor(x / y), x - np.floor(x), np.trunc(x), x - np.trunc(x), mantissa, exponent, np.floor(x),
        np.ceil(x), np.trunc(x), np.sign(x), np.rint(x), t * t * (3 - 2 * t), x >= y, np.clip(x, -2, 2.5),
        x * 0.75 + y * 0.25, np.minimum(x, y), np.maximum(x, y), abs(x), -x - 2.5 * np.floor(-x / 2.5), x * y + 1,
    ]  # fmt: skip
    got = out.T.astype(float).copy()
    # Where the quotient rounds to the next integer, mod is the divisor instead of zero.
    for row, by in ((0, y), (18, 2.5)):
        got[row] = np.where(abs(abs(got[row] - wanted[row]) - abs(by)) < 1e-4, wanted[row], got[row])
    close(got, wanted, 1e-4)


def test_subgroups(rng):
    a, out = rng.integers(0, 100, 128, dtype=U), np.zeros((128, 16), U)
    run("subgroups.comp", (2,), (64,), {0: a, 1: out})
    for i in range(128):
        lane, first = i % 32, i - i % 32
        group = a[first : first + 32].astype(int)
        odd = sum(1 << k for k in range(32) if group[k] & 1)
        horizontal, quad = group[lane ^ 1], group[lane // 4 * 4 + 2]
        wanted = [
            group.sum(), group.min(), np.bitwise_or.reduce(group), group[: lane + 1].sum(), group[:lane].sum(),
            group[5], group[0], group[31 - lane], group[lane ^ 3], group[lane - 2] if lane >= 2 else 0, odd,
            odd.bit_count(), (group > 90).any() + 2 * (group > 2).all() + 4 * (lane == 0), horizontal + 1000 * quad,
            group.max() if i // 32 % 2 else 0, 232,
        ]  # fmt: skip
        assert list(out[i]) == wanted, i


def test_blur_image(rng):
    source = Image(rng.integers(0, 256, (13, 21, 4)), "rgba8")
    result = Image(np.zeros((13, 21, 4)), "rgba8")
    run("blur_image.comp", (3, 2), (8, 8), {}, {0: source, 1: result})
    wide = np.pad(source.texels.astype(float), ((1, 1), (1, 1), (0, 0)), mode="edge")
    wanted = sum(wide[dy : dy + 13, dx : dx + 21] for dy in range(3) for dx in range(3)) / 9
    assert abs(result.read() - wanted).max() <= 0.51


def test_integer_images(rng):
    volume = Image(rng.integers(0, 60000, (4, 8, 8, 4)), "rgba16ui", "3d")
    layers, plane = Image(np.zeros((4, 8, 8)), "r32i", "2d_array"), Image(floats(rng, 8, 8), "r32f")
    run("integer_images.comp", (2, 2, 2), (4, 4, 2), {}, {0: volume, 1: layers, 2: plane})
    texels = volume.texels.astype(int)
    np.testing.assert_array_equal(layers.read(), texels[..., 0] - texels[..., 3] * 4)
    close(plane.read(), texels[0, :, :, 1] / 4)


def test_texture_sampling(rng):
    image = Image(rng.integers(0, 256, (5, 7, 4)), "rgba8")
    out = np.zeros((16, 16, 4, 4), F)
    run("texture_sampling.comp", (2, 2), (8, 8), {1: out}, {0: image}, {0: sampler(linear=True)})
    texels = image.texels / 255

    def texel(x, y):
        return texels[min(max(y, 0), 4), min(max(x, 0), 6)]

    for y in range(16):
        for x in range(16):
            u, v = (x + 0.25) / 16 * 7 - 0.5, (y + 0.25) / 16 * 5 - 0.5
            left, top = math.floor(u), math.floor(v)
            fx, fy = u - left, v - top
            near = [[texel(left + dx, top + dy) for dx in range(2)] for dy in range(2)]
            filtered = (near[0][0] * (1 - fx) + near[0][1] * fx) * (1 - fy)
            filtered = filtered + (near[1][0] * (1 - fx) + near[1][1] * fx) * fy
            close(out[y, x, 0], filtered, 1 / 256)
            close(out[y, x, 1], texels[y % 5, x % 7])
            close(out[y, x, 2], [near[1][0][1], near[1][1][1], near[0][1][1], near[0][0][1]])
            close(out[y, x, 3], texel(x % 7 + 1, y % 5 - 1), 1e-3)


def test_texture_kinds(rng):
    layers = Image(rng.integers(0, 256, (3, 1, 4, 4)), "rgba8", "2d_array")
    volume = Image(rng.integers(0, 256, (4, 4, 4, 4)), "rgba8", "3d")
    sky = Image(rng.integers(0, 256, (6, 1, 1, 4)), "rgba8", "cube")
    labels = Image(rng.integers(0, 256, (4, 4, 4)), "rgba8ui")
    depth = Image(np.full((2, 2), 0.5), "depth32f")
    out = np.zeros(1, np.dtype([("result", F, (32, 4, 4)), ("lit", F, 32)]))
    nearest = sampler()
    samplers = {0: nearest, 1: nearest, 2: nearest, 4: sampler(compare=pm.CompareFunction.LessEqual)}
    textures = {0: layers, 1: volume, 2: sky, 3: labels, 4: depth}
    run("texture_kinds.comp", (1,), (32,), {5: out}, textures, samplers)
    for i in range(32):
        t = (i + 0.5) / 32
        result = out["result"][0, i]
        close(result[0], layers.texels[i % 3, 0, int(t * 4)] / 255)
        close(result[1], volume.texels[3, 1, int(t * 4)] / 255)
        close(result[2], sky.texels[i % 6, 0, 0] / 255)
        np.testing.assert_array_equal(result[3], labels.texels[i // 8, i % 4])
        assert out["lit"][0, i] == (t <= 0.5)


def test_specialization_constants(rng):
    a = floats(rng, 32)
    for constants, factor, negate in (({}, 0.5, False), ({1: 0.25, 2: True}, 0.25, True)):
        out = a.copy()
        run("specialization.comp", (1,), (32,), {0: out}, constants=constants)
        wanted = a + factor * sum(k % 3 + 1 for k in range(7))
        close(out, -wanted if negate else wanted)


def test_array_length():
    data, sizes = np.full(12, 7, S), np.zeros(32, U)
    sizes[0] = data.nbytes
    run("array_length.comp", (1,), (16,), {0: data, 25: sizes})
    np.testing.assert_array_equal(data, [11, *(1100 + i for i in range(11))])


def test_wide_integers(rng):
    given = np.zeros(1, np.dtype([("a", np.int64, 64), ("h", np.int16, (64, 2)), ("c", np.uint8, (64, 4))]))
    given["a"] = rng.integers(-(2**62), 2**62, 64)
    given["h"], given["c"] = rng.integers(-9000, 9000, (64, 2)), rng.integers(0, 256, (64, 4))
    out = np.zeros(1, np.dtype([("wide", np.uint64, 64), ("narrow", np.int16, (64, 2)), ("bytes", np.uint8, (64, 4))]))
    run("wide_integers.comp", (2,), (32,), {0: given, 1: out})
    for i in range(64):
        x, h, c = int(given["a"][0, i]), given["h"][0, i].astype(int), given["c"][0, i].astype(int)
        by = abs(x) // 1000 * (1 if x >= 0 else -1)
        assert int(out["wide"][0, i]) == ((x * x) ^ ((x >> 7) + by)) & (1 << 64) - 1
        np.testing.assert_array_equal(out["narrow"][0, i], (h * 3 - (h[::-1] >> 2)).astype(np.int16))
        np.testing.assert_array_equal(out["bytes"][0, i], (c + c[::-1] * 5) & 255)


def test_half_floats(rng):
    a, out = floats(rng, 64, 4).astype(np.float16), np.zeros((64, 4), np.float16)
    run("half_floats.comp", (2,), (32,), {0: a, 1: out})
    wanted = np.where(a < 1.5, -a, a * np.float16(2) + np.float16(1.5)) + np.float16(0.25)
    np.testing.assert_allclose(out.astype(F), wanted.astype(F), rtol=2e-3, atol=2e-3)


def test_mandelbrot():
    rounds = Image(np.zeros((40, 60)), "r32ui")
    view = struct.pack("ffffii", -2.0, -1.25, 3 / 60, 2.5 / 40, 50, 0)
    run("mandelbrot.comp", (4, 3), (16, 16), {0: np.frombuffer(view, np.uint8).copy()}, {0: rounds})
    step = np.array([3 / 60, 2.5 / 40], F)
    c = np.stack(np.meshgrid(F(-2) + step[0] * np.arange(60, dtype=F), F(-1.25) + step[1] * np.arange(40, dtype=F)))
    z, n = np.zeros_like(c), np.zeros((40, 60), int)
    for _ in range(50):
        inside = z[0] * z[0] + z[1] * z[1] < 4
        n += inside
        z = np.where(inside, np.stack([z[0] * z[0] - z[1] * z[1], F(2) * z[0] * z[1]]) + c, z)
    # A multiplication fused with an addition moves the boundary by a round here and there.
    assert (rounds.read() == n).mean() > 0.98


def test_ray_march():
    picture = Image(np.zeros((24, 32, 4)), "rgba32f")
    run("ray_march.comp", (4, 3), (8, 8), {}, {0: picture})
    got = picture.read()
    x, y = (np.arange(32) + 0.5) / 16 - 1, (np.arange(24) + 0.5) / 12 - 1
    direction = np.stack(np.broadcast_arrays(x[None, :], -y[:, None], 1.5), -1)
    direction = direction / np.linalg.norm(direction, axis=-1, keepdims=True)
    # Where each ray meets the ball or the plane, by formula.
    along = direction[..., 2] * 4
    inside = along**2 - 15
    with np.errstate(invalid="ignore", divide="ignore"):
        ball = np.where(inside > 0, along - np.sqrt(inside), np.inf)
        ground = np.where(direction[..., 1] < 0, -1 / direction[..., 1], np.inf)
    t = np.minimum(ball, ground)
    sure = (t < 12) & (abs(inside) > 0.3) & ~np.isclose(ball, ground, atol=0.1)
    assert sure.sum() > 200
    np.testing.assert_allclose(got[..., 3][sure], t[sure], atol=0.03, rtol=0.01)
    light = np.array([1, 2, -1]) / 6**0.5
    on_ball = sure & (ball < ground)
    normal = direction * np.where(on_ball, t, 0)[..., None] - [0, 0, 4]
    shade = 0.1 + 0.9 * np.maximum(normal @ light, 0)
    np.testing.assert_allclose(got[..., 0][on_ball], (0.9 * shade)[on_ball], atol=0.03)


def test_noise():
    out = np.zeros((8, 32), F)
    run("noise.comp", (2, 8), (16,), {0: out})

    def hashed(x, y):
        x, y = np.int64(x) & 0xFFFFFFFF, np.int64(y) & 0xFFFFFFFF
        x, y = (v * 1664525 + 1013904223 & 0xFFFFFFFF for v in (x, y))
        x = x + y * 1664525 & 0xFFFFFFFF
        y = y + x * 1664525 & 0xFFFFFFFF
        x, y = x ^ x >> 16, y ^ y >> 16
        x = x + y * 1664525 & 0xFFFFFFFF
        return (x ^ x >> 15) & 0xFFFF

    def noise(p):
        cell = np.floor(p).astype(int)
        f = p - cell
        f = f * f * (3 - 2 * f)
        corner = [[hashed(cell[0] + dx, cell[1] + dy) / 65535 for dx in range(2)] for dy in range(2)]
        low, high = (row[0] * (1 - f[0]) + row[1] * f[0] for row in corner)
        return low * (1 - f[1]) + high * f[1]

    for y in range(8):
        for x in range(32):
            p, total, weight = (np.array([x, y], float) - 16) / 5, 0.0, 0.5
            for _ in range(4):
                total += weight * noise(p)
                p = np.array([0.8 * p[0] - 0.6 * p[1], 0.6 * p[0] + 0.8 * p[1]]) * 2
                weight /= 2
            assert abs(out[y, x] - total) < 2e-3


def test_bitonic_sort(rng):
    keys = np.stack([rng.permutation(512), np.arange(512)], 1).astype(S)
    out = keys.copy()
    run("bitonic_sort.comp", (2,), (128,), {0: out})
    wanted = np.concatenate([part[part[:, 0].argsort()] for part in (keys[:256], keys[256:])])
    np.testing.assert_array_equal(out, wanted)


def test_matrix_multiply(rng):
    m, n, k = 37, 29, 50
    a, b = rng.integers(-8, 8, (m, k)).astype(F), rng.integers(-8, 8, (k, n)).astype(F)
    c = np.zeros((m, n), F)
    run("matrix_multiply.comp", (2, 3), (16, 16), {0: a, 1: b, 2: c, 3: np.array([m, n, k, 0], U)})
    np.testing.assert_array_equal(c, a @ b)


def test_descriptor_arrays(rng):
    parts, out = [floats(rng, 16) for _ in range(3)], np.zeros((16, 4), F)
    pictures = [Image(rng.integers(0, 256, (4, 4, 4)), "rgba8") for _ in range(2)]
    textures = {4: pictures[0], 5: pictures[1]}
    samplers = {4: sampler(), 5: sampler()}
    run("descriptor_arrays.comp", (1,), (16,), {0: parts[0], 1: parts[1], 2: parts[2], 8: out}, textures, samplers)
    total = parts[0] + 2 * parts[1] + 3 * parts[2]
    texels = (pictures[0].texels + 3 * pictures[1].texels.astype(float)).reshape(16, 4) / 255
    close(out, texels + total[:, None])


def test_workgroup_positions():
    out = np.zeros((4, 6, 12, 4), U)
    run("workgroup_positions.comp", (4, 3, 2), (3, 2, 2), {0: out})
    for z in range(4):
        for y in range(6):
            for x in range(12):
                local, group = (x % 3, y % 2, z % 2), (x // 3, y // 2, z // 2)
                wanted = [sum(v * 10**k for k, v in enumerate(local)), sum(v * 10**k for k, v in enumerate(group)),
                          local[0] + 3 * (local[1] + 2 * local[2]), 24]  # fmt: skip
                assert list(out[z, y, x]) == wanted


def test_life(rng):
    cells = rng.integers(0, 2, (16, 24))
    before, after = Image(cells, "r8ui"), Image(np.zeros((16, 24)), "r8ui")
    run("life.comp", (3, 2), (8, 8), {}, {0: before, 1: after})
    around = sum(np.roll(cells, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)) - cells
    np.testing.assert_array_equal(after.read(), (around == 3) | ((around == 2) & (cells == 1)))
