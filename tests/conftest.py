# SPDX-License-Identifier: MIT
"""What all tests share: the Hypothesis profiles, and a device of one's own."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

import pytest
from hypothesis import HealthCheck, settings

# Compiled code of tests stays out of the user's cache.
if "MTLPY_CACHE_DIR" not in os.environ:
    os.environ["MTLPY_CACHE_DIR"] = tempfile.mkdtemp(prefix="mtlpy-tests-")
    atexit.register(shutil.rmtree, os.environ["MTLPY_CACHE_DIR"], ignore_errors=True)

# `ci`: always the same examples, a number of them that the environment may raise. `long`: new ones each time.
_CALM = [
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.filter_too_much,
    HealthCheck.function_scoped_fixture,
]
_EXAMPLES = int(os.environ.get("MTLPY_JUDGE_EXAMPLES", "150"))
settings.register_profile(
    "ci",
    derandomize=True,
    max_examples=_EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=_CALM,
    print_blob=True,
)
settings.register_profile(
    "long", max_examples=max(_EXAMPLES, 5000), deadline=None, suppress_health_check=_CALM, print_blob=True
)
settings.load_profile(os.environ.get("MTLPY_HYPOTHESIS_PROFILE", "ci"))


def pytest_collection_modifyitems(items):
    """The test that takes longest comes first, so that no worker is left with it at the end."""
    items.sort(key=lambda item: item.name != "test_every_mutant_is_answered")


@pytest.fixture
def device():
    """A device that no other test has touched; nothing is kept in the cache folder."""
    mtlpy_nb = pytest.importorskip("mtlpy_nb")
    return mtlpy_nb.Device(cache_path=False)


@pytest.fixture
def rng():
    """Random numbers, the same in every run."""
    np = pytest.importorskip("numpy")
    return np.random.default_rng(20240229)
