"""A fresh instance of level 3 with a policy's ban and a thread's, which matter apart; of the committed ones none is."""

from pathlib import Path

from mpcbench.generate.making import files_of, make_instance, setting_of
from mpcbench.schema.dataset import Dataset
from mpcbench.schema.file_set import write_files

_SEED = 8201
_PLACE = 30


def two_bans(folder: Path) -> Dataset:
    """A data set of that instance alone, written to a folder."""
    write_files(folder, files_of(3, _SEED, [make_instance(setting_of(3, _SEED), _PLACE)]))
    return Dataset(folder)
