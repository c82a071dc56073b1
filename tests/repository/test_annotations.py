"""Every function that is not a kernel says what it takes and returns."""

import ast
from collections import Counter

from helpers.repository.annotations import functions_to_annotate, is_annotated, plain_functions

AT_LEAST = 100.0  # percent


def test_share_of_annotated_functions_does_not_fall():
    wanted, missing = Counter(), Counter()
    for module, function in functions_to_annotate():
        folder = ".".join(module.split(".")[:2])
        wanted[folder] += 1
        missing[folder] += not is_annotated(function)
    share = 100 * (1 - missing.total() / wanted.total())
    print(f"{share:.1f} % of {wanted.total()} functions are annotated; not yet, by folder:")
    print("\n".join(f"{count:5} of {wanted[folder]:4}  {folder}" for folder, count in missing.most_common()))
    assert share >= AT_LEAST, f"{share:.1f} % of the functions are annotated, it was {AT_LEAST} %"


def test_counting_of_annotations():
    source = """
@kernel(int64(int64))
def compiled(x): ...

@jit.inline
def also_compiled(x): ...

def instructed(x): ...
instruction(instructed, signature)

class Sample:
    def whole(self, x: int, *rest: int, key: int = 0, **more: int) -> None: ...
    def without_result(self): ...
    @classmethod
    def without_parameter(cls, x) -> None: ...
"""
    tree = ast.parse(source)
    found = {function.name: is_annotated(function) for function in plain_functions(tree)}
    assert found == {"instructed": False, "whole": True, "without_result": False, "without_parameter": False}
