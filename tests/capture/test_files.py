# SPDX-License-Identifier: MIT
"""Files: read without a device, damaged, foreign, hostile. Nothing but ValueError comes of a bad one."""

import contextlib
import io
import json
import os
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mtlpy_nb
from mtlpy_nb import capture

from .conftest import SOURCE


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A capture with a bit of everything."""
    device = mtlpy_nb.Device(cache_path=False)
    kernels = device.library(SOURCE)
    found = tmp_path_factory.mktemp("capture") / "good.metalcapture"
    image = np.random.default_rng(5).integers(0, 256, (300, 300, 4), dtype=np.uint8)
    source, result = device.texture(image), device.empty_texture((300, 300), "rgba8Unorm")
    with device.start_capture(found), device.capture_scope("scope"):
        kernels["twice"](np.arange(64, dtype=np.float32))
        kernels["invert"](source, result)
        kernels["sampled"](source, device.sampler(), np.zeros((1, 4), np.float32))
        kernels["move_all"](
            np.zeros(3, kernels["move_all"].arguments["particles"].dtype), {"scale": 1, "shift": (0, 0)}
        )
    return found


class Data(bytes):
    """Bytes that are not shown when a test fails."""

    def __repr__(self):
        return f"<{len(self)} bytes>"


@pytest.fixture(scope="module")
def good(path):
    return Data(path.read_bytes())


def entries_of(data):
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


def zipped(entries):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in entries.items():
            file.writestr(name, data)
    return stream.getvalue()


def use(data):
    """Load a capture and look at all of it."""
    found = capture.load(data)
    str(found)
    for command in found.commands:
        str(command)
        for bound in (*command.buffers.values(), *command.textures.values()):
            _ = bound.before, bound.after, bound.changed
        _ = command.changed, command.places, command.size, command.event, command.value, command.text
    for resource in found.resources:
        with contextlib.suppress(IndexError):
            found.history(resource, (0, 0) if resource.kind == "texture" else 0)
    return found


WITHOUT_DEVICE = """
import sys
import numpy as np
import mtlpy_nb
from mtlpy_nb import _native
def refuse(*arguments): raise AssertionError("a device was asked for")
_native.create_system_default_device = _native.copy_all_devices = refuse
with mtlpy_nb.capture.load(sys.argv[1]) as file:
    print(len(file.commands), file.commands[0].buffers["x"].after[3], file.commands[1].textures["result"].after.shape,
          file.commands[3].buffers["particles"].after.dtype.names)
import os
threads = [open(f"/proc/self/task/{task}/comm").read() for task in os.listdir("/proc/self/task")]
assert not [name for name in threads if name.startswith("metal")], threads
"""


def test_a_new_process_without_a_device(path):
    end = subprocess.run(
        [sys.executable, "-c", WITHOUT_DEVICE, path],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "MTLPY_COMPILER": "/nowhere"},
    )
    assert end.returncode == 0, end.stderr
    assert end.stdout == "4 6.0 (300, 300, 4) ('position', 'mass', 'kind')\n"


def test_paths_bytes_and_files(path, good):
    for source in (path, str(path), good, bytearray(good), memoryview(good), io.BytesIO(good)):
        found = use(source)
        assert [command.kernel for command in found] == ["twice", "invert", "sampled", "move_all"]
        found.close()
    with open(path, "rb") as stream:
        capture.load(stream).close()
        assert not stream.closed
    with pytest.raises(TypeError, match="expected a path, bytes or a file opened with 'rb', got int"):
        capture.load(7)
    with pytest.raises(FileNotFoundError):
        capture.load(path.with_name("nothing"))


def test_any_zip_program_can_read_it(good):
    entries = entries_of(good)
    manifest = json.loads(entries["manifest.json"])
    assert (manifest["format"], manifest["version"]) == ("mtlpy_nb capture", 1)
    assert entries["sources/0.metal"].decode() == SOURCE
    size, blocks = json.loads(entries["contents.json"])[json.loads(entries["commands.json"])[0]["after"][0]]
    data = b"".join(entries[f"blocks/{name}"] for name in blocks)
    assert size == len(data) == 256
    np.testing.assert_array_equal(np.frombuffer(data, np.float32), np.arange(64) * 2)
    assert all(not name.startswith("/") and ".." not in name for name in entries)


def test_zipped_again_it_is_the_same(good):
    assert str(use(zipped(entries_of(good)))) == str(use(good)).replace("good.metalcapture", "the data")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the data is no zip file"),
        (b"PK\x05\x06" + bytes(18), "has no manifest.json, so it is another kind of zip file"),
        (b"some text, which is no capture", "is no zip file"),
        (zipped({"manifest.json": b"{"}), "'manifest.json' is no JSON"),
        (zipped({"manifest.json": b"[" * 100_000}), "'manifest.json' is no JSON"),
        (zipped({"manifest.json": b"[]"}), "manifest.json is a list, expected an object"),
        (zipped({"manifest.json": b'{"format": "photo"}'}), "is another kind of file: its format is 'photo'"),
        (
            zipped({"manifest.json": b'{"format": "mtlpy_nb capture", "version": 99}'}),
            "has version 99 of the format; this package reads up to 1",
        ),
        (zipped({"manifest.json": b'{"format": "mtlpy_nb capture"}'}), "manifest.json has no 'version'"),
    ],
)
def test_foreign_files(data, message):
    with pytest.raises(ValueError, match=message):
        capture.load(data)


def test_other_kinds_of_archives(tmp_path):
    import tarfile

    with tarfile.open(tmp_path / "a.tar", "w") as file:
        file.add(__file__, "x")
    with pytest.raises(ValueError, match=r"a\.tar' is no zip file"):
        capture.load(tmp_path / "a.tar")


@pytest.mark.parametrize("name", ["objects.json", "commands.json", "contents.json", "sources/0.metal"])
def test_parts_that_are_missing(good, name):
    entries = entries_of(good)
    del entries[name]
    with pytest.raises(ValueError, match=f"'{name}' is missing"):
        capture.load(zipped(entries))


def test_blocks_are_missed_when_they_are_looked_at(good):
    entries = {name: data for name, data in entries_of(good).items() if not name.startswith("blocks/")}
    found = capture.load(zipped(entries))
    with pytest.raises(ValueError, match=r"'blocks/[0-9a-f]{32}' is missing"):
        _ = found[0].buffers["x"].before


def test_blocks_of_another_size(good):
    entries = {name: data + b"x" if name.startswith("blocks/") else data for name, data in entries_of(good).items()}
    with pytest.raises(ValueError, match=r"block [0-9a-f]{32} has 257 bytes, should have 256"):
        _ = capture.load(zipped(entries))[0].buffers["x"].before


def test_bytes_that_were_changed(good):
    """zip's checksum tells."""
    name = f"blocks/{json.loads(entries_of(good)['contents.json'])[0][1][0]}".encode()
    at = good.index(name) + len(name) + 5
    found = capture.load(good[:at] + bytes([good[at] ^ 255]) + good[at + 1 :])
    with pytest.raises(ValueError, match="cannot be read"):
        _ = found[0].buffers["x"].before


@given(st.floats(0, 1, exclude_max=True))
def test_truncated_files(good, part):
    with pytest.raises(ValueError, match="damaged capture"):
        use(good[: int(part * len(good))])


@given(st.lists(st.tuples(st.integers(0, 12_000), st.integers(0, 255)), min_size=1, max_size=8))
def test_changed_bytes(good, changes):
    """The directory and the small parts are at the end of the file."""
    changed = bytearray(good)
    for from_end, value in changes:
        changed[len(good) - 1 - from_end] = value
    with contextlib.suppress(ValueError):
        use(bytes(changed))


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.integers(-3, 40),
    st.floats(),
    st.text(max_size=5),
    st.builds(list),
    st.builds(dict),
    st.lists(st.integers(0, 5), max_size=4),
    st.sampled_from(["texture", "buffer", "dispatch", "copy", "wait", "../../etc/passwd"]),
)


def leaves(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from leaves(part, (*path, key))


@given(st.data())
def test_changed_json(good, data):
    """Whatever the parts claim, it is a capture that can be looked at, or a ValueError."""
    entries = entries_of(good)
    name = data.draw(st.sampled_from(["manifest.json", "objects.json", "commands.json", "contents.json"]))
    value = json.loads(entries[name])
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.sampled_from(sorted(leaves(value), key=str)))
        if not place:
            continue
        holder = value
        for key in place[:-1]:
            holder = holder[key]
        if data.draw(st.booleans()) or not isinstance(holder, dict):
            holder[place[-1]] = data.draw(VALUES)
        else:
            del holder[place[-1]]
    entries[name] = json.dumps(value).encode()
    with contextlib.suppress(ValueError):
        use(zipped(entries))


def changed_json(good, name, change):
    entries = entries_of(good)
    value = json.loads(entries[name])
    change(value)
    entries[name] = json.dumps(value).encode()
    return zipped(entries)


def test_bombs(good):
    """A small file that claims to hold much."""
    entries = entries_of(good)
    first = f"blocks/{json.loads(entries['contents.json'])[0][1][0]}"
    huge = io.BytesIO()
    with zipfile.ZipFile(huge, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in entries.items():
            file.writestr(name, bytes(1 << 26) if name == first else data)
    with pytest.raises(ValueError, match="has 67108864 bytes, may have 1048576"):
        _ = capture.load(huge.getvalue())[0].buffers["x"].before

    def repeat(contents):
        contents[0] = [1 << 38, [contents[0][1][0]] * (1 << 18)]

    found = capture.load(changed_json(good, "contents.json", repeat))
    with pytest.raises(ValueError, match=r"too much for this computer's memory|bytes"):
        _ = found[0].buffers["x"].before


def test_a_size_in_the_directory_that_is_a_lie(good):
    """zip says 4 bytes, what is packed is far more: no more than asked for is unpacked."""
    entries = entries_of(good)
    name = next(name for name in entries if name.startswith("blocks/"))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for other, data in entries.items():
            file.writestr(other, bytes(1 << 26) if other == name else data)
        file.getinfo(name).file_size = 256
    with pytest.raises(ValueError, match=r"cannot be read|bytes"):
        use(stream.getvalue())


def test_names_that_lead_out_of_the_file(good, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret").write_text("secret")

    def outside(contents):
        contents[0][1][0] = "../../secret"

    with pytest.raises(ValueError, match="has a block whose name is no hash"):
        capture.load(changed_json(good, "contents.json", outside))

    def source(objects):
        objects["libraries"][0]["source"] = "../../../../../../etc/passwd"

    with pytest.raises(ValueError, match=r"passwd' is missing"):
        capture.load(changed_json(good, "objects.json", source))
    entries = {**entries_of(good), "../out": b"x", "/tmp/out": b"x"}
    use(zipped(entries))
    assert [left.name for left in tmp_path.iterdir()] == ["secret"]


def test_types_that_hold_themselves(good):
    def loop(objects):
        types = objects["pipelines"][3]["types"]
        struct = next(i for i, described in enumerate(types) if described["members"])
        types[struct]["members"][0]["type"] = struct

    with pytest.raises(ValueError, match="holds itself or too much"):
        capture.load(changed_json(good, "objects.json", loop))

    def explode(objects):
        member = {"name": "a", "offset": 0}
        base = {"data_type": 1, "size": 8, "alignment": 1, "array_length": 0, "stride": 0, "element": None}
        objects["pipelines"][3]["types"] = [
            {**base, "name": f"t{i}", "members": [{**member, "type": i + 1}, {**member, "type": i + 1}]}
            for i in range(60)
        ] + [{**base, "name": "end", "members": []}] * 5

    with pytest.raises(ValueError, match="holds itself or too much"):
        capture.load(changed_json(good, "objects.json", explode))


def test_a_texture_whose_rows_are_empty(good):
    def shrink(objects):
        texture = next(one for one in objects["resources"] if one["kind"] == "texture")
        texture["width"] = texture["height"] = 2**31

    with pytest.raises(ValueError, match="damaged capture"):
        use(changed_json(good, "objects.json", shrink))
