# SPDX-License-Identifier: MIT
"""How Sphinx builds this folder's pages; `.ci/docs` runs it."""

import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE / "_extensions"), str(_HERE.parent)]

import elsewhere  # noqa: E402 - before the package, whose annotations it makes readable
import stub  # noqa: E402

stub.use_for_native_module(_HERE.parent / "mtlpy_nb" / "_native.pyi")

import references  # noqa: E402

import mtlpy_nb  # noqa: E402

project = "mtlpy_nb"
author = "the authors of mtlpy_nb"
copyright = author
release = version = mtlpy_nb.__version__
root_doc = "index"
exclude_patterns = ["README.md", "_build", "notebooks/.ipynb_checkpoints"]
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "numpydoc",
    "myst_nb",
    "sphinx_copybutton",
    "references",
    "docstrings",
    "metal_code",
]
nitpicky = True
# Names of our own for types, which a function's words explain; and IPython's.
nitpick_ignore = [("py:class", name) for name in ("ElementType", "Includes", "InteractiveShell", "Named", "Scalar")]

# The reference: signatures from annotations, the words from numpydoc's docstrings.
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_class_signature = "mixed"
autodoc_type_aliases = elsewhere.TYPES
python_maximum_signature_line_length = 88
add_module_names = False
numpydoc_show_class_members = False
numpydoc_xref_param_type = True
numpydoc_xref_ignore = "all"
numpydoc_xref_aliases = elsewhere.ALIASES | references.ALIASES

# Python's and NumPy's pages: what we mention of them, so that no build needs the network.
intersphinx_mapping = elsewhere.inventories(_HERE / "elsewhere.txt")

# The notebooks are shown as they are stored.
nb_execution_mode = "off"
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
suppress_warnings = ["mystnb.unknown_mime_type"]

html_theme = "furo"
html_title = "mtlpy_nb"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_show_sphinx = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
