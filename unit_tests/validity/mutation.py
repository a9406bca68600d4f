"""Mutants of the reference agent: one small change at one place of its code, compiled in memory."""

import ast
import importlib
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Final, NamedTuple

import mpcbench.benchmark.agents.reference as original
from mpcbench.benchmark.agents.reference import StagedAgent
from unit_tests.validity.changes import Change, changes_of

PACKAGE: Final = original.__name__
FOLDER: Final = Path(str(original.__file__)).parent
LIMIT_SECONDS: Final = 2.0
"""How long a mutant may compute, in seconds of processor time."""


class Mutation(NamedTuple):
    """One change at one place."""

    module: str
    place: str
    """The function, or the constant of the module, that is changed."""

    what: str
    """The change in words, such as `< becomes <=`."""

    line: int
    names: frozenset[str]
    """The names that the changed code mentions."""

    number: int
    """The place among the changes of its module."""

    @property
    def where(self) -> str:
        """The module and the function or constant."""
        return f"{self.module}.{self.place}"


class TooLongError(BaseException):
    """A mutant does not come to an end."""


@contextmanager
def time_limit(seconds: float = LIMIT_SECONDS) -> Iterator[None]:
    """Raise `TooLongError` after so much processor time; for the main thread of a process."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@cache
def mutations() -> tuple[Mutation, ...]:
    """Every change, by module and place in it."""
    return tuple(mutation for module in modules() for mutation, _ in _changes(module))


def modules() -> list[str]:
    """The modules of the reference agent."""
    return sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")


def mutant(mutation: Mutation) -> StagedAgent:
    """The reference agent with a change; raises whatever the changed code raises when it is imported."""
    tree = _tree(mutation.module)
    changed = deepcopy(tree)
    nodes = dict(zip(ast.walk(tree), ast.walk(changed), strict=True))
    change = list(_changes(mutation.module))[mutation.number][1]
    change(nodes)
    code = compile(ast.fix_missing_locations(changed), f"<mutant of {mutation.module}>", "exec")
    return _imported(f"{PACKAGE}.{mutation.module}", code)


class _OneModule(MetaPathFinder, Loader):
    """Finds one module, whose code is given."""

    def __init__(self, name: str, code: CodeType) -> None:
        self._name, self._code = name, code

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        del path, target
        return ModuleSpec(fullname, self) if fullname == self._name else None

    def exec_module(self, module: ModuleType) -> None:
        exec(self._code, module.__dict__)


def _imported(name: str, code: CodeType) -> StagedAgent:
    """The agent of a second copy of the package, with other code for one module; the first copy stays in use."""
    kept = {one: sys.modules.pop(one) for one in list(sys.modules) if f"{one}.".startswith(f"{PACKAGE}.")}
    finder = _OneModule(name, code)
    sys.meta_path.insert(0, finder)
    try:
        agent: StagedAgent = importlib.import_module(PACKAGE).reference
    finally:
        sys.meta_path.remove(finder)
        for one in [one for one in sys.modules if f"{one}.".startswith(f"{PACKAGE}.")]:
            del sys.modules[one]
        sys.modules |= kept
        parent, _, last = PACKAGE.rpartition(".")
        setattr(sys.modules[parent], last, kept[PACKAGE])
    return agent


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))


@cache
def _changes(module: str) -> tuple[tuple[Mutation, Change], ...]:
    found: list[tuple[Mutation, Change]] = []
    for top in _tree(module).body:
        for place, node in _placed(top):
            for what, change in changes_of(node):
                named = frozenset(_names(node))
                line = getattr(node, "lineno", 0)
                found.append((Mutation(module, place, what, line, named, len(found)), change))
    return tuple(found)


def _placed(top: ast.stmt) -> Iterator[tuple[str, ast.AST]]:
    """The nodes of a top-level statement that can be changed, with the name of the function or constant."""
    match top:
        case ast.FunctionDef():
            yield top.name, top
            yield from ((top.name, node) for one in top.body for node in _walk(one))
        case ast.ClassDef():
            for one in top.body:
                if isinstance(one, ast.FunctionDef):
                    yield f"{top.name}.{one.name}", one
                    yield from ((f"{top.name}.{one.name}", node) for part in one.body for node in _walk(part))
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield from ((name, node) for node in _walk(value))


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """A node and those below it, but for annotations and for the text of f-strings and errors."""
    if isinstance(node, ast.Raise | ast.JoinedStr | ast.arguments):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _walk(child)


def _names(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Name):
            yield one.id
        elif isinstance(one, ast.Attribute):
            yield one.attr
