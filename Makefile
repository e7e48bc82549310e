# Everything a newcomer needs is `make check` and `make test`; `make` lists the rest.

GO      ?= go
SUBJECT ?=
SEEDS   ?= 30
CHECK   ?=
SOAK    ?= 1000000

# Race-detected packages are those with goroutines of their own.
RACE = ./conform/ ./conform/hostile/ ./cmd/floorcheck/

.DEFAULT_GOAL := help
.PHONY: help build check test test-go test-race test-adapters lint fuzz soak bench bench-compare strength pilot real hostile docs clean

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/floorcheck
	@$(GO) build -o bin/floorcheck ./cmd/floorcheck

check: build ## put the reference engine under test, or SUBJECT="python3 adapters/python/guard.py"; CHECK="…" adds flags
	@bin/floorcheck check $(CHECK) $(if $(SUBJECT),-- $(SUBJECT))

test: lint test-go test-race test-adapters ## all tests: gofmt, vet, staticcheck, house, Go, race, Python, JavaScript

lint: ## gofmt, vet and staticcheck
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "not gofmt-ed:" $$unformatted; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

test-go: build
	$(GO) test -timeout 20m ./...

test-race:
	$(GO) test -race -short -timeout 20m $(RACE)

test-adapters: ## the helpers' own tests, in their own languages
	python3 -B -m unittest discover -s adapters/python
	node --test adapters/javascript/*.test.mjs

FUZZTIME ?= 200000x
fuzz: ## every fuzz target, FUZZTIME=200000x each (counted: a time limit can fail without a crasher)
	@for target in FuzzDecide FuzzDerive FuzzWire FuzzRetained FuzzRetain FuzzCertify FuzzCompact FuzzExtract FuzzSubject; do \
		echo "$$target"; $(GO) test ./fuzz -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 2s -parallel 1 || exit 1; \
	done

soak: ## compare engine and model on SOAK=1000000 texts and compactions, and play a tenth as many histories; Ctrl-C ends it with what was done
	@$(GO) run ./props/soak -n $(SOAK)

bench: ## benchmarks beside their anchors; prints the ratios and writes build/bench.txt
	$(GO) run ./bench/ratios

bench-compare: ## build/bench.txt against the committed baseline, by benchstat
	$(GO) tool benchstat $$(ls bench/baseline/*.txt) build/bench.txt

strength: ## measure every mutant with every driver, SEEDS=30; writes build/strength.json
	@mkdir -p build
	@# From its own folder, so that go test shows progress as it comes.
	cd props/strength && GOGC=400 SEEDS=$(SEEDS) FLOORCHECK_STRENGTH="$(CURDIR)/build/strength.json" $(GO) test -run '^TestStrength$$' -count 1 -timeout 24h

pilot: ## find out again what is to be expected of every mutant, and commit it
	cd props/strength && GOGC=400 $(GO) test -run '^TestPilot$$' -update -count 1 -timeout 24h

real: build ## check runtimes that others wrote, by npm, Go modules and Debian; writes docs/real-runtimes.md
	adapters/real/run

hostile: ## play every hostile summarizer to the guard and to a naive compactor; writes docs/hostile-summarizers.md
	@$(GO) run ./props/guarded

docs: build ## generate docs/rules.md
	bin/floorcheck rules --markdown > docs/rules.md

clean: ## remove what was built
	rm -rf bin build failures
