"""Sets of places as rows of truth values, for what numpy does faster than integers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def table_of(sets: Sequence[int], size: int) -> "npt.NDArray[np.bool_]":
    """Sets of places below `size` as rows of truth values."""
    import numpy as np  # noqa: PLC0415 - a tenth of a second

    length = (size + 7) // 8
    packed = np.frombuffer(b"".join(one.to_bytes(length, "little") for one in sets), dtype=np.uint8)
    return np.unpackbits(packed.reshape(len(sets), length), axis=1, count=size, bitorder="little").view(np.bool_)


def sets_of(table: "npt.NDArray[np.bool_]") -> list[int]:
    """Rows of truth values as sets of places."""
    import numpy as np  # noqa: PLC0415 - a tenth of a second

    return [int.from_bytes(row.tobytes(), "little") for row in np.packbits(table, axis=1, bitorder="little")]


def rows_and_places(table: "npt.NDArray[np.bool_]") -> "tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]":
    """Where a table is true, row by row; faster than its `nonzero`."""
    import numpy as np  # noqa: PLC0415 - a tenth of a second

    return np.divmod(np.flatnonzero(table), table.shape[1])
