# The commands for users and developers. Settings are environment variables, or arguments of make.
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.PHONY: help lua web run emulator gateway check test test-all test-gui fuzz fleet chaos endurance load bench bench-gui dist dist-reproducible format format-check rom clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo "Settings, all optional: ROM=file HTTP_PORT=5000 LUA_PORT=18888 FPS=59.7275, as in: make run ROM=game.gba"

lua: ## build lua/mgba-bridge.lua, the one file that users load, from lua/src, and what is generated from its command table
	@lua5.4 lua/bundle.lua
	@lua/command_table.py

web: ## build the web page from gateway/web (requires Node 20.19 or newer)
	@exec scripts/web

run: ## run emulator and gateway together, until Ctrl-C
	@exec scripts/run

emulator: ## run only the headless emulator with the script
	@exec scripts/emulator

gateway: ## run only the gateway, for an mGBA window that has loaded lua/mgba-bridge.lua
	@exec scripts/gateway

check: ## after a change: write generated files anew, build once, run the tests that the change concerns
	@exec scripts/check

test: ## run the tests, of slow suites a sample; TEST="lua run": these suites completely, MGBA=0.10.5: another mGBA
	@exec scripts/test $(TEST)

test-all: ## run all tests: those of make test, and everything that it leaves out
	@exec scripts/test --all

test-gui: ## test the script and the gateway with a real mgba-qt window, on a virtual screen
	@exec scripts/test gui

# what make fuzz sends to; two parts run at a time, in MINUTES together. COUNT=n ends each after so many inputs, without MINUTES however long that takes
FUZZ_PARTS = $(or $(WHAT),wire http states files doors)
FUZZ_SECONDS_EACH = $$(($(or $(MINUTES),10) * 60 / (($(words $(FUZZ_PARTS)) + 1) / 2)))

fuzz: ## send random input to the product for 10 minutes; WHAT="wire http states files doors" MINUTES=10 SEED=1
	@scripts/install emulator gateway run python && scripts/build emulator gateway
	@FUZZ_SEED=$(or $(SEED),1) FUZZ_COUNT=$(COUNT) FUZZ_SECONDS=$(if $(COUNT)$(MINUTES),$(and $(MINUTES),$(FUZZ_SECONDS_EACH)),$(FUZZ_SECONDS_EACH)) \
	  scripts/pytest fuzz -n 2 --dist loadfile $(FUZZ_PARTS:%=tests/fuzz/test_%.py)

fleet: ## start a fleet (PostgreSQL, two-node Slurm, two gateways, eight games) and make its parts fail; needs root
	@exec scripts/test fleet

chaos: ## run 1,000 random fault schedules and check exactly-once, order and atomicity; SCHEDULES=n, SEED=n
	@scripts/install emulator gateway run python && scripts/build emulator gateway
	@CHAOS_SCHEDULES=$(or $(SCHEDULES),1000) CHAOS_SEED=$(or $(SEED),1) scripts/pytest chaos tests/chaos -n $(or $(JOBS),2)

endurance: ## check that nothing grows under mixed load for an hour; HOURS=n, RATE=requests a second
	@scripts/install emulator gateway run && scripts/build emulator gateway
	@exec scripts/endurance

load: ## run the load test: requests a second, 3 s a step (FULL=1: 30 s); LOAD="bot burst designs" runs other tests (loadtest/README.md)
	@exec scripts/load $(LOAD)

bench: ## measure (docs/performance.md, 15 minutes); BENCH="ladder wire lab many start vector" selects, FULL=1 long forms, KEEP=1 updates docs/performance
	@exec scripts/bench

bench-gui: ## measure the script in an mgba-qt window
	@exec lua/test-gui/bench.sh

dist: ## build the packages into dist/; DIST="linux-x64 deb" builds only these (scripts/dist lists all)
	@exec scripts/dist $(DIST)

dist-reproducible: ## build the packages a second time, in a clone, and compare them
	@exec scripts/dist-reproducible $(DIST)

format: ## format the sources, and report what cannot be formatted automatically
	@scripts/install format && RunAnalyzersDuringBuild=true dotnet format mGBA-bridge.sln && scripts/test format

format-check: ## report formatting problems without changing files
	@exec scripts/test format

rom: ## build the test ROMs and the demo game, and compare them with the committed ones
	@scripts/install rom
	@env -u MAKEFLAGS make -s -C headless/roms check && env -u MAKEFLAGS make -s -C demo check && echo "The committed ROMs match their sources."

clean: ## remove build output and the files of past runs
	@for lock in .run/*/lock; do [ ! -e "$$lock" ] || flock -n "$$lock" true || { echo "make run is still running ($$lock); end it first"; exit 1; }; done
	@git clean -fdXq headless demo gateway/src gateway/tests gateway/bench loadtest/lab clients/csharp artifacts .run
