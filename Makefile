# `make` alone lists the targets. Everything a target needs is installed by scripts/setup first.
SHELL := /bin/bash
.DEFAULT_GOAL := help
JOBS ?= $(shell nproc)
# Arguments for `make demo`, `make bench`, e.g. make bench ARGS=--quick
ARGS ?=
# XCTest is not used; without this, `swift test` also runs an empty XCTest suite.
TEST := swift test --disable-xctest --skip-build -j $(JOBS)
# End-to-end tests mostly wait, but each of them is three processes: so many at the same time.
E2E := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(or $(WIDTH),4) $(TEST)

.PHONY: help setup build demo test unit e2e examples alerts openapi lint format sanitize fuzz bench test-setup test-containers deb clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what is missing (apt packages, .venv)
	@scripts/setup

build: ## release build: .build/release/waf-token-proxy
	@scripts/setup --build
	swift build -c release -j $(JOBS) --product waf-token-proxy

demo: build ## emulator and proxy on free loopback ports, one request step by step, lines to paste
	.build/release/waf-token-proxy demo $(ARGS)

test: setup ## unit tests, then end-to-end tests with real processes
	swift build -j $(JOBS) --build-tests
	$(TEST) --skip '^EndToEndTests\.'
	$(E2E) --filter '^EndToEndTests\.'

unit: ## unit tests alone, without set-up; FILTER=HTTPTests narrows them
	swift test --disable-xctest -j $(JOBS) $(if $(FILTER),--filter '$(FILTER)',--skip '^EndToEndTests\.')

e2e: ## end-to-end tests alone, without set-up; FILTER=Tunnel narrows them
	swift build -j $(JOBS) --build-tests
	$(E2E) --filter '^EndToEndTests\.$(FILTER)'

examples: setup ## build and run what Examples/ shows
	scripts/examples

alerts: setup ## test the alert rules and the dashboard's queries with promtool
	scripts/alerts

openapi: ## hold a running proxy to docs/openapi.yaml with schemathesis; SHORT=1 for the short form
	@scripts/setup --openapi
	scripts/openapi $(if $(SHORT),--short)

lint: setup ## swift format, module directions, shellcheck, ruff
	scripts/lint

format: setup ## rewrite the sources in the project's style
	swift format -i -r -p Sources Tests Package.swift
	.venv/bin/ruff format -q Tests/Support Tests/Containers Benchmarks Benchmarks/run Benchmarks/observability/run scripts/check-imports
	.venv/bin/ruff check -q --fix Tests/Support Tests/Containers Benchmarks Benchmarks/run Benchmarks/observability/run scripts/check-imports

sanitize: setup ## unit and end-to-end tests under the thread and address sanitizers; SHORT=1 for the short form
	scripts/sanitize thread address

fuzz: ## fuzz the HTTP parsers with libFuzzer; SECONDS_EACH=60
	scripts/fuzz

bench: ## measure beside nginx, squid, tinyproxy, haproxy and mitmproxy; ARGS=--quick
	@scripts/setup --bench
	swift build -c release -j $(JOBS) --product waf-token-proxy
	Benchmarks/run $(ARGS)

test-setup: ## clone the tree into a fresh Debian 12 container and run make test there (needs root)
	scripts/container-test

test-containers: ## images, compose files, Kubernetes manifests and the .deb, built and run (Docker, else podman as root); SHORT=1
	@scripts/setup --containers
	scripts/test-containers $(if $(SHORT),--short)

deb: ## Debian package in .build/deb
	@scripts/setup --deb
	scripts/static-build -j $(JOBS)
	scripts/deb

clean: ## remove build products
	rm -rf .build
