"""Runs a program in Linux namespaces of its own: `python -P -c TEXT SCRATCH HIDDEN PROGRAM ARGUMENT...`.

HIDDEN names folders, one a line. The program sees a read-only file system in which these are empty, can write to its
scratch folder only, sees and signals no process but its own, and has the usual devices only. When it ends, all processes
that it started end, and so they do when this process ends. No privileges are needed where the system allows user
namespaces.

It runs as a text, as `guest` does, and imports as little. A program of the same interpreter, `python -P -c TEXT`, runs in
this process instead of replacing it: starting a second interpreter costs more than everything else here. Whatever the
installed packages run when an interpreter starts (`.pth` files and `sitecustomize`) therefore runs unconfined, as it did in
the run's own process.
"""

import ctypes
import os
import struct
import sys

_NEW_MOUNTS, _NEW_IPC, _NEW_USER, _NEW_PID = 0x00020000, 0x08000000, 0x10000000, 0x20000000
_READ_ONLY, _NO_SUID, _NO_DEVICES, _NO_PROGRAMS = 1, 2, 4, 8
_BIND, _MOVE, _RECURSIVE, _PRIVATE = 1 << 12, 1 << 13, 1 << 14, 1 << 18
_KILL = 9
_DEATH_SIGNAL, _NO_NEW_PRIVILEGES = 1, 38  # of prctl
_CAPABILITIES_VERSION = 0x20080522
_MOUNT_SETATTR, _HERE, _WHOLE_TREE = 442, -100, 0x8000

_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
_STREAMS = {"fd": "fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2"}

_LIBC = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)


def _mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    texts = [text.encode() or None for text in (source, target, kind, options)]
    _checked(_LIBC.mount(*texts[:3], ctypes.c_ulong(flags), texts[3]), target)


def _enter_namespaces() -> None:
    user, group = os.geteuid(), os.getegid()
    _checked(_LIBC.unshare(_NEW_USER | _NEW_MOUNTS | _NEW_PID | _NEW_IPC), "unshare")
    # Root becomes an ordinary user here: one that is not root loses all rights with the next program.
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user or 1000} {user} 1"),
        ("gid_map", f"{group or 1000} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123 - pathlib takes 10 ms to import
            file.write(text)


def _make_devices(place: str) -> None:
    """Let /dev hold what every program needs: neither disks nor terminals."""
    _mount("tmpfs", place, "tmpfs", _NO_SUID, "mode=755")
    for name in filter(lambda name: os.path.exists(f"/dev/{name}"), _DEVICES):  # noqa: PTH110
        os.close(os.open(f"{place}/{name}", os.O_CREAT))
        _mount(f"/dev/{name}", f"{place}/{name}", flags=_BIND)
    for name, target in _STREAMS.items():
        os.symlink(f"/proc/self/{target}", f"{place}/{name}")  # noqa: PTH211
    os.mkdir(f"{place}/shm")  # noqa: PTH102
    _mount(place, "/dev", flags=_MOVE)


def _make_file_system(scratch: str, hidden: list[str]) -> None:
    _mount("none", "/", flags=_PRIVATE | _RECURSIVE)
    attributes = struct.pack("4Q", _READ_ONLY, 0, 0, 0)
    number = ctypes.c_long(_MOUNT_SETATTR)
    _checked(_LIBC.syscall(number, _HERE, b"/", _WHOLE_TREE, attributes, ctypes.c_size_t(32)), "mount_setattr")
    _mount("proc", "/proc", "proc", _READ_ONLY | _NO_SUID | _NO_DEVICES | _NO_PROGRAMS)
    _make_devices(scratch)
    for folder in hidden:
        _mount("tmpfs", folder, "tmpfs", _READ_ONLY | _NO_SUID | _NO_DEVICES)
    _mount("tmpfs", scratch, "tmpfs", _NO_SUID | _NO_DEVICES)


def _give_up_rights() -> None:
    """Keep none of the rights that the new namespaces gave, and let no program bring any back."""
    _checked(_LIBC.capset(struct.pack("Ii", _CAPABILITIES_VERSION, 0), bytes(24)), "capset")
    _checked(_LIBC.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "prctl")


def _confine(scratch: str, hidden: list[str]) -> None:
    _checked(_LIBC.prctl(_DEATH_SIGNAL, _KILL), "prctl")
    _make_file_system(scratch, hidden)
    _give_up_rights()
    os.chdir(scratch)


def _forget() -> None:
    """Leave no more in memory than an interpreter that has just started."""
    for name in ("ctypes", "ctypes._endian", "struct"):
        vars(sys.modules.pop(name)).clear()  # functions of its classes hold it; the next import makes it anew
    for name in set(globals()) - {"__name__", "__doc__", "__builtins__", "__loader__", "__spec__", "__package__"}:
        del globals()[name]
    import gc  # noqa: PLC0415 - not before it may go on

    gc.collect()


def main() -> str:
    """Do what the arguments say; returns, in the confined process, the text of a program that goes on there.

    The process exits as the program does; with 128 and its number if a signal ended it.
    """
    scratch, hidden, *program = sys.argv[1:]
    _checked(_LIBC.prctl(_DEATH_SIGNAL, _KILL), "prctl")
    _enter_namespaces()
    child = os.fork()
    if child == 0:
        try:
            _confine(scratch, list(filter(None, hidden.split("\n"))))
            if program[:3] != [sys.executable, "-P", "-c"]:
                os.execv(program[0], program)  # noqa: S606
        except BaseException as error:  # noqa: BLE001 - this process must not go on as its parent does
            os.write(2, f"no namespaces: {error}\n".encode())
            os._exit(1)
        sys.argv = program[2:3] + program[4:]
        _forget()
        return program[3]
    os.closerange(3, 4096)  # the connection with the run is the program's alone
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    os._exit(128 - code if code < 0 else code)


if __name__ == "__main__":
    exec(compile(main(), "<string>", "exec", dont_inherit=True))  # noqa: S102 - the program that was given
