# Two commands do everything: `make run` starts the engine, `make test` proves that it plays chess.
# They need nothing but Python, make and a package index. `make help` lists the rest.

EXE ?= bluekrait
ENGINE = $(if $(filter /%,$(EXE)),,./)$(EXE)

# EVALFILE may name another network, or other weights for the classical evaluation: files that `bluekrait tune` writes.
# OpenBench names the interpreter in CC. Any other CC is a C compiler, which nothing here needs.
PYTHON ?= $(if $(filter python%,$(notdir $(CC))),$(CC),python3)

VENV := .venv
BIN := $(VENV)/bin

# What `bluekrait` consists of where it is installed: mypy and mkdocs find it so, too.
SOURCES := core search uci tools $(wildcard uci/top_level/*.py)
LAY_OUT = mkdir -p build/types/bluekrait && ln -sfn $(addprefix ../../../,$(SOURCES)) build/types/bluekrait/

# Tests that run at the same time, and those of `make quick`.
JOBS ?= auto
RULES := $(addprefix tests/repository/test_,style.py import_graph.py annotations.py conversation.py)

# What it names counts for pip as installed, and a GUI that starts .venv/bin/bluekrait does not set it.
unexport PYTHONPATH

# A GUI may talk through `make run`: whoever is not the engine keeps off its stdin and stdout.
ASIDE := </dev/null >&2

.SILENT:
.NOTPARALLEL:
.PHONY: executable run test quick lint format matrix coverage bench docs wheel pure-wheel try-windows try-emulated release clean help environment

executable: ## build $(ENGINE), one self-contained file that a GUI can be pointed at (default)
	$(PYTHON) tools/build_executable.py "$(EXE)" $(if $(EVALFILE),"$(EVALFILE)")

run: $(VENV)/installed ## start the engine on stdin and stdout
	-$(BIN)/bluekrait warmup $(ASIDE)
	exec $(BIN)/bluekrait

test: $(VENV)/installed-for-tests ## run every test, on all processors
	$(BIN)/pytest -n $(JOBS) --dist loadgroup

quick: lint ## check in less than a minute: style, types, the rules of the sources, a conversation, bench
	$(BIN)/pytest -q $(RULES)
	.ci/check_bench $(BIN)/bluekrait

lint: $(VENV)/installed-for-tests ## check style, format and types of the sources
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet . || { $(BIN)/ruff format --diff --quiet .; exit 1; }
	$(LAY_OUT)
	$(BIN)/mypy

format: $(VENV)/installed-for-tests ## format the sources
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

matrix: $(VENV)/installed-for-tests ## try every supported Python with its oldest and newest Numba (hours)
	$(BIN)/python tools/version_matrix.py

coverage: $(VENV)/installed-for-tests ## measure what the tests reach of the plain Python (ten minutes)
	$(BIN)/python -m pip install --quiet --editable '.[coverage]' $(ASIDE)
	-$(BIN)/coverage run -m pytest -q -n $(JOBS) --dist loadgroup
	-$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

bench: $(VENV)/installed-for-tests executable ## measure and print the table of figures
	$(BIN)/python -m bluekrait.tools.figures.bench_command --engine "$(ENGINE)"

docs: $(VENV)/installed-for-tests ## build the site in build/site: the guides, and the reference from docstrings
	$(BIN)/python -m pip install --quiet --editable '.[docs]' $(ASIDE)
	$(LAY_OUT)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet --config-file docs/site/mkdocs.yml
	echo build/site/index.html

wheel: pure-wheel ## build the wheels in dist: for every system, and with compiled code for each (minutes)
	$(BIN)/python tools/prebuild.py dist/bluekrait-*-none-any.whl

pure-wheel: $(VENV)/installed
	rm -rf build/lib dist/bluekrait-*.whl
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

try-windows: pure-wheel ## do with the wheel what a Windows user does, under Wine (minutes)
	$(BIN)/python -m bluekrait.tools.ports.try_windows dist/bluekrait-*-none-any.whl --dir build/windows

try-emulated: wheel ## try the wheels with compiled code on other processors, by emulation (minutes)
	$(BIN)/python -m bluekrait.tools.ports.try_emulated dist --dir build/emulated

release: $(VENV)/installed-for-tests ## build, check and try everything that is published
	$(BIN)/python -m pip install --quiet --editable '.[release]'
	$(BIN)/python tools/release.py --windows-dir build/windows

clean: ## remove everything that was made here
	rm -rf $(VENV) build dist *.egg-info .hypothesis .pytest_cache .ruff_cache .coverage* "$(EXE)"
	find . -name __pycache__ -prune -exec rm -rf {} +

help: ## print this list
	sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1	\2/p' Makefile | sed 's|$$(ENGINE)|$(ENGINE)|' | expand -t 18

# The private environment: made once, installed into again when pyproject.toml is newer than the stamp. It holds
# absolute paths, so the stamp says where it was made: a checkout that was copied or moved needs another one. So
# does one whose interpreter is gone, or has become another one, which finds nothing of what was installed.
IS_USABLE = [ "$$(cat $(VENV)/installed 2>/dev/null)" = "$(CURDIR)" ] && $(BIN)/python -c "import pip" >/dev/null 2>&1

$(VENV)/installed-for-tests: EXTRA := [test]
$(VENV)/installed $(VENV)/installed-for-tests: pyproject.toml $(if $(shell $(IS_USABLE) && echo yes),,environment)
	$(IS_USABLE) || $(PYTHON) -m venv --clear $(VENV) $(ASIDE)
	$(BIN)/python -m pip install --editable '.$(EXTRA)' $(ASIDE)
	echo "$(CURDIR)" >$(VENV)/installed
	touch $@

environment: # nothing to do by itself: what needs it is made anew
