"""The small changes that can be made to code, node by node of its syntax tree."""

import ast
from collections.abc import Callable, Iterator
from typing import Final

Nodes = dict[ast.AST, ast.AST]
"""From each node of the code as it is to that of the copy to change."""

Change = Callable[[Nodes], None]

_COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_OPERATORS: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
}
_FUNCTIONS: Final = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}


def changes_of(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """What can be changed at a node."""
    yield from _other_operators(node)
    yield from _other_values(node)
    yield from _dropped_items(node)
    yield from _dropped_statements(node)


def _other_operators(node: ast.AST) -> Iterator[tuple[str, Change]]:
    match node:
        case ast.Compare(ops=ops):
            for place, op in enumerate(ops):
                other = _COMPARISONS[type(op)]
                yield f"{type(op).__name__} becomes {other.__name__}", _set(node, "ops", other(), place)
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in _OPERATORS:
            operator = _OPERATORS[type(op)]
            yield f"{type(op).__name__} becomes {operator.__name__}", _set(node, "op", operator())
        case ast.BoolOp(op=op, values=values):
            junction = ast.Or if isinstance(op, ast.And) else ast.And
            yield f"{type(op).__name__} becomes {junction.__name__}", _set(node, "op", junction())
            for place, value in enumerate(values):
                nothing = ast.Constant(value=isinstance(op, ast.And))
                yield f"{ast.unparse(value)!r} is dropped", _set(node, "values", nothing, place)
        case ast.If(test=test) | ast.IfExp(test=test) if not isinstance(test, ast.Compare | ast.BoolOp):
            yield f"{ast.unparse(test)!r} is negated", _negate(node)


def _other_values(node: ast.AST) -> Iterator[tuple[str, Change]]:
    match node:
        case ast.Constant(value=bool() as value):
            yield f"{value} becomes {not value}", _set(node, "value", not value)
        case ast.Constant(value=int() as value):
            for other in (value + 1, value - 1):
                yield f"{value} becomes {other}", _set(node, "value", other)
        case ast.Name(id=name) if name in _FUNCTIONS:
            yield f"{name} becomes {_FUNCTIONS[name]}", _set(node, "id", _FUNCTIONS[name])
        case ast.Call(args=[_, _, *_] as arguments):
            yield "arguments are swapped", _set(node, "args", [arguments[1], arguments[0], *arguments[2:]])


def _dropped_items(node: ast.AST) -> Iterator[tuple[str, Change]]:
    match node:
        case ast.Tuple(elts=[_, _, *_] as elements, ctx=ast.Load()) | ast.List(elts=[_, *_] as elements):
            for place, value in enumerate(elements):
                yield f"{ast.unparse(value)!r} is dropped", _drop(node, "elts", place)
        case ast.Call(keywords=[_, *_] as keywords):
            for place, keyword in enumerate(keywords):
                yield f"{ast.unparse(keyword)!r} is dropped", _drop(node, "keywords", place)
        case ast.Dict(keys=[_, _, *_] as keys):
            for place, key in enumerate(keys):
                yield f"{'**' if key is None else ast.unparse(key)!r} is dropped", _drop_pair(node, place)
        case ast.comprehension(ifs=ifs):
            for place, value in enumerate(ifs):
                yield f"'if {ast.unparse(value)}' is dropped", _drop(node, "ifs", place)


def _dropped_statements(node: ast.AST) -> Iterator[tuple[str, Change]]:
    for field in ("body", "orelse"):
        block = getattr(node, field, None)
        if not isinstance(block, list):
            continue
        for place, one in enumerate(block):
            is_document = isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
            if isinstance(one, ast.AugAssign | ast.If | ast.Continue | ast.Expr) and not is_document:
                yield f"{ast.unparse(one).splitlines()[0]!r} is dropped", _set(node, field, ast.Pass(), place)


def _set(node: ast.AST, field: str, value: object, place: int | None = None) -> Change:
    def change(nodes: Nodes) -> None:
        copy = nodes[node]
        new = _copied(value, nodes)
        if place is None:
            setattr(copy, field, new)
        else:
            getattr(copy, field)[place] = new

    return change


def _copied(value: object, nodes: Nodes) -> object:
    """The nodes of the copy in place of those of the code as it is; new nodes stay."""
    if isinstance(value, list):
        return [_copied(one, nodes) for one in value]
    return nodes.get(value, value) if isinstance(value, ast.AST) else value


def _negate(node: ast.If | ast.IfExp) -> Change:
    def change(nodes: Nodes) -> None:
        copy = nodes[node]
        assert isinstance(copy, ast.If | ast.IfExp)
        copy.test = ast.UnaryOp(ast.Not(), copy.test)

    return change


def _drop_pair(node: ast.Dict, place: int) -> Change:
    def change(nodes: Nodes) -> None:
        copy = nodes[node]
        assert isinstance(copy, ast.Dict)
        del copy.keys[place], copy.values[place]

    return change


def _drop(node: ast.AST, field: str, place: int) -> Change:
    return lambda nodes: getattr(nodes[node], field).__delitem__(place)
