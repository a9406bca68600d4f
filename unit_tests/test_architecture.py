"""Imports point one way."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[1]
ALLOWED = {
    "schema": {"schema"},
    "oracle": {"schema", "oracle"},
    "generate": {"schema", "oracle", "generate"},
    "evaluation": {"schema", "oracle", "evaluation"},
    "benchmark": {"schema", "oracle", "evaluation", "benchmark"},
    "conftest": {"benchmark"},
}
"""The packages of the project that a package may import."""

READING = {"archive", "benchmark", "evaluation"}
CERTIFYING = {"generate.certificate", "generate.profile", "generate.making"}
"""Modules that label twice and let an agent read: they alone reach from generation into the benchmark."""

VERIFYING = {"evaluation.verification"}
"""Runs stored tool calls again: it alone reaches from evaluation into the benchmark."""

PROJECT = {*ALLOWED, "archive", "unit_tests"}
PURE = {"bisect", "collections", "dataclasses", "datetime", "functools", "hashlib", "itertools", "typing"}
"""What the engine needs of the standard library: nothing that reads, writes, knows the time or throws dice."""

COMMAND_LINE = "oracle.__main__"


def modules(package: str) -> dict[str, ast.Module]:
    """The modules of a package or the module of that name, by dotted name."""
    paths = [CHECKOUT / f"{package}.py", *(CHECKOUT / package).rglob("*.py")]
    return {
        ".".join(path.relative_to(CHECKOUT).with_suffix("").parts): ast.parse(path.read_text(encoding="utf-8"))
        for path in paths
        if path.is_file()
    }


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


@pytest.mark.parametrize("package", ALLOWED)
def test_packages_import_inward(package: str) -> None:
    """Schema below oracle below generation; schema and oracle below evaluation below the benchmark."""
    found = modules(package)

    assert found
    for name, tree in found.items():
        more = READING if name in CERTIFYING else {"benchmark"} if name in VERIFYING else set()
        assert packages(tree) & PROJECT <= ALLOWED[package] | more, name


def test_engine_is_pure() -> None:
    """Outside its command line the oracle imports no I/O, clock, log or random numbers, and calls nothing of the kind."""
    for name, tree in modules("oracle").items():
        if name == COMMAND_LINE:
            continue
        called = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}

        assert packages(tree) - {"schema", "oracle"} <= PURE, name
        assert called.isdisjoint({"open", "print", "input", "eval", "exec", "__import__"}), name
        assert attributes.isdisjoint({"now", "today", "utcnow"}), name
        assert not any(isinstance(node, ast.Global | ast.Nonlocal) for node in ast.walk(tree)), name


HEAVY = {"openai", "numpy", "pyarrow", "scipy", "statsmodels"}


def test_heavy_packages_are_imported_when_needed() -> None:
    """No module of the project imports one while it is itself imported, but for type checking."""
    for package in ALLOWED:
        for name, tree in modules(package).items():
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
    """Every other import is the standard library's or a declared dependency's."""
    text = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")
    for package in ALLOWED:
        for name, tree in modules(package).items():
            others = packages(tree) - PROJECT - sys.stdlib_module_names
            names = {"pydantic_core": "pydantic", "xdist": "pytest-xdist", "pytest_jsonreport": "pytest-json-report"}
            for other in others:
                declared = names.get(other, other.replace("_", "-"))
                assert f'"{declared}>=' in text, f"{name} imports {other}"
