"""How many functions are annotated. A kernel is not counted: its declared signature is its type."""

import ast
from collections.abc import Iterator

from helpers.repository.import_graph import module_name, source_files, tree_of

COMPILING = {
    "card_kernel",
    "entry",
    "generic",
    "inline",
    "instruction",
    "internal",
    "kernel",
    "overload",
    "overload_method",
    "intrinsic",
    "share",
    "twin",
    "vector_kernel",
}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions_to_annotate() -> Iterator[tuple[str, Function]]:
    """Every function and method that is not compiled, with the full name of its module."""
    for path in source_files():
        tree = tree_of(path)
        compiled = names_given_to_compilers(tree)
        for function in plain_functions(tree):
            if function.name not in compiled:
                yield module_name(path), function


def plain_functions(tree: ast.AST) -> Iterator[Function]:
    """The functions in a tree, kernels and what stands inside them left out."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function):
            if any(called_name(decorator) in COMPILING for decorator in node.decorator_list):
                continue
            yield node
        yield from plain_functions(node)


def names_given_to_compilers(tree: ast.AST) -> set[str]:
    """The functions that are compiled without a decorator of their own.

    By a call, such as `instruction(popcount, ...)` and `share(is_win)`, or as what an `@overload` returns.
    """
    overloads = (
        node
        for node in ast.walk(tree)
        if isinstance(node, Function) and "overload" in map(called_name, node.decorator_list)
    )
    returned = {
        part.id
        for overload in overloads
        for node in ast.walk(overload)
        if isinstance(node, ast.Return) and node.value
        for part in ast.walk(node.value)
        if isinstance(part, ast.Name)
    }
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return returned | {
        argument.id
        for call in calls
        if called_name(call) in COMPILING
        for argument in call.args
        if isinstance(argument, ast.Name)
    }


def called_name(decorator: ast.expr) -> str:
    """The name of a decorator, or of what is called, with arguments or without."""
    if isinstance(decorator, ast.Call):
        decorator = decorator.func
    return decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")


def is_annotated(function: Function) -> bool:
    """True if all parameters and the result have annotations, the first of a method excepted."""
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args]
    if named and named[0].arg in ("self", "cls"):
        named = named[1:]
    others = [*named, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return function.returns is not None and all(each.annotation for each in others if each is not None)
