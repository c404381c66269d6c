# SPDX-License-Identifier: MIT
"""What the doctor says of a machine that is well, and of one that is not."""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
from pathlib import Path

import pytest

import mtlpy_nb
from mtlpy_nb.commands import check_cache, check_device, check_notebook


@pytest.fixture
def examined(command):
    """Run the doctor; gives its exit code and its findings by name."""

    def run(**options):
        done = command("doctor", "--json", **options)
        assert "Traceback" not in done.stderr
        report = json.loads(done.stdout)
        assert report["is_healthy"] == (done.returncode == 0)
        return done.returncode, {finding["name"]: finding for finding in report["findings"]}

    return run


def test_of_a_healthy_machine(command, tmp_path):
    extension = tmp_path / "share" / "labextensions" / "mtlpy-nb"
    extension.mkdir(parents=True)
    (extension / "package.json").write_text('{"name": "mtlpy-nb", "version": "9.8.7"}')
    cache = tmp_path / "cache"
    done = command("doctor", environment={"JUPYTER_PATH": str(tmp_path / "share"), "MTLPY_CACHE_DIR": str(cache)})
    assert done.returncode == 0
    assert mtlpy_nb.default_device().name in done.stdout
    assert f"mtlpy_nb {mtlpy_nb.__version__}, Python 3." in done.stdout
    assert f"MB in {cache}" in done.stdout
    assert "compiles and runs, and its result is right" in done.stdout
    assert "labextension 9.8.7" in done.stdout
    assert "All is well." in done.stdout
    assert "->" not in done.stdout


def test_json_has_what_a_bug_report_needs(command):
    report = json.loads(command("doctor", "--json").stdout)
    assert report["mtlpy_nb"] == mtlpy_nb.__version__
    assert report["python"]
    assert report["platform"]
    findings = {finding["name"]: finding for finding in report["findings"]}
    assert findings["device"]["details"]["name"] == mtlpy_nb.default_device().name
    assert {"path", "llvm_version", "cpu"} <= set(findings["compiler"]["details"])
    assert findings["kernel"]["details"]["is_right"] is True


# ---- the compiler ----


def _program(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


def _compiler(examined, path, **options):
    """Examine with another compiler; it must be the fault, and no kernel must have been tried."""
    code, findings = examined(environment={"MTLPY_COMPILER": str(path)}, **options)
    assert code == 1
    assert "kernel" not in findings
    assert findings["compiler"]["status"] == "fault"
    assert "unset that to use the compiler of this package" in findings["compiler"]["remedy"]
    return findings["compiler"]["text"], findings["compiler"]["remedy"]


def test_compiler_missing(examined, tmp_path):
    text, remedy = _compiler(examined, tmp_path / "none")
    assert text == f"there is no file {tmp_path / 'none'}"
    assert "install mtlpy_nb again" in remedy


def test_compiler_that_may_not_be_executed(examined, tmp_path):
    path = _program(tmp_path / "plain", "#!/bin/sh\n")
    path.chmod(0o644)
    text, remedy = _compiler(examined, path)
    assert text == f"{path} may not be executed"
    assert f"chmod +x {path}" in remedy


def test_compiler_of_another_kind_of_machine(examined, tmp_path):
    path = _program(tmp_path / "foreign", "\x7fELF nothing that runs here")
    text, remedy = _compiler(examined, path)
    assert text == f"{path} cannot be started: Exec format error"
    assert os.uname().machine in remedy


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (
            "echo 'compiler: error while loading shared libraries: libLLVM.so: no such file' >&2; exit 127",
            "lacks a library",
        ),
        ("kill -ILL $$", "was ended by SIGILL"),
        ("echo it is broken >&2; exit 3", "ended with exit code 3 when it was started: it is broken"),
        ("exit 0", "does not answer as a compiler of this version"),
    ],
)
def test_compiler_that_ends_at_once(examined, tmp_path, script, expected):
    path = _program(tmp_path / "broken", f"#!/bin/sh\n{script}\n")
    text, _ = _compiler(examined, path)
    assert expected in text


def test_compiler_on_a_file_system_without_programs(examined, tmp_path, mounting):
    folder = tmp_path / "noexec"
    folder.mkdir()
    script = f"mount -t tmpfs -o noexec none {folder}; cp /bin/true {folder}/compiler"
    text, remedy = _compiler(examined, folder / "compiler", before=mounting(script))
    assert "mounted noexec" in text
    assert "another file system" in remedy


def test_words_for_a_person_tell_the_way_out(command, tmp_path):
    done = command("doctor", environment={"MTLPY_COMPILER": str(tmp_path / "none")})
    assert done.returncode == 1
    assert f"WRONG    compiler   there is no file {tmp_path / 'none'}" in done.stdout
    assert "-> MTLPY_COMPILER names it: unset that" in done.stdout
    assert "1 thing must be mended before kernels run." in done.stdout


# ---- the folder of compiled kernels: never a reason not to run ----


def _cache(examined, folder, **options):
    code, findings = examined(environment={"MTLPY_CACHE_DIR": str(folder)}, **options)
    assert code == 0
    assert findings["kernel"]["status"] == "good"
    assert findings["cache"]["status"] == "warning"
    return findings["cache"]["text"], findings["cache"]["remedy"]


def test_cache_that_is_a_file(examined, tmp_path):
    path = tmp_path / "cache"
    path.write_text("")
    text, remedy = _cache(examined, path)
    assert f"{path} is a file, not a folder" in text
    assert "compiled again in every process" in text
    assert "remove it" in remedy


def test_cache_switched_off(examined):
    text, remedy = _cache(examined, "")
    assert "MTLPY_CACHE_DIR is empty" in text
    assert remedy == "unset MTLPY_CACHE_DIR"


def test_cache_mounted_read_only(examined, tmp_path, mounting):
    (tmp_path / "cache").mkdir()
    text, remedy = _cache(examined, tmp_path / "cache", before=mounting(f"mount -t tmpfs -o ro none {tmp_path}/cache"))
    assert "is mounted read-only" in text
    assert "set MTLPY_CACHE_DIR" in remedy


def test_cache_without_permission(monkeypatch, tmp_path):
    def refuse(*_, **__):  # root, whom the tests may run as, is refused nothing
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(check_cache.tempfile, "TemporaryFile", refuse)
    monkeypatch.setattr(check_cache.mtl, "cache_path", lambda: str(tmp_path))
    finding = check_cache.examine_cache()
    assert finding.status == "warning"
    assert f"{tmp_path} may not be written to" in finding.text
    assert f"chmod u+rwx {tmp_path}" in finding.remedy


def test_cache_that_cannot_be_made(examined):
    text, _ = _cache(examined, "/proc/none/cache")
    assert "/proc/none/cache cannot be used" in text


def test_cache_that_is_full(examined, tmp_path, mounting):
    folder = tmp_path / "cache"
    folder.mkdir()
    script = f"mount -t tmpfs -o size=64k none {folder}; cat /dev/zero > {folder}/filler 2>/dev/null || true"
    text, remedy = _cache(examined, folder, before=mounting(script))
    assert f"there is no room left in {folder}" in text
    assert "make room" in remedy


def test_cache_with_little_room(examined, tmp_path, mounting):
    folder = tmp_path / "cache"
    folder.mkdir()
    text, _ = _cache(examined, folder, before=mounting(f"mount -t tmpfs -o size=16m none {folder}"))
    assert "it will soon be full" in text


@pytest.fixture
def filled_cache(command, tmp_path):
    """A folder with what one kernel leaves there."""
    folder = tmp_path / "cache"
    (tmp_path / "twice.metal").write_text(
        "kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }"
    )
    done = command("run", "twice.metal", "twice", "x=1,2", environment={"MTLPY_CACHE_DIR": str(folder)})
    assert done.stdout == "x = [2., 4.]\n"
    entries = [path for path in folder.iterdir() if path.suffix in (".library", ".so")]
    assert len(entries) == 2
    return folder, entries


def test_cache_as_kernels_leave_it_is_whole(examined, filled_cache):
    folder, _ = filled_cache
    _, findings = examined(environment={"MTLPY_CACHE_DIR": str(folder)})
    assert findings["cache"]["status"] == "good"
    assert findings["cache"]["details"]["damaged"] == findings["cache"]["details"]["foreign"] == 0


def test_cache_with_damaged_and_foreign_files(examined, filled_cache):
    folder, entries = filled_cache
    entries[0].write_bytes(entries[0].read_bytes()[:-10])
    entries[1].chmod(entries[1].stat().st_mode | stat.S_IWOTH)
    text, remedy = _cache(examined, folder)
    assert "1 of its files are damaged" in text
    assert "1 of its files can be changed by other users" in text
    assert "%metal cache clear" in remedy


# ---- the rest ----


def test_temporary_folders_without_programs(examined, mounting):
    ours = [Path(sys.prefix).resolve(), Path(mtlpy_nb.__file__).resolve()]  # which must stay in sight
    folders = [Path(folder) for folder in ("/tmp", "/var/tmp", "/dev/shm")]
    folders = [folder for folder in folders if not any(path.is_relative_to(folder) for path in ours)]
    script = f"for folder in {' '.join(map(str, folders))}; do mount -t tmpfs -o noexec none $folder; done; cd /"
    code, findings = examined(environment={"MTLPY_CACHE_DIR": f"{folders[-1]}/cache"}, before=mounting(script))
    assert code == 0
    assert findings["kernel"]["status"] == "good"


@pytest.fixture
def without(tmp_path):
    """Make an environment in which modules cannot be imported, and packages are not installed."""

    def environment(*modules):
        folder = tmp_path / "hidden"
        folder.mkdir()
        for module in modules:
            text = f"raise ModuleNotFoundError({f'No module named {module!r}'!r}, name={module!r})\n"
            (folder / f"{module}.py").write_text(text)
        return {"PYTHONPATH": f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}

    return environment


def test_ipython_missing(examined, without):
    code, findings = examined(environment=without("IPython"))
    assert code == 1
    assert findings["kernel"]["status"] == "good"
    assert findings["IPython"]["text"] == "it is missing, and the magics need it"
    assert findings["IPython"]["remedy"] == "pip install ipython"


def test_labextension_missing(tmp_path, monkeypatch):
    monkeypatch.setattr(check_notebook, "extension_folders", lambda: [tmp_path])
    finding = check_notebook.examine_extension()
    assert finding.status == "warning"
    assert "%%metal cells have Python's colours" in finding.text
    assert "the environment that JupyterLab runs in" in finding.remedy


@pytest.mark.parametrize(
    ("installed", "text"),
    [
        ({"jupyterlab": "4.1.0", "ipykernel": "6.0"}, "scikit-image is missing"),
        ({"ipykernel": "6.0"}, "jupyterlab and scikit-image are missing"),
        ({"jupyterlab": "3.6.1", "ipykernel": "6.0", "scikit-image": "0.22"}, "JupyterLab 4 or newer is needed"),
    ],
)
def test_notebook_tools_missing_or_old(monkeypatch, installed, text):
    monkeypatch.setattr(check_notebook, "_installed", installed.get)
    finding = check_notebook.examine_jupyter()
    assert finding.status == "warning"
    assert text in finding.text
    assert finding.remedy == "pip install 'mtlpy_nb[notebooks]'"


def test_number_of_threads_that_is_none(examined):
    code, findings = examined(environment={"MTLPY_NUM_THREADS": "many"})
    assert code == 0
    assert "MTLPY_NUM_THREADS is 'many'" in findings["device"]["text"]


def test_kernel_that_gives_a_wrong_result_is_a_fault(monkeypatch):
    assert check_device.self_test()["is_right"] is True
    wrong = check_device._PROGRAM.replace("json.dumps(self_test())", "json.dumps({'is_right': False, 'seconds': 1.0})")
    monkeypatch.setattr(check_device, "_PROGRAM", wrong)
    finding = check_device.examine_kernel()
    assert finding.status == "fault"
    assert finding.text == "the test kernel runs, but its result is wrong"


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("import os; os.abort()", "was ended by SIGABRT"),
        ("raise RuntimeError('no luck')", "the test kernel does not run: RuntimeError: no luck"),
    ],
)
def test_kernel_that_ends_its_process_is_a_fault(monkeypatch, program, text):
    monkeypatch.setattr(check_device, "_PROGRAM", program)
    finding = check_device.examine_kernel()
    assert finding.status == "fault"
    assert text in finding.text
    assert "please report it" in finding.remedy
