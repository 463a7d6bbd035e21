.DEFAULT_GOAL := help
.PHONY: help format lint types test test-all docs docs-check site bench

help:  ## list the commands
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*## /\t/' | expand -t 14

format:  ## format the code
	ruff format . && ruff check --fix .

lint:  ## the same, writing nothing
	ruff format --check . && ruff check .

types:  ## check the types of the package
	mypy

test:  ## quick tests and doctests
	python -m pytest -q

test-all:  ## also those that train
	python -m pytest -q -m "slow or sweep or not slow"

docs:  ## write docs/ from runs
	python -m diagkit.docs

docs-check:  ## fail on a page that no longer agrees
	python -m diagkit.docs --check

site:  ## docs/ as a site in outputs/site (pip install -e ".[site]")
	mkdocs build -q

bench:  ## the speed of the main job, as ratios
	python benchmarks/suite.py && python benchmarks/step.py
