"""Imports point one way."""

import ast
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter

import pytest

from mpcbench.schema.dataset import COMMITTED

LAYERS = (
    "version",
    "schema",
    "oracle",
    "archive",
    "evaluation.scoring",
    "benchmark.environment",
    "evaluation.diagnosis",
    "evaluation.grade",
    "evaluation.statistics",
    "evaluation.runs",
    "evaluation.report.number_text",
    "evaluation.report.condition_names",
    "evaluation.report.shapes",
    "evaluation.report.templating",
    "evaluation.report.reported_run",
    "evaluation.report.model_result",
    "evaluation.report.timeline",
    "evaluation.report.plots",
    "evaluation.report.episode",
    "evaluation.report",
    "evaluation",
    "benchmark.port",
    "benchmark.agents.protocol",
    "benchmark.agents.reference",
    "benchmark.agents.flawed",
    "benchmark.agents.baselines",
    "benchmark.agents.endpoint",
    "benchmark.agents.local",
    "benchmark.agents.plugged",
    "benchmark.agents.mcp",
    "benchmark.agents.command",
    "benchmark.agents.human",
    "benchmark.agents",
    "generate.randomness",
    "generate.wording",
    "generate.world",
    "generate.sampling",
    "generate",
    "benchmark.progress",
    "benchmark.harness",
    "benchmark.play",
    "benchmark.practice_endpoint",
    "benchmark.export",
    "benchmark.improve",
    "benchmark.environments",
    "benchmark",
    "evaluation.verify",
    "evaluation.battery",
    "evaluation.commands",
)
"""Packages and modules below `mpcbench`, lowest first: each imports from itself and from those before it only."""

PACKAGES = ("schema", "oracle", "generate", "evaluation", "benchmark")
PURE = {"bisect", "collections", "dataclasses", "datetime", "functools", "hashlib", "itertools", "operator", "typing"}
"""What the engine needs of the standard library: nothing that reads, writes, knows the time or throws dice."""

COMMAND_LINE = "oracle.__main__"


def modules(package: str) -> dict[str, ast.Module]:
    """The modules of a package, by dotted name below `mpcbench`."""
    return {
        ".".join(path.relative_to(COMMITTED).with_suffix("").parts): ast.parse(path.read_text(encoding="utf-8"))
        for path in (COMMITTED / package).rglob("*.py")
    }


ALL = {name: tree for package in PACKAGES for name, tree in modules(package).items()}


def layer(name: str) -> int:
    """The place in LAYERS of a module: that of the longest name that it lies in."""
    return LAYERS.index(max((one for one in LAYERS if f"{name}.".startswith(f"{one}.")), key=len))


def own_imports(tree: ast.AST) -> set[str]:
    """The project's modules that a module imports anywhere, by dotted name below `mpcbench`."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("mpcbench."):
            module = node.module.removeprefix("mpcbench.")
            found |= {f"{module}.{alias.name}" if f"{module}.{alias.name}" in ALL else module for alias in node.names}
    return found


def imports(tree: ast.AST) -> Iterator[str]:
    """The dotted names of all modules imported below a node."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            yield str(node.module)


def packages(tree: ast.AST) -> set[str]:
    return {name.partition(".")[0] for name in imports(tree)}


@pytest.mark.parametrize("name", ALL)
def test_imports_point_one_way(name: str) -> None:
    """A module imports from its own layer and from lower ones, by the names that an installed package has."""
    local = {*PACKAGES, "archive", "unit_tests", "conftest"}

    assert set() == {one for one in imports(ALL[name]) if one.partition(".")[0] in local}
    if not name.endswith("__main__"):
        assert [] == [one for one in own_imports(ALL[name]) if layer(one) > layer(name)]


def test_no_modules_import_one_another_in_a_circle() -> None:
    """The modules can be put into an order in which each imports only those before it."""
    graph = {name: own_imports(tree) for name, tree in ALL.items()}

    assert len(ALL) < len(list(TopologicalSorter(graph).static_order())) + len(PACKAGES)


def test_engine_is_pure() -> None:
    """Outside its command line the oracle imports no I/O, clock, log or random numbers, and calls nothing of the kind."""
    for name, tree in modules("oracle").items():
        if name == COMMAND_LINE:
            continue
        called = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}

        assert packages(tree) - {"mpcbench"} <= PURE, name
        assert called.isdisjoint({"open", "print", "input", "eval", "exec", "__import__"}), name
        assert attributes.isdisjoint({"now", "today", "utcnow"}), name
        assert not any(isinstance(node, ast.Global | ast.Nonlocal) for node in ast.walk(tree)), name


HEAVY = {"openai", "numpy", "pyarrow", "scipy"}


def test_heavy_packages_are_imported_when_needed() -> None:
    """No module of the project imports one while it is itself imported, but for type checking."""
    for name, tree in ALL.items():
        body = [node for node in tree.body if not _is_for_types(node)]
        functions = (ast.FunctionDef, ast.AsyncFunctionDef)
        nodes = [node for node in body if not isinstance(node, functions)]
        eager = {
            inner
            for node in nodes
            for inner in _outside_functions(node)
            if isinstance(inner, ast.Import | ast.ImportFrom)
        }
        assert not any(packages(node) & HEAVY for node in eager), name


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _outside_functions(child)


def test_packages_are_imported_by_name_only_where_declared() -> None:
    """Every other import is the standard library's or that of a dependency of users, not only of the tests."""
    project = tomllib.loads((COMMITTED / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    optional = [
        one
        for name in ("improve", "inspect", "local", "mcp", "openenv", "parquet", "ray", "train")
        for one in extras[name]
    ]
    taskset = COMMITTED / "benchmark" / "environments" / "verifiers" / "pyproject.toml"
    optional += tomllib.loads(taskset.read_text(encoding="utf-8"))["project"]["dependencies"]
    dependencies = {one.partition(">=")[0] for one in (*project["dependencies"], *optional)}
    names = {"xdist": "pytest-xdist", "pytest_jsonreport": "pytest-json-report"}
    for name, tree in ALL.items():
        for other in packages(tree) - {"mpcbench"} - sys.stdlib_module_names:
            declared = names.get(other, other.replace("_", "-"))
            assert declared in dependencies, f"{name} imports {other}"
