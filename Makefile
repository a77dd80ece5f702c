# From a bare machine with Python >= 3.11 and make: every target sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
READY := $(VENV)/.ready
WORKERS ?= auto
SHARED := ../shared

.PHONY: demo test quick slow check lint types imports docs man coverage bench bench-peers e2e golden fuzz clean help

help: ## list the targets
	@grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/	/'

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $(INSTALLED)

$(READY): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(READY)

demo: $(INSTALLED) ## render a session with pruned messages and a table of diagnostics, then find and repair a broken one
	$(BIN)/condense render --output-format text fixtures/demo/pruned.jsonl
	@echo
	$(BIN)/condense check fixtures/demo/bricked.jsonl || [ $$? -eq 1 ]
	@echo
	$(BIN)/condense repair --diff fixtures/demo/bricked.jsonl || [ $$? -eq 1 ]

test: $(READY) ## the tests of every commit, on all processors
	$(BIN)/python -m pytest -n $(WORKERS) -m 'not slow'

quick: $(READY) ## the same with few examples per law and without what takes a second
	LAWS=quick $(BIN)/python -m pytest -n $(WORKERS) -m 'not slow and not long'

slow: $(READY) ## what is slow by nature: browser, fault sweep, long fuzz, real pre-commit, data sets
	$(BIN)/python -m pytest -n $(WORKERS) -m slow || [ $$? -eq 5 ]

check: lint types imports test slow ## lint, types, import contract, all tests

lint: $(READY)
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

imports: $(READY)
	$(BIN)/lint-imports

docs: $(READY) ## write docs/ from the program's tables, its pictures and examples from real runs
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/command_line.py
	$(BIN)/python docs/pictures.py
	$(BIN)/python tests/test_readme.py

man: $(READY) ## write the manual page, docs/condense.1, from the command line
	$(BIN)/python docs/command_line.py

coverage: $(READY)
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage report --show-missing --skip-covered

bench: $(READY) ## speed and memory as ratios to a bare loop of orjson.loads, made in .bench/; how time grows with damage
	$(BIN)/python benchmarks/bench.py --big
	CONDENSE_TIMED=1 $(BIN)/python -m pytest -m slow tests/output/html/test_browser.py
	$(BIN)/python benchmarks/scaling.py

bench-peers: $(READY) ## what other tools take to look at the same sessions (installed by pip into .bench/)
	$(BIN)/python benchmarks/peers.py

golden: $(READY) ## compare with recorded outputs of pi-condense
	$(BIN)/python $(SHARED)/golden/compare.py --condense $(BIN)/condense $(SHARED)/golden-2.11/pi-condense
	$(BIN)/python $(SHARED)/golden/compare_compact.py --condense $(BIN)/condense --strict $(SHARED)/golden-2.11/compact
	$(BIN)/python $(SHARED)/cases/casecheck.py --condense $(BIN)/condense $(SHARED)/cases/EXPECT.json --cases $(SHARED)/cases

e2e: $(READY) ## resume repaired sessions with the real clients (needs ../shared/lab and npm)
	@if [ ! -d $(SHARED)/lab ]; then echo "make e2e: skipped, there is no $(SHARED)/lab beside this checkout"; else \
		bash $(SHARED)/lab/setup.sh pi codex claude opencode cline copilot gemini kimi kimi-code qwen openclaw && $(BIN)/python tests/e2e.py --lab $(SHARED)/lab --condense $(BIN)/condense && \
		$(BIN)/python tests/e2e_field.py --lab $(SHARED)/lab --condense $(BIN)/condense $(SHARED)/field && \
		$(BIN)/python tests/e2e_model.py --lab $(SHARED)/lab --condense $(BIN)/condense $(SHARED)/field; fi

fuzz: $(READY) ## 20,000 mutations of sessions of all formats (bounded, seeded); what goes wrong is kept in .fuzz/
	$(BIN)/python -m tests.fuzz

clean:
	rm -rf $(VENV) .bench .fuzz build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
