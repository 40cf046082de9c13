# Two commands do all the set-up on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check
CONSTRAINTS = templates/constraints.txt
JOBS ?= auto

.PHONY: demo test check lint long bench samples clean help

help: ## say what there is to make
	@grep -E '^[a-z]+:.*## ' Makefile | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 16

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(BIN)/python pyproject.toml $(CONSTRAINTS)
	@echo "Installing into $(VENV); the first time this takes a minute or two"
	$(PIP) install --quiet -c $(CONSTRAINTS) -e .
	$(BIN)/python -m compileall -q pnp referee
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(PIP) install --quiet -c $(CONSTRAINTS) -e '.[dev]'
	@touch $@

demo: $(VENV)/installed ## install, print the catalogue, adjudicate the example records, show where to look
	@BIN=$(BIN) sh templates/examples/demo.sh

# What pytest makes of the tests' modules is kept for the next run, whatever the environment says.
test: $(VENV)/installed-dev ## run the tests
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile --no-loadscope-reorder -m "not long"

lint: $(VENV)/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test ## formatting, lint, types, import contracts, tests

long: $(VENV)/installed-dev ## the heavy runs
	$(BIN)/python -m pytest -q -n $(JOBS) -m long

samples: $(VENV)/installed-dev ## draw the pictures that README shows, where they are stale
	$(BIN)/python -m tests.tools.samples

bench: $(VENV)/installed-dev ## measure everything beside its peers and floors; the table goes to output/bench.md
	$(PIP) install --quiet -c $(CONSTRAINTS) -e '.[bench]'
	$(BIN)/python -m tests.bench

clean: ## remove what was made, the virtual environment too
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
