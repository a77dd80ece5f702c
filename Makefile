# From a bare machine with Python >= 3.11 and make: every target sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SHARED := ../shared

.PHONY: demo test check lint types imports tests docs coverage bench e2e golden clean help

help: ## list the targets
	@grep -E '^[a-z0-9]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/	/'

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(READY)

demo: $(READY) ## render a session with pruned messages and a table of diagnostics, then find and repair a broken one
	$(BIN)/condense render --output-format text fixtures/demo/pruned.jsonl
	@echo
	$(BIN)/condense check fixtures/demo/bricked.jsonl || [ $$? -eq 1 ]
	@echo
	$(BIN)/condense repair --diff fixtures/demo/bricked.jsonl || [ $$? -eq 1 ]

test: $(READY) ## all tests
	$(BIN)/python -m pytest

check: lint types imports tests ## lint, types, import contract, tests

lint: $(READY)
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

imports: $(READY)
	$(BIN)/lint-imports

tests: test

docs: $(READY) ## write docs/ from the program's tables
	$(BIN)/python docs/generate.py

coverage: $(READY)
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage report --show-missing --skip-covered

bench: $(READY) ## speed and memory as ratios to a bare loop of orjson.loads, made in .bench/
	$(BIN)/python benchmarks/bench.py --big

golden: $(READY) ## compare with recorded outputs of pi-condense
	$(BIN)/python $(SHARED)/golden/compare.py --condense $(BIN)/condense $(SHARED)/golden/pi-condense
	$(BIN)/python $(SHARED)/golden/compare_compact.py --condense $(BIN)/condense --strict $(SHARED)/golden/compact
	$(BIN)/python $(SHARED)/cases/casecheck.py --condense $(BIN)/condense $(SHARED)/cases/EXPECT.json --cases $(SHARED)/cases

e2e: $(READY) ## resume repaired sessions with the real clients (needs ../shared/lab and npm)
	@if [ ! -d $(SHARED)/lab ]; then echo "make e2e: skipped, there is no $(SHARED)/lab beside this checkout"; else \
		bash $(SHARED)/lab/setup.sh pi codex claude && $(BIN)/python tests/e2e.py --lab $(SHARED)/lab --condense $(BIN)/condense; fi

clean:
	rm -rf $(VENV) .bench build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
