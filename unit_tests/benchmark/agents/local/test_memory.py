"""How much memory is free, as the system tells."""

from pathlib import Path

import pytest

from mpcbench.benchmark.agents.local.memory import available_bytes

MEMINFO = "MemTotal:       24684084 kB\nMemFree:  100 kB\nMemAvailable:   2000 kB\n"


def system(folder: Path, **files: str) -> Path:
    places = {
        "meminfo": "proc/meminfo",
        "limit": "sys/fs/cgroup/memory.max",
        "used": "sys/fs/cgroup/memory.current",
        "stat": "sys/fs/cgroup/memory.stat",
    }
    for name, text in files.items():
        file = folder / places[name]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, None),
        ({"meminfo": "MemTotal: 5 kB\n"}, None),
        ({"meminfo": MEMINFO}, 2_048_000),
        ({"meminfo": MEMINFO, "limit": "max\n", "used": "5\n"}, 2_048_000),
        ({"meminfo": MEMINFO, "limit": "1000\n", "used": "600\n"}, 400),
        ({"meminfo": MEMINFO, "limit": "1000\n", "used": "600\n", "stat": "anon 1\ninactive_file 50\n"}, 450),
        ({"meminfo": MEMINFO, "limit": "1000\n", "used": "1200\n"}, 0),
        ({"meminfo": MEMINFO, "limit": "9000000\n", "used": "1\n"}, 2_048_000),
    ],
)
def test_the_smaller_room_counts(tmp_path: Path, files: dict[str, str], expected: int | None) -> None:
    """The machine's estimate or the container's room, whichever is less; nothing where neither is told."""
    assert expected == available_bytes(system(tmp_path, **files))
