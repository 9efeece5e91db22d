# `make run` serves ginledger, `make test` checks everything. `make help` lists the rest.
.DEFAULT_GOAL := help
PY := .venv/bin/python

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile

.PHONY: run
run: ## serve on this machine and its network (PORT=8000)
	@sh scripts/venv.sh base
	@exec $(PY) scripts/serve.py

.PHONY: demo
demo: ## a club with a demo season, for EMAIL=… or an account of its own
	@sh scripts/venv.sh base
	@$(PY) manage.py migrate -v0
	@$(PY) manage.py demo $(if $(EMAIL),--email $(EMAIL))

.PHONY: dev
dev: ## the reloading server, with DEBUG on
	@sh scripts/venv.sh base
	@exec $(PY) scripts/serve.py --dev

.PHONY: setup
setup: ## .venv with everything that tests and lint need
	@sh scripts/venv.sh dev

.PHONY: test
test: setup ## all that CI runs: format, lint, types, checks, tests
	@sh scripts/check.sh

.PHONY: lint
lint: setup ## format, lint and types, without the tests
	@sh scripts/check.sh --lint

.PHONY: format
format: setup ## rewrite the code in the project's format
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

.PHONY: bench
bench: ## measure the engine, the export and the pages of a season
	@sh scripts/venv.sh bench
	$(PY) bench/run.py
	$(PY) bench/export.py
	$(PY) bench/seasons.py

.PHONY: lock
lock: setup ## pin requirements/*.in to the newest releases, with hashes
	sh scripts/lock.sh
