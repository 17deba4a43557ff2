# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# A thin door: CMake builds, scripts/ does the rest. Each target installs what the machine lacks (scripts/setup says what).

SCENE ?= experiments/anton-tripod.yaml
OUT ?= out/$(basename $(notdir $(SCENE)))
SEEDS ?= 10
JOBS ?= $(shell nproc)
export JOBS

.PHONY: help build run python wheel check test verify book bench robustness residuals balance figures pictures format clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile | expand -t 16

build: ## the library and the program, build/release/bin/footfall
	@scripts/setup run
	@echo "Building build/release (the first time takes two minutes) ..." >&2
	@scripts/build release --target footfall_program

run: build $(if $(PYTHON),python) ## simulate SCENE (experiments/anton-tripod.yaml) and draw the forces of its feet; STUDIO=1: open it in the studio; PYTHON=1: from Python
	@$(if $(PYTHON),mkdir -p out && PYTHONPATH=build/release/python /usr/bin/python3 python/examples/walk_anton.py out/walk_anton.svg,$(if $(STUDIO),build/release/bin/footfall studio $(SCENE),scripts/demo $(SCENE) $(OUT)))

python: ## the Python module: PYTHONPATH=build/release/python /usr/bin/python3
	@scripts/setup run
	@scripts/build release --target footfall_python

wheel: python ## the Python module as a wheel in out/, for `pip install`
	@/usr/bin/python3 python/wheel.py build/release/python/footfall $$(sed -n 's/^project(footfall VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt) out

check: ## the loop of a developer: rooms, format, words, build, quick tests; about a minute on a built tree
	@scripts/setup check
	@scripts/test check

test: ## the release build and all its tests
	@scripts/setup test
	@scripts/test test

verify: ## everything else: sanitizers, other compilers, cross build, determinism, fuzzing, threads, install (FUZZ_SECONDS=1)
	@scripts/setup verify
	@scripts/test verify

book: build ## every experiment with SEEDS (10) seeds, as one table; `make test` runs one seed of each
	@scripts/book $(SEEDS)

bench: ## dynamics, robots on their feet and collisions, beside MuJoCo, libccd, ODE and Bullet
	@scripts/setup bench
	@scripts/build release
	@scripts/bench

robustness: ## what ANTON survives: pushes, wrong starts, lost sensors, drives and telegrams
	@scripts/setup run
	@scripts/build release --target robustness
	@build/release/bin/robustness

residuals: ## what the balance of energy lacks in every experiment, and whether it falls with the step
	@scripts/setup run
	@scripts/build release --target residuals
	@build/release/bin/residuals 2 experiments/*.yaml

balance: ## what keeps LOLA on its feet: pushes, parts of the stabiliser, a wrong model; minutes
	@scripts/setup run
	@scripts/build release --target balance
	@scripts/balance

figures: build ## the figures of docs/experiments.md, from runs of the experiments
	@scripts/figures

pictures: build ## the pictures of the README, from the studio in a browser
	@scripts/setup verify
	@scripts/fetch-web
	@cd web && node tools/pictures.mjs

format: ## clang-format on every C file
	@scripts/setup format
	@scripts/check-format --fix

clean: ## remove build/ and out/
	rm -rf build out
