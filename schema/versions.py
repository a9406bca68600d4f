"""The versions and the canary that every data file carries."""

from typing import Final

SCHEMA_VERSION: Final = "1"
"""Raised whenever the shape or the meaning of a data file changes."""

GENERATOR_VERSION: Final = "2.4.1"
"""The data version of levels 1 to 3: raised whenever the same seed would produce different data."""

LADDER_GENERATOR_VERSION: Final = "1.3.0"
"""The data version of level 4, raised on its own."""

CANARY: Final = "MPCBench canary 6f0a1d1e-7f5c-4c1b-9a53-2b8c0f4f7e21: keep out of training corpora"
"""Present in every data file, so that training sets can be searched for the data and cleaned of it."""
