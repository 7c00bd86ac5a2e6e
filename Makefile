# Every target is one script in Scripts/; this file only names them.
.DEFAULT_GOAL := help
.PHONY: help setup build package run test test-long check bench screens fuzz soak format clean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install what building and testing need, as far as it is missing
	@Scripts/setup test

build: ## Build the server and the web app for release
	@Scripts/setup build
	@Scripts/build

package: ## Build the Debian package of the server and the web apps
	@Scripts/setup package
	@Scripts/build
	@Scripts/package

run: ## Build, then serve demo data on http://127.0.0.1:8080 (PORT and DATA change that)
	@Scripts/run

test: ## Run every test, with coverage and browsers (under twenty minutes)
	@Scripts/test

test-long: ## Run every test, then more worlds and damaged inputs (an hour or two)
	@Scripts/test-long

check: ## Run format, house rules, purity and unit tests (under five minutes)
	@Scripts/check

bench: ## Measure speed and memory of the release server
	@Scripts/setup build
	@Scripts/build
	@Scripts/bench

screens: ## Make a picture of every screen in screens/
	@Scripts/setup test
	@Scripts/build
	@Scripts/screens

fuzz: ## Feed random bytes to everything that reads bytes from outside
	@Scripts/setup check
	@Scripts/fuzz

soak: ## Run a million simulated worlds, or SEEDS of them from SEED on
	@Scripts/soak

format: ## Rewrite the Swift sources in the house's format
	@swift format --in-place --recursive Sources Tests Package.swift

clean: ## Remove what building made; data and installed tools stay
	@rm -rf .build screens
