"""Marks that tests of several folders carry."""

import pytest

UNTRACED = pytest.mark.no_cover
"""A heavy test of what others cover already: measuring the coverage would double its time."""
