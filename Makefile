# Every target runs one script in Scripts/; this file only names them.
.DEFAULT_GOAL := help
.PHONY: help setup build package run test test-long check bench screens fuzz soak explore format clean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install what is missing for building and testing
	@Scripts/setup test

build: ## Build the server and the web apps for release
	@Scripts/setup build
	@Scripts/build

package: ## Build the Debian package of the server and the web apps
	@Scripts/setup package
	@FIELDPASS_RELEASE=true Scripts/build
	@Scripts/package

run: ## Build, then serve demo data on http://127.0.0.1:8080 (PORT and DATA change that)
	@Scripts/run

test: ## Run every test, with coverage and browsers (under twenty minutes)
	@Scripts/test

test-long: ## Run every test, then failover, more worlds and damaged inputs (an hour or two)
	@Scripts/test-long

check: ## Check format and house rules, and run unit tests (under five minutes)
	@Scripts/check

bench: ## Measure speed and memory of the release server
	@Scripts/setup build
	@Scripts/build
	@Scripts/bench

screens: ## Take a screenshot of every screen into screens/
	@Scripts/setup test
	@Scripts/build
	@Scripts/screens

fuzz: ## Feed damaged bytes to every parser of bytes from outside
	@Scripts/setup check
	@Scripts/fuzz

soak: ## Run a million simulated worlds, or SEEDS worlds starting with seed SEED
	@Scripts/soak

explore: ## Visit the states of two tabs and a server, STATES at most in each scenario
	@Scripts/setup check
	@Scripts/explore

format: ## Format the Swift sources
	@swift format --in-place --recursive Sources Benchmarks Tests Package.swift

clean: ## Remove build results; data and installed tools stay
	@rm -rf .build screens
