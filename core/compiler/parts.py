"""Parts: kernels that only other kernels call. They are kept as LLVM's instructions.

LLVM optimises all that a kernel or an entry consists of at once, and makes machine code of it once.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import binding
from numba.core import caching, codegen, compiler, sigutils
from numba.core.compiler_lock import global_compiler_lock
from numba.core.typing.templates import Signature

from bluekrait.core.compiler.kernels import Kernel, KernelCache

PART = "part"  # the name of libraries that need none


class PartLibrary(codegen.JITCodeLibrary):
    """The code of a part, as LLVM's instructions; no machine code is made of it.

    A library that it is linked into contains all of it, and is optimised as a whole.
    """

    @classmethod
    def of_bitcode(cls, context: Any, bitcode: bytes) -> "PartLibrary":
        """A library with the code of another one, as that one was kept."""
        library = cls(context.codegen(), PART)
        library._final_module = binding.parse_bitcode(bitcode)
        library._finalize_final_module()
        return library

    def add_ir_module(self, ir_module: Any) -> None:
        """Add code that Numba has made. It throws nothing: else LLVM would make tables for exceptions."""
        for function in ir_module.functions:
            function.attributes.add("nounwind")
        super().add_ir_module(ir_module)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._verify_declare_only_symbols()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """What is kept of it. There is no object code."""
        kept: tuple[str, str, bytes] = self.serialize_using_bitcode()
        return kept


class PartPipeline(compiler.Compiler):
    """Compiles a function into such a library, and goes no further."""

    def __init__(self, typing: Any, target: Any, _library: None, *others: Any) -> None:
        super().__init__(typing, target, PartLibrary(target.codegen(), PART), *others)
        self.state.flags.no_compile = True


class Part(Kernel):
    """A kernel that only other kernels call. If Python calls it after all, machine code is made then."""

    pipeline = PartPipeline

    def __init__(self, function: Callable[..., Any], declared: Signature, options: dict[str, Any]) -> None:
        super().__init__(function, declared, options)
        self._part_cache: caching.NullCache = caching.NullCache()  # `_cache` is for machine code

    def keep(self) -> None:
        """From now on, use the cache."""
        super().keep()
        self._part_cache = PartCache(self.py_func)

    def is_compiled(self) -> bool:
        """True if it need not be compiled, in this process or at all."""
        return bool(self.overloads) or self._part_cache.has_file()

    def prepare(self) -> None:
        """Compile, or load what was compiled before; nothing happens the second time, in any thread."""
        with global_compiler_lock:
            if not self.overloads:
                result: Any = self._part_cache.load_overload(self.declared, self.targetctx) or self._compile()
                self.targetctx.insert_user_function(self, result.fndesc, [result.library])
                self.overloads[tuple(result.signature.args)] = result._replace(entry_point=self)

    def compile(self, sig: Signature) -> None:
        """Prepare it: for Numba, which knows the types of a call, but not that there is one signature."""
        self.prepare()

    def _compile(self) -> compiler.CompileResult:
        with self._compiling_counter:
            result = self._compiler.compile(*sigutils.normalize_signature(self.declared))
        self._part_cache.save_overload(self.declared, result)
        return result

    def _compile_for_args(self, *args: Any, **kws: Any) -> Callable[..., Any]:
        """Called from Python for the first time; returns what is to be called."""
        with global_compiler_lock:
            if self._can_compile:
                made = self._cache.load_overload(self.declared, self.targetctx) or self._make_code()
                self._function = made.entry_point  # kept, since `_insert` counts no reference
                self._insert([kind._code for kind in self.declared.args], self._function, False)
                self._can_compile = False
        return self._function

    def _make_code(self) -> compiler.CompileResult:
        part: Any = self.compiled
        library = self.targetctx.codegen().create_library(self.py_func.__name__)
        library.enable_object_caching()
        library.add_llvm_module(part.library._final_module.clone())
        function = self.targetctx.get_executable(library, part.fndesc, part.environment)
        made: compiler.CompileResult = part._replace(library=library, entry_point=function)
        self._cache.save_overload(self.declared, made)
        return made


class PartCache(KernelCache):
    """The same for parts, without machine code."""

    suffix = "part"

    def _rebuild(self, target_context: Any, *kept: Any) -> compiler.CompileResult:
        (_, _, bitcode), fndesc, environment, signature, _, _, annotation, *_ = kept
        return compiler.compile_result(
            typing_context=target_context.typing_context,
            target_context=target_context,
            library=PartLibrary.of_bitcode(target_context, bitcode),
            environment=environment,
            fndesc=fndesc,
            type_annotation=annotation,
            signature=signature,
            objectmode=False,
            typing_error=None,
        )
