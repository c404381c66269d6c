# SPDX-License-Identifier: MIT
"""Every place in the grid as `uint` and `ushort`, whole and in part, in a grid with smaller groups at its edges."""

from __future__ import annotations

import numpy as np
import pytest

THREE = [
    "thread_position_in_grid", "threadgroup_position_in_grid", "thread_position_in_threadgroup",
    "threads_per_threadgroup", "threads_per_grid", "threadgroups_per_grid", "dispatch_threads_per_threadgroup",
    "grid_origin", "grid_size",
]  # fmt: skip
ONE = [
    "thread_index_in_threadgroup", "thread_index_in_simdgroup", "simdgroup_index_in_threadgroup",
    "simdgroups_per_threadgroup", "dispatch_simdgroups_per_threadgroup", "thread_index_in_quadgroup",
    "quadgroup_index_in_threadgroup", "quadgroups_per_threadgroup", "dispatch_quadgroups_per_threadgroup",
    "threads_per_simdgroup", "thread_execution_width",
]  # fmt: skip

# Their types must match, so a grid has as many dimensions as the places have components.
GRID, GROUP = (37, 9, 5), (16, 4, 2)


def expected(shape: tuple[int, ...], threadgroup: tuple[int, ...]) -> dict[str, np.ndarray]:
    """Of each thread, in the order of x, then y, then z."""
    z, y, x = np.meshgrid(*[np.arange(n) for n in shape[::-1]], indexing="ij")
    position = np.stack([x, y, z], -1).reshape(-1, 3)
    grid, group = np.array(shape), np.array(threadgroup)
    at = position // group
    size = np.minimum(group, grid - at * group)
    local = position - at * group
    index = local[:, 0] + size[:, 0] * (local[:, 1] + size[:, 1] * local[:, 2])
    threads, whole = size.prod(1), np.full(len(position), group.prod())
    every = np.ones_like(position)
    return {
        "thread_position_in_grid": position,
        "threadgroup_position_in_grid": at,
        "thread_position_in_threadgroup": local,
        "threads_per_threadgroup": size,
        "threads_per_grid": every * grid,
        "threadgroups_per_grid": every * -(-grid // group),
        "dispatch_threads_per_threadgroup": every * group,
        "grid_origin": every * 0,
        "grid_size": every * grid,
        "thread_index_in_threadgroup": index,
        "thread_index_in_simdgroup": index % 32,
        "simdgroup_index_in_threadgroup": index // 32,
        "simdgroups_per_threadgroup": -(-threads // 32),
        "dispatch_simdgroups_per_threadgroup": -(-whole // 32),
        "thread_index_in_quadgroup": index % 4,
        "quadgroup_index_in_threadgroup": index // 4,
        "quadgroups_per_threadgroup": -(-threads // 4),
        "dispatch_quadgroups_per_threadgroup": -(-whole // 4),
        "threads_per_simdgroup": whole * 0 + 32,
        "thread_execution_width": whole * 0 + 32,
    }


@pytest.mark.parametrize("element", ["uint", "ushort"])
@pytest.mark.parametrize("components", [1, 2, 3])
def test_places(compiles, element: str, components: int) -> None:
    kind = element + (str(components) if components > 1 else "")
    parameters = "".join(f", {kind} a{i} [[{name}]]" for i, name in enumerate(THREE))
    parameters += "".join(f", {element} b{i} [[{name}]]" for i, name in enumerate(ONE))
    letters = [""] if components == 1 else [f".{letter}" for letter in "xyz"[:components]]
    values = [f"a{i}{letter}" for i in range(len(THREE)) for letter in letters] + [f"b{i}" for i in range(len(ONE))]
    body = "".join(f"    out[n * {len(values)} + {i}] = {value};\n" for i, value in enumerate(values))
    grid = GRID[:components] + (1,) * (3 - components)
    group = GROUP[:components] + (1,) * (3 - components)
    steps = (1, GRID[0], GRID[0] * GRID[1])[:components]
    thread = " + ".join(f"{step} * uint({value})" for step, value in zip(steps, values[:components], strict=True))
    source = f"kernel void places(device uint* out [[buffer(0)]]{parameters}) {{\n    uint n = {thread};\n{body}}}\n"
    out = np.full((int(np.prod(grid)), len(values)), 0xFFFFFFFF, np.uint32)
    compiles(source)["places"](out, grid=grid, threadgroup=group)
    wanted = expected(grid, group)
    columns = [wanted[name][:, :components] for name in THREE] + [wanted[name][:, None] for name in ONE]
    np.testing.assert_array_equal(out, np.hstack(columns))


def test_types_that_the_specification_lets_differ(compiles) -> None:
    """A scalar goes with vectors, and what it does not name goes with all."""
    library = compiles("""
        kernel void run(device uint* out, uint2 p [[thread_position_in_threadgroup]],
                        ushort g [[threadgroup_position_in_grid]],
                        ushort lane [[thread_index_in_simdgroup]], uint width [[thread_execution_width]],
                        uint quad [[thread_index_in_quadgroup]], ushort3 size [[grid_size]]) {
            out[lane] = p.x + g + width * 100 + quad * 10000 + size.x * 100000;
        }
    """)
    out = np.zeros(4, np.uint32)
    library["run"](out, grid=4, threadgroup=4)
    assert out.tolist() == [i + 3200 + i * 10000 + 400000 for i in range(4)]
