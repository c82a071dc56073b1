"""Linking without LLVM, and asking the processor without it: LLVM itself is the measure."""

import ctypes
import sys
from types import SimpleNamespace

import pytest
from llvmlite import binding

from bluekrait.core import machine_code, native
from bluekrait.core.compiler import cpuid, linker
from bluekrait.core.compiler.executable_memory import ExecutableMemory
from helpers.processes.machines import on_x86

# A constant, a switch that becomes a table, a symbol from outside, and functions of C.
PROGRAM = """
@squares = private constant [4 x i64] [i64 0, i64 1, i64 4, i64 9]
@outside = external global i64
declare i8* @memcpy(i8*, i8*, i64)
declare i8* @memset(i8*, i32, i64)

define i64 @inner(i64 %index) noinline nounwind {
    %place = getelementptr [4 x i64], [4 x i64]* @squares, i64 0, i64 %index
    %value = load i64, i64* %place
    ret i64 %value
}

define i64 @sum(i64 %index) nounwind {
    %square = call i64 @inner(i64 %index)
    %other = load i64, i64* @outside
    %result = add i64 %square, %other
    ret i64 %result
}

define i64 @fill(i8* %target, i8* %source) nounwind {
    %copied = call i8* @memcpy(i8* %target, i8* %source, i64 8)
    %rest = getelementptr i8, i8* %target, i64 8
    %filled = call i8* @memset(i8* %rest, i32 7, i64 8)
    ret i64 0
}
"""


def compiled(text, model="jitdefault", triple=None):
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    target = binding.Target.from_triple(triple or binding.get_process_triple())
    machine = target.create_target_machine(codemodel=model, reloc="static", jit=True)
    module = binding.parse_assembly(text)
    module.triple = triple or binding.get_process_triple()
    return machine.emit_object(module)


@pytest.fixture
def outside():
    block = linker.bind("outside", ctypes.c_int64())  # for all tests the same
    block.value = 1000
    return block


@on_x86
def test_linked_code_runs(outside):
    binary = compiled(PROGRAM)
    (address,), owner = linker.link([("sum", binary)])
    function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(address)
    assert [function(index) for index in range(4)] == [1000, 1001, 1004, 1009]
    outside.value = 5
    assert function(3) == 14
    assert owner.address <= address < owner.address + owner.size


@on_x86
def test_several_files_are_linked_at_once(outside):
    binary = compiled(PROGRAM)
    (total, fill), _owner = linker.link([("sum", binary), ("fill", binary)])
    target = ctypes.create_string_buffer(16)
    ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p, ctypes.c_char_p)(fill)(target, b"chess!!!")
    assert target.raw == b"chess!!!" + b"\7" * 8
    outside.value = 0
    assert ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(total)(2) == 4


CONSTANTS = """
@numbers = private constant [4 x i64] [i64 0, i64 1, i64 4, i64 9]
@wide = private constant [8 x i64] [i64 7, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0], align 64

define i64 @third() nounwind {
    %value = load volatile i64, i64* getelementptr ([4 x i64], [4 x i64]* @numbers, i64 0, i64 2)
    ret i64 %value
}

define i64 @place() nounwind {
    ret i64 ptrtoint ([8 x i64]* @wide to i64)
}
"""


@on_x86
def test_constants_lie_where_the_code_looks_for_them():
    names = ("third", "place", "place")
    addresses, _owner = linker.link([(name, compiled(CONSTANTS)) for name in names])
    third, *places = (ctypes.CFUNCTYPE(ctypes.c_int64)(address) for address in addresses)
    assert third() == 4
    for place in places:
        assert place() % 64 == 0
        assert ctypes.c_int64.from_address(place()).value == 7


ALONE = "define i64 @sum() nounwind {\nret i64 1\n}"
VARIABLE = "@count = global i64 5\ndefine i64 @sum() nounwind {\n%v = load i64, i64* @count\nret i64 %v\n}"


@on_x86
@pytest.mark.parametrize(
    "text, what",
    [
        (PROGRAM.replace("@outside", "@nowhere"), "nowhere"),
        (VARIABLE, "variables"),
        ("define i64 @other() nounwind {\nret i64 1\n}", "no sum"),
    ],
    ids=["unknown symbol", "variable", "no such function"],
)
def test_what_it_cannot_link_is_refused(outside, text, what):
    with pytest.raises(linker.LinkError, match=what):
        linker.link([("sum", compiled(text))])


@on_x86
def test_other_relocations_are_refused(outside):
    with pytest.raises(linker.LinkError, match="relocation of kind"):
        linker.link([("sum", compiled(PROGRAM, "small"))])


def test_other_files_are_refused():
    arm = compiled(ALONE, triple="aarch64-unknown-linux-gnu")
    for content in (arm, b"MZ" + bytes(200), b"\x7fELF" + bytes(200)):
        with pytest.raises(linker.LinkError):
            linker.link([("sum", content)])


@on_x86
def test_the_object_files_of_macos_are_linked_by_llvm(outside, monkeypatch):
    macos = "x86_64-apple-macosx11.0"
    binary = compiled(PROGRAM, "large", macos)
    with pytest.raises(linker.LinkError):
        linker.link([("sum", binary)])
    # There all names begin with an underscore, which LLVM removes on macOS only.
    for name in ("memcpy", "memset"):
        linker.bind(f"_{name}", ctypes.c_char.from_address(linker._address_in_c(name)))
    linker.bind("_outside", outside)
    monkeypatch.setattr(binding.Target, "from_default_triple", lambda: binding.Target.from_triple(macos))
    entries = native._link({name: machine_code.Code(name, binary) for name in ("sum", "fill")})
    outside.value = 5
    assert ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(address_of(entries["sum"]))(3) == 14
    target = ctypes.create_string_buffer(16)
    ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p, ctypes.c_char_p)(address_of(entries["fill"]))(
        target, b"chess!!!"
    )
    assert target.raw == b"chess!!!" + b"\7" * 8


def test_where_the_system_gives_no_executable_memory_llvm_links(monkeypatch):
    def forbid(objects):
        raise OSError("the system does not let memory be executed")

    codes = {"sum": machine_code.Code("sum", b"an object file")}
    monkeypatch.setattr(linker, "link", forbid)
    monkeypatch.setattr(native, "_link_with_llvm", lambda codes: codes)
    assert native._link(codes) == codes


@pytest.mark.parametrize(
    "function, stands_alone",
    [("memcpy", True), ("llvm.ctpop.i64", True), ("NRT_incref", False)],
)
def test_code_is_kept_if_it_calls_nothing_that_only_numba_has(function, stands_alone):
    module = binding.parse_assembly(f"declare i64 @{function}(i64)\n{ALONE}")
    assert machine_code.stands_alone(SimpleNamespace(_final_module=module)) == stands_alone


def test_an_entry_that_fails_is_an_error():
    fails = native._prototype(lambda result, exception, record: 1)
    entry = native.Entry(ctypes.cast(fails, ctypes.c_void_p).value, fails)
    with pytest.raises(RuntimeError, match="status 1"):
        entry(ctypes.c_int64())


def address_of(entry):
    return ctypes.cast(entry._function, ctypes.c_void_p).value


@on_x86
def test_the_processor_tells_what_llvm_knows():
    answers = cpuid.ask()
    assert answers is not None
    known = binding.get_host_cpu_features()
    asked = {name for name in cpuid._FEATURES if known.get(name)}
    assert answers.features == asked
    slow = ("znver1", "znver2", "bdver4")
    assert not answers.has_slow_pext or binding.get_host_cpu_name() in (*slow, "bdver1", "bdver2", "bdver3")
    assert answers.raw == cpuid.ask().raw


def test_vector_registers_count_if_the_processor_has_them_and_the_system_saves_them():
    nothing, everything = (
        dict.fromkeys((cpuid._BASIC, cpuid._STRUCTURED, cpuid._EXTENDED), (word,) * 4)
        for word in (0, 0xFFFFFFFF)
    )
    assert not cpuid._features(nothing, cpuid._AVX512_STATE)
    without = cpuid._features(everything, 0)
    assert {"popcnt", "bmi2"} < without and not {"avx", "avx2", "avx512f"} & without
    half = cpuid._features(everything, cpuid._AVX_STATE)
    assert {"avx", "avx2"} < half and "avx512f" not in half
    assert cpuid._features(everything, cpuid._AVX512_STATE) == cpuid._FEATURES.keys()


def test_all_that_the_processor_tells_counts_but_which_core_this_is():
    def raw(changed=None, vendor=b"GenuineIntel", saved=cpuid._AVX_STATE):
        numbers = iter(range(100, 112))
        leaves = {
            leaf: tuple(next(numbers) + ((leaf, place) == changed) for place in range(4))
            for leaf in (cpuid._BASIC, cpuid._STRUCTURED, cpuid._EXTENDED)
        }
        return cpuid._raw(vendor, leaves, saved)

    places = [
        (leaf, place) for leaf in (cpuid._BASIC, cpuid._STRUCTURED, cpuid._EXTENDED) for place in range(4)
    ]
    assert [each for each in places if raw(each) == raw()] == [(cpuid._BASIC, cpuid._EBX)]
    assert len({raw(each) for each in places}) == len(places)
    assert len({raw(), raw(vendor=b"AuthenticAMD"), raw(saved=cpuid._AVX512_STATE)}) == 3


@on_x86
@pytest.mark.skipif(sys.platform != "linux", reason="other systems tell it in other ways")
def test_the_vendor_is_named_as_the_system_names_it():
    with open("/proc/cpuinfo", encoding="ascii") as file:
        names = {line.split(":")[1].strip() for line in file if line.startswith("vendor_id")}
    assert names == {cpuid.ask().vendor.decode()}


@pytest.mark.parametrize(
    "vendor, signature, family, is_slow",
    [
        (b"AuthenticAMD", 0x00870F10, 0x17, True),  # Zen 2
        (b"AuthenticAMD", 0x00A20F12, 0x19, False),  # Zen 3
        (b"GenuineIntel", 0x00870F10, 0x17, False),
        (b"GenuineIntel", 0x001906EA, 0x06, False),  # more is only added to 0xF
    ],
)
def test_pext_is_slow_on_some_families_of_amd(vendor, signature, family, is_slow):
    answers = cpuid.Answers(vendor, cpuid._family(signature), frozenset(), b"")
    assert (answers.family, answers.has_slow_pext) == (family, is_slow)


def test_other_systems_are_not_asked(monkeypatch):
    monkeypatch.setattr(cpuid, "machine", lambda: "aarch64")
    assert cpuid.ask() is None
    monkeypatch.undo()
    monkeypatch.setattr(sys, "platform", "darwin")
    assert cpuid.ask() is None


def test_windows_names_its_processors_otherwise(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    for name, expected in (("AMD64", "x86_64"), ("ARM64", "arm64")):
        monkeypatch.setenv("PROCESSOR_ARCHITECTURE", name)
        assert cpuid.machine() == expected


@on_x86
def test_executable_memory_cannot_be_written():
    memory = ExecutableMemory(16)
    memory.write(b"\xb8\x2a\x00\x00\x00\xc3")  # mov eax, 42; ret
    memory.seal()
    assert memory.function(ctypes.c_int32, ())() == 42
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        rights = [line.split()[1] for line in maps if line.startswith(f"{memory.address:x}-")]
    assert rights == ["r-xp"]


@pytest.mark.skipif(sys.platform == "win32", reason="its function has another name there")
def test_a_system_that_forbids_executable_memory_is_told(monkeypatch):
    memory = ExecutableMemory(16)
    monkeypatch.setattr(ctypes, "CDLL", lambda name: SimpleNamespace(mprotect=lambda *arguments: -1))
    with pytest.raises(OSError, match="does not let memory be executed"):
        memory.seal()
