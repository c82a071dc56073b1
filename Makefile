# Two commands do everything: `make run` starts the engine, `make test` proves that it plays chess.
# They need nothing but Python, make and a package index. `make help` lists the rest.

EXE ?= bluekrait

# EVALFILE may name other weights for the evaluation, a file such as `bluekrait tune` writes.
# OpenBench names the interpreter in CC. Any other CC is a C compiler, which nothing here needs.
PYTHON ?= $(if $(filter python%,$(notdir $(CC))),$(CC),python3)

VENV := .venv
BIN := $(VENV)/bin

# A GUI may talk through `make run`: whoever is not the engine keeps off its stdin and stdout.
ASIDE := </dev/null >&2

.SILENT:
.NOTPARALLEL:
.PHONY: executable run test lint bench wheel try-windows try-emulated release clean help

executable: ## build ./$(EXE), one self-contained file that a GUI can be pointed at (default)
	$(PYTHON) tools/build_executable.py "$(EXE)" $(if $(EVALFILE),"$(EVALFILE)")

run: $(VENV)/installed ## start the engine on stdin and stdout
	$(BIN)/bluekrait warmup $(ASIDE)
	exec $(BIN)/bluekrait

test: $(VENV)/installed-for-tests ## run every test
	$(BIN)/pytest

lint: $(VENV)/installed-for-tests ## check the style of the sources
	$(BIN)/ruff check .

bench: $(VENV)/installed-for-tests executable ## measure and print the table of figures
	$(BIN)/python -m bluekrait.tools.figures.bench_command --engine "./$(EXE)"

wheel: $(VENV)/installed ## build the wheel in dist
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

try-windows: wheel ## do with the wheel what a Windows user does, under Wine (minutes)
	$(BIN)/python -m bluekrait.tools.ports.try_windows dist/bluekrait-*.whl --dir build/windows

try-emulated: $(VENV)/installed-for-tests ## try other processors by emulation (an hour)
	$(BIN)/python -m bluekrait.tools.ports.try_emulated --dir build/emulated

release: $(VENV)/installed-for-tests ## build, check and try everything that is published
	$(BIN)/python -m pip install --quiet --editable '.[release]'
	$(BIN)/python tools/release.py --windows-dir build/windows

clean: ## remove everything that was made here
	rm -rf $(VENV) build dist *.egg-info .hypothesis .pytest_cache .ruff_cache "$(EXE)"
	find . -name __pycache__ -prune -exec rm -rf {} +

help: ## print this list
	sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1	\2/p' Makefile | sed 's/$$(EXE)/$(EXE)/' | expand -t 18

# The private environment: made once, installed into again when pyproject.toml is newer than the stamp.
$(VENV)/installed-for-tests: EXTRA := [test]
$(VENV)/installed $(VENV)/installed-for-tests: pyproject.toml
	$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV) $(ASIDE)
	$(BIN)/python -m pip install --editable '.$(EXTRA)' $(ASIDE)
	touch $(VENV)/installed $@
