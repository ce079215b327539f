# Everything a person or CI runs here. Needs python3 (3.11 or newer) and git; the rest is installed into .venv.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:

PYTHON ?=
WORKERS ?= 2
# Processes that test: many a test waits for others, so two leave a quarter of two cores idle. Each takes the tests of one
# part of the tree, and from whoever is behind when it is done: what the tests of a folder share is made once.
TESTERS ?= 3
SHARED := --dist worksteal
ARGS ?=

export UV_PYTHON_DOWNLOADS := never

BIN := .venv/bin
# Compiled once: the tests start many processes, and where bytecode is forbidden each would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE
# As people have it: what is printed waits until it is sent on its way.
unexport PYTHONUNBUFFERED
export PYTHONPYCACHEPREFIX := $(CURDIR)/.venv/.bytecode
REPORT := $(CURDIR)/.reports/soak.txt
SMALL_REPORT := $(CURDIR)/.reports/small-model.txt
ALL_ON_POSTGRES := tests/worlds tests/entrypoints tests/console tests/services

.PHONY: help setup up browser screenshots test soak api-test small-model bench lint style format docs docs-check lock \
    release-check clean arena-proof install-test chroma yardstick interop crisis

help: ## this list
	@echo "make TARGET [ARGS='...']   (ARGS go to the program behind the target)"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

setup: .venv/.stamp ## install what requirements.lock pins, and greenroom itself, into .venv
	@echo "setup: .venv is ready"

up: .venv/.stamp ## open a house: server, worker and console in one process; prints the address
	@exec $(BIN)/greenroom up $(ARGS)

browser: .venv/.stamp ## find a Chromium and axe-core for the tests of the console, or install them where that is possible
	@$(BIN)/python tools/browser.py
	@$(BIN)/python tools/axe.py

screenshots: browser ## take the pictures of the console in docs/images anew
	@GREENROOM_SCREENSHOTS=$(CURDIR)/docs/images $(BIN)/python -m pytest -rs tests/console/test_journey.py \
	    tests/console/test_phantom.py -k "not phone" $(ARGS)

test: browser ## every test with small counts, a selection again on PostgreSQL
	@echo "test: every test, small counts, $(TESTERS) processes"
	@export TMPDIR=$$(tools/scratch.sh) GREENROOM_COUNTS=small; trap 'rm -rf "$$TMPDIR"' EXIT; \
	$(BIN)/python -m pytest -rs -m "not installs" -n $(TESTERS) $(SHARED) $(ARGS); \
	$(if $(ARGS),,echo "test: some of them again, every house on PostgreSQL"; \
	$(BIN)/python -m pytest -rs --backend postgres -n $(WORKERS) $(SHARED) @tests/postgres/selection.txt)

install-test: browser ## wheels, extras and the tutorial, each in an environment of its own, as people install them
	@echo "install-test: what makes environments of its own, $(WORKERS) processes"
	@GREENROOM_COUNTS=small $(BIN)/python -m pytest -rs -m installs -n $(WORKERS) --dist loadfile $(ARGS)

soak: .venv/.stamp ## the same tests with large counts; prints what was measured
	@echo "soak: every test, large counts, $(WORKERS) processes; this may take an hour"
	@mkdir -p $(dir $(REPORT)) && : > $(REPORT)
	@status=0; export GREENROOM_COUNTS=soak GREENROOM_REPORT=$(REPORT); \
	$(BIN)/python -m pytest -rs -m alone --durations=10 $(ARGS) || { (( $$? == 5 )) || status=1; }; \
	$(BIN)/python -m pytest -rs -m "not alone" -n $(WORKERS) --durations=20 $(ARGS) || status=$$?; \
	$(if $(ARGS),,echo "soak: whole suites again, every house on PostgreSQL, small counts"; \
	GREENROOM_COUNTS=small $(BIN)/python -m pytest -rs --backend postgres -n $(WORKERS) $(ALL_ON_POSTGRES) || status=$$?;) \
	echo "soak: measured"; cat $(REPORT); exit $$status

api-test: .venv-api/.stamp ## random requests over the whole HTTP API, with what is installed in .venv-api
	@echo "api-test: every route of the API, at most four minutes"
	@.venv-api/bin/python -m pytest -rs tests/api $(ARGS)

small-model: .venv-small/.stamp ## play lighthouse with a real small model on loopback, installed in .venv-small
	@echo "small-model: ten turns of lighthouse, a model of 135 million parameters"
	@mkdir -p $(dir $(SMALL_REPORT)) && : > $(SMALL_REPORT)
	@status=0; GREENROOM_REPORT=$(SMALL_REPORT) \
	    .venv-small/bin/python -m pytest -rs tests/small_model $(ARGS) || status=$$?; \
	echo "small-model: measured"; cat $(SMALL_REPORT); exit $$status

chroma: .venv-chroma/.stamp ## the arena's lessons in a real Chroma index, installed in .venv-chroma
	@echo "chroma: an index that is killed, rebuilt and asked"
	@.venv-chroma/bin/python -m pytest -rs tests/chroma $(ARGS)

interop: .venv-interop/.stamp ## agents of Google's ADK in a house, and Secret AGI in PettingZoo, installed in .venv-interop
	@echo "interop: ADK's session contract beside its own services, PettingZoo's own tests"
	@.venv-interop/bin/python -m pytest -rs tests/interop $(ARGS)

bench: .venv-bench/.stamp ## compare with other runtimes, installed beside greenroom in .venv-bench
	@echo "bench: greenroom and its peers on this machine"
	@status=0; .venv-bench/bin/greenroom bench $(ARGS) || status=$$?; \
	.venv-bench/bin/greenroom bench postgres || status=$$?; exit $$status

arena-proof: .venv/.stamp ## thirty generations of the arena on each scenario, ten seeds: margins with intervals, and the time
	@echo "arena-proof: three scenarios, ten seeds, thirty generations each"
	@$(BIN)/python -m benchmarks.arena_proof $(ARGS)

yardstick: .venv-yardstick/.stamp ## evolve against public agents of NegMAS and Axelrod, ten seeds, and meet those held out
	@echo "yardstick: NegMAS and Axelrod, ten seeds, in an environment of their own"
	@.venv-yardstick/bin/greenroom arena yardstick --seeds 10 --home .reports/yardstick $(ARGS)

crisis: .venv/.stamp ## learn the bar's crisis check from nothing and measure it; half an hour of one core
	@echo "crisis: words, the small encoder's head, and every check on the files that nothing was learned from"
	@PYTHONPATH=packages/greenroom-crisis/src $(BIN)/python -m greenroom_crisis all $(ARGS)

lint: style docs-check ## rules, format, types, layers, reference pages
	@echo "lint: mypy"
	@$(BIN)/mypy --no-error-summary --num-workers $(WORKERS)

style: .venv/.stamp
	@echo "lint: ruff, import-linter"
	@$(BIN)/ruff check --quiet --output-format concise
	@$(BIN)/ruff format --check --quiet || { $(BIN)/ruff format --check; exit 1; }
	@out=$$($(BIN)/lint-imports --no-logo 2>&1) || { echo "$$out"; exit 1; }

format: .venv/.stamp ## put the code in the house format, with safe fixes
	@$(BIN)/ruff check --fix --quiet || true
	@$(BIN)/ruff format

docs: .venv/.stamp ## write docs/reference from the code
	@echo "docs: docs/reference from the code"
	@$(BIN)/python -m tools.reference

docs-check: .venv/.stamp ## fail when a page of docs/reference is stale
	@echo "docs: is docs/reference what the code says?"
	@$(BIN)/python -m tools.reference --check

# Pins that still fit stay as they are; ARGS=--upgrade moves them. The peers of the bench need older packages than our
# own extras (google-adk keeps google-genai < 3), so each set is resolved by itself and the bench has no extras. The small
# model comes with 125 MB that nothing else needs, so it has a lock of its own too.
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
    --custom-compile-command 'make lock'
# Every extra but chroma, which brings more packages than all the others together, and those of `make interop`.
EXTRAS = $(foreach extra,embeddings models server postgres letters realms plots,--extra $(extra))
# The public agents of the yardstick want older packages than our tools: it goes without the group dev.
# What a house runs on (requirements-runtime.lock, for the image) is apart from what its development needs; the versions
# are the same, since the development lock is where the runtime one takes its pins from.
lock: .venv/.stamp ## resolve pyproject.toml into the eight lock files
	@echo "lock: requirements-api.lock, -bench.lock, -chroma.lock, -interop.lock, -small-model.lock, -yardstick.lock, requirements.lock, requirements-runtime.lock"
	@$(COMPILE) --group dev --group bench $(ARGS) pyproject.toml -o requirements-bench.lock > /dev/null
	@$(COMPILE) --group dev --extra chroma --extra postgres $(ARGS) pyproject.toml -o requirements-chroma.lock > /dev/null
	@$(COMPILE) --group dev --extra adk --extra pettingzoo --extra postgres $(ARGS) pyproject.toml -o requirements-interop.lock > /dev/null
	@$(COMPILE) --group yardstick $(ARGS) pyproject.toml -o requirements-yardstick.lock > /dev/null
	@$(COMPILE) --group dev --group small-model --extra models --extra postgres $(ARGS) pyproject.toml -o requirements-small-model.lock > /dev/null
	@$(COMPILE) --group dev --group api --group meaning $(EXTRAS) $(ARGS) pyproject.toml -o requirements-api.lock > /dev/null
	@$(COMPILE) --group dev --group meaning $(EXTRAS) $(ARGS) pyproject.toml -o requirements.lock > /dev/null
	@cp requirements.lock requirements-runtime.lock
	@$(COMPILE) --group build --group meaning $(EXTRAS) pyproject.toml -o requirements-runtime.lock > /dev/null

release-check: browser ## build sdist and wheel, look into them, install them with pip alone and play; needs the package index
	@$(BIN)/python tools/release.py

clean: ## remove environments, caches and reports
	@rm -rf .venv .venv-api .venv-bench .venv-chroma .venv-interop .venv-small .venv-yardstick .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .reports dist

# An environment is its lock and nothing else: wheels only, each by its hash, uv and the build backend among them.
# The stamp comes last, so that an interrupted install is begun again. One package of the yardstick has no wheel; it is
# built from its pinned source with the pinned setuptools.
.venv/.stamp: requirements.lock pyproject.toml
	$(call install,.venv,requirements.lock)

.venv-api/.stamp: requirements-api.lock pyproject.toml
	$(call install,.venv-api,requirements-api.lock)

.venv-bench/.stamp: requirements-bench.lock pyproject.toml
	$(call install,.venv-bench,requirements-bench.lock)

.venv-chroma/.stamp: requirements-chroma.lock pyproject.toml
	$(call install,.venv-chroma,requirements-chroma.lock)

.venv-interop/.stamp: requirements-interop.lock pyproject.toml
	$(call install,.venv-interop,requirements-interop.lock)

.venv-yardstick/.stamp: requirements-yardstick.lock pyproject.toml
	$(call install,.venv-yardstick,requirements-yardstick.lock,--only-binary :all: --no-binary stringcase --no-build-isolation)

.venv-small/.stamp: requirements-small-model.lock pyproject.toml
	$(call install,.venv-small,requirements-small-model.lock)

define install
@echo "setup: $(1) from $(2)"
@test -x $(1)/bin/python || { python=$$(tools/python.sh $(PYTHON)) && "$$python" -m venv --clear $(1); }
@sed -n '/^\(uv\|setuptools\)==/,/[^\\]$$/p' $(2) > $(1)/uv.txt
@$(1)/bin/python -m pip install -qq --disable-pip-version-check --no-deps --only-binary :all: --require-hashes -r $(1)/uv.txt
@$(1)/bin/uv pip sync --quiet --python $(1)/bin/python --require-hashes $(or $(3),--no-build) $(2)
@$(1)/bin/uv pip install --quiet --python $(1)/bin/python --no-deps --no-build-isolation --editable .
@touch $(1)/.stamp
endef
