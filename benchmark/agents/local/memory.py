"""How much memory this machine can still give."""

import re
from pathlib import Path

_UNLIMITED = "max"


def available_bytes(root: Path = Path("/")) -> int | None:
    """The memory that can be had without swapping; None if unknown.

    It is what the Linux kernel estimates (`MemAvailable`, proc(5)), or what a container's limit leaves
    (cgroup v2, https://docs.kernel.org/admin-guide/cgroup-v2.html) if that is less.
    """
    found = [value for value in (_machine(root), _container(root)) if value is not None]
    return min(found, default=None)


def _machine(root: Path) -> int | None:
    line = re.search(r"^MemAvailable:\s*(\d+) kB$", _text(root / "proc/meminfo"), re.MULTILINE)
    return int(line[1]) * 1024 if line else None


def _container(root: Path) -> int | None:
    group = root / "sys/fs/cgroup"
    limit, used = _text(group / "memory.max").strip(), _text(group / "memory.current").strip()
    if limit == _UNLIMITED or not limit.isdecimal() or not used.isdecimal():
        return None
    # Cached files count as used, but give way.
    cached = re.search(r"^inactive_file (\d+)$", _text(group / "memory.stat"), re.MULTILINE)
    return max(0, int(limit) - int(used) + (int(cached[1]) if cached else 0))


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""
