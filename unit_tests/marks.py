"""Marks that tests of several folders carry."""

import pytest

EXHAUSTIVE = (pytest.mark.slow, pytest.mark.exhaustive)
"""A test of what others try as well, on more of it: `make test-all` runs it, and CI does not."""

UNTRACED = pytest.mark.no_cover
"""A heavy test of what others cover already: measuring the coverage would double its time."""
