# The commands of the project. `make help` lists them; begin with `make demo` and `make test`.

RELEASE := build/release
JOBS    ?= $(shell getconf _NPROCESSORS_ONLN)
BUILD   := cmake --build
export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)
SOURCES := $(shell find lib chapters app page tests notebooks -name '*.[ch]pp' -o -name '*.cu')
QUIET   := --log-level=WARNING > /dev/null

.DEFAULT_GOAL := all
ifndef TWO
.NOTPARALLEL:
endif
.PHONY: all demo deps test check check-rooms check-format check-lessons check-formulas check-ranks check-asan check-tidy check-docs check-all \
        check-arm64 check-bare check-compilers check-cuda check-machines check-page check-fuzz check-kernels check-standin check-notebooks check-exercises chapter exercise hint grade watch learn meter page twin twin-costs from-zero french gradients portuguese \
        kernels bench-peers install cuda notebook docs lessons format clean help notebook-library release-with-tests

all: ## build the program, build/release/gradus
	@scripts/packages program
	@cmake --preset release $(if $(wildcard $(RELEASE)/CMakeCache.txt),,-DGRADUS_TESTS=OFF) $(QUIET)
	@$(BUILD) $(RELEASE) --target gradus

demo: all ## translate a few sentences with the bundled model, and draw its attention
	@scripts/demo $(RELEASE)/gradus

test: release-with-tests ## every judge at small sizes, ten minutes at most
	@ctest --preset release --parallel $$(($(JOBS) + 1)) # some tests wait

deps: ## install the packages of all targets; each target also installs its own
	@scripts/packages program test mpi check notebook docs

# Two checks run at a time: many of them use one processor only. Those of one build folder take turns.
check: ## the checks that a change must pass besides `make test`
	@scripts/packages program test check notebook docs
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target TWO=yes NOTEBOOKS="tour 05_layer_norm" \
	  check-asan check-rooms check-format check-lessons check-formulas check-notebooks check-kernels check-standin check-fuzz check-tidy check-exercises check-docs
ifdef TWO
check-fuzz: check-asan
check-tidy: check-fuzz
notebook-library: check-lessons
check-kernels: check-notebooks
check-standin: check-kernels
check-exercises: check-standin
endif

check-rooms: # which file may include which
	@scripts/packages python
	@tests/rooms/rooms.py

check-format: # clang-format has nothing to change
	@scripts/packages check
	@clang-format --dry-run --Werror $(SOURCES)

check-lessons: release-with-tests # excerpts, demo output, figures and pictures in the lessons agree with the code; claims about tutorials with their texts
	@docs/tools/lessons.py --demos $(RELEASE)
	@docs/tools/pictures/draw.py --build $(RELEASE) --check
	@docs/tools/claims.py
	@docs/tools/records.py

check-formulas: # GitHub shows every formula as the page has it, and MathJax can set it
	@scripts/packages pages
	@tests/scripts/formulas_test.py
	@docs/tools/formulas.py

check-ranks: # the tests that `make test` skips where a package is missing: ranks by MPI, numpy; none may be skipped
	@scripts/packages program test mpi numpy
	@cmake --preset release -DGRADUS_TESTS=ON $(QUIET)
	@$(BUILD) $(RELEASE)
	@tests/scripts/none_skipped ctest --preset release --parallel $(JOBS) --tests-regex '^(11_ranks|11_numpy|rosetta_test)$$'

check-asan: # the second compiler, and the judges (no finite differences) under AddressSanitizer and UBSan; the longest eight are built and run only in check-all
	@scripts/packages program test check
	@cmake --preset asan $(QUIET)
	@$(BUILD) build/asan
	@ctest --preset asan --parallel $(JOBS)

check-kernels: # the kernels and their judges under ThreadSanitizer; under AddressSanitizer only in check-all
	@$(MAKE) --no-print-directory kernels SANITIZE=thread

check-standin: release-with-tests # what only nvcc compiles, on a stand-in for CUDA's libraries; the launches of a step, and the bytes that they move
	@$(BUILD) $(RELEASE) --target tests/cuda_standin/all tests/measure/traffic/all
	@ctest --test-dir $(RELEASE) --label-regex in_check --parallel $(JOBS) --output-on-failure

check-page: release-with-tests page docs notebook-library # [DATA=multi30k]: the page of `gradus serve`, the site, its live numbers and the tour's notebook, in a headless Chromium; only in check-all
	@scripts/packages browser
	@scripts/python_environment build/page-tools page/tools.txt
	@build/page-tools/bin/oxlint --quiet --config page/oxlint.json page/scripts
	@$(BUILD) $(RELEASE) --target gradus_mistakes gradus_walk
	@tests/page/build_test.py
	@node tests/page/numbers_test.mjs build/page $(RELEASE)/page
	@node tests/page/translations_test.mjs build/page $(RELEASE)/gradus $(if $(DATA),"$(DATA)")
	@tests/page/page_test.py build/page build/docs/html
	@scripts/notebook_environment lab
	@tests/chapters/11_translator/serve_page_test.py $(RELEASE)/gradus
	@tests/scripts/site_test.py build/docs/html
	@tests/notebooks/tour_test.py scripts/notebook --no-browser

check-fuzz: # our parsers with random and damaged input, twenty seconds each; a million inputs each in check-all
	@tests/fuzz/run 20s

check-exercises: release-with-tests # two exercises: blank, body, each known mistake; all of them, and docs/add-a-component.md, in check-all
	@tests/exercises/prove.py lookup cross_attention --jobs $(JOBS)

check-tidy: TREE = build/$(if $(ALONE),tidy,asan)
check-tidy: # clang-tidy, on the sources of lib, chapters and app as clang++ compiles them, several as one; in check-all (ALONE=1) each alone, and the tests
	@scripts/packages program test check
	@cmake --preset asan -B $(TREE) $(if $(ALONE),-DCMAKE_UNITY_BUILD=OFF -DGRADUS_GROUPS=OFF) $(QUIET)
	@run-clang-tidy -quiet -j $(JOBS) -p $(TREE) $(if $(ALONE),'^$(CURDIR)/(lib|chapters|app|page|tests)/.*\.cpp$$', \
	  -checks=-bugprone-suspicious-include '^$(CURDIR)/(build/asan/)?(lib|chapters|app)/.*\.c(pp|xx)$$') > build/tidy.log 2>&1 \
	  || { sed 's/\x1b\[[0-9;]*m//g' build/tidy.log | grep -E 'error:|warning:' | sort -u; exit 1; }

check-arm64: # every source but MPI's compiles for ARM64, and the judges for the processor pass in an emulator; result to docs/records/arm64.txt; only in check-all
	@scripts/packages program test arm64
	@tests/scripts/arm64_root build/arm64-root
	@cmake --preset arm64 $(QUIET)
	@$(BUILD) --preset arm64
	@scripts/record docs/records/arm64.txt --expect 'tests passed, 0 tests failed' ctest --preset arm64 --parallel $(JOBS)

COMPILERS ?=
check-compilers: # [COMPILERS="--with g++-14"]: every source, and every header by itself, with the compilers of Debian 12 and 13; in check-all each with two of them; result to docs/records/compilers.txt
	@scripts/packages bare
	@$(if $(COMPILERS),,scripts/record docs/records/compilers.txt --expect ' failures, ') tests/compilers/check --jobs $(JOBS) $(COMPILERS)

check-cuda: # every kernel compiles with nvcc for eight kinds of GPU, without a warning or a spilled register; only in check-all
	@tests/scripts/cuda.py --jobs $(JOBS)

check-machines: release-with-tests # training on two machines, made from this one as root, by mpirun and srun; result to docs/records/machines.txt
	@scripts/packages mpi machines
	@scripts/record docs/records/machines.txt --expect 'by mpirun and srun: 0 failures' tests/measure/machines/two_machines.py $(RELEASE)/gradus chapters/11_translator/toy

check-bare: # the README's commands on bare systems, also with half of each optional part; results to docs/records/bare-systems.txt; needs root; only in check-all
	@scripts/packages bare
	@tests/measure/bare/system --only demo,parts bookworm
	@tests/measure/bare/system --only demo,parts,test trixie noble

check-docs: docs # no warning of Doxygen, every function listed, every link leads somewhere
	@tests/scripts/website_test.py

check-all: check check-ranks release-with-tests check-cuda check-arm64 check-page check-bare ## all checks, also those that take longer; writes the result to docs/records/check-all.txt
	@$(BUILD) build/asan --target long_sanitized
	@ctest --test-dir build/asan --label-regex long_sanitized --parallel $(JOBS) --output-on-failure
	@$(MAKE) --no-print-directory kernels SANITIZE=address
	@$(MAKE) --no-print-directory check-notebooks NOTEBOOKS=
	@$(MAKE) --no-print-directory check-tidy ALONE=1
	@tests/exercises/prove.py --jobs $(JOBS)
	@tests/exercises/faults.py
	@tests/exercises/page.py
	@tests/exercises/changes.py
	@tests/install/run $(RELEASE) --build
	@$(MAKE) --no-print-directory check-compilers COMPILERS=--spread
	@scripts/record docs/records/check-all.txt --expect 'inputs, ' --expect 11_kill_everywhere --expect 11_toy --expect kernels_10_milestone sh -c 'tests/scripts/cuda.py && tests/fuzz/run 1000000 && ctest --test-dir $(RELEASE) --label-regex long --parallel $(JOBS) --output-on-failure'

chapter: ## CHAPTER=05 [WRONG=no-epsilon]: its demo and its judges, or the judges on a wrong twin
	@scripts/chapter "$(CHAPTER)" $(if $(WRONG),wrong "$(WRONG)")

DERIVED = $(if $(DERIVE),--derive)
exercise: ## [CHAPTER=05 [NAME=layer_norm | DERIVE=1]]: the chapter's exercises, or its backward pass to derive, laid out in build/exercises/05; alone: all, and what is done
	@scripts/packages python
	@exercises/exercise.py start "$(CHAPTER)" $(NAME) $(DERIVED)

hint: ## CHAPTER=05 [NAME=layer_norm] [HINT=1]: the next of three hints, or a given one again
	@scripts/packages python
	@exercises/exercise.py hint "$(CHAPTER)" $(NAME) $(if $(HINT),--again "$(HINT)") $(DERIVED)

grade: ## [CHAPTER=05 [NAME=layer_norm | DERIVE=1] [JSON=file]]: what is right in your file, what is wrong, and which mistake it is; alone: of all files that changed
	@scripts/packages python $(if $(DERIVE),compiler)
	@exercises/exercise.py grade "$(CHAPTER)" $(NAME) $(if $(JSON),--json "$(JSON)") $(DERIVED) || \
	  { status=$$?; printf '\nNot accepted yet. (Ignore make'\''s '\''Error'\'' below.)\n'; exit $$status; }

watch: ## CHAPTER=05 [NAME=layer_norm | DERIVE=1]: grades each time you save the file
	@scripts/packages python $(if $(DERIVE),compiler)
	@exercises/exercise.py watch "$(CHAPTER)" $(NAME) $(DERIVED)

learn: ## [CHAPTER=05 | DONE=05 | UNDO=05]: your path: what to read, run, derive and write, what is done, what is next; DONE marks the chapter's next page as read, UNDO takes that back
	@scripts/packages python
	@exercises/learn.py $(if $(CHAPTER),"$(CHAPTER)") $(if $(DONE),--done "$(DONE)") $(if $(UNDO),--undo "$(UNDO)")

meter: ## CHAPTER=05: what the loads and stores of the chapter's kernels move, in sectors of 32 bytes
	@scripts/packages python
	@exercises/meter.py "$(CHAPTER)"

twin: ## TWIN=sample-variance: the program with this known mistake, build/release/twins/gradus-sample-variance
	@scripts/packages program test
	@cmake --preset release -DGRADUS_TESTS=ON $(QUIET)
	@$(BUILD) $(RELEASE) --target gradus-$(TWIN)

twin-costs: ## DATA=folder [OPTIONS=...]: what the twins that train cost; hours. Writes docs/what-a-mistake-costs.md
	@scripts/packages program test
	@cmake --preset release -DGRADUS_TESTS=ON $(QUIET)
	@$(BUILD) $(RELEASE) --target gradus
	@tests/measure/bench/twins.py $(if $(DATA),"$(DATA)") $(OPTIONS)

from-zero: ## [EPOCHS=75]: trains the tutorial's preset on forty sentences, about ten minutes; draws its loss, positions and attention
	@scripts/packages program test
	@cmake --preset release -DGRADUS_TESTS=ON $(QUIET)
	@$(BUILD) $(RELEASE) --target gradus demo_02_positional_encoding
	@tests/measure/bench/record.py forty tests/measure/bench/forty_sentences.py $(RELEASE)/gradus build/from-zero $(EPOCHS) > /dev/null
	@docs/tools/pictures/draw.py from-zero-
	@docs/tools/lessons.py --write docs/tutorials/from-zero.md

french: ## a small English-French model on the descriptions of Debian's packages; half an hour, writes docs/tutorials/samlynnevans.md
	@scripts/packages program
	@cmake --preset release $(if $(wildcard $(RELEASE)/CMakeCache.txt),,-DGRADUS_TESTS=OFF) $(QUIET)
	@$(BUILD) $(RELEASE) --target gradus
	@tests/measure/bench/record.py french tests/measure/bench/french.py $(RELEASE)/gradus build/french > /dev/null
	@docs/tools/lessons.py --write docs/tutorials/samlynnevans.md

portuguese: ## fine-tunes a fetched student on the descriptions of Debian's packages; ten minutes, writes docs/tutorials/fine-tuning.md
	@scripts/packages program
	@cmake --preset release $(if $(wildcard $(RELEASE)/CMakeCache.txt),,-DGRADUS_TESTS=OFF) $(QUIET)
	@$(BUILD) $(RELEASE) --target gradus
	@tests/measure/bench/record.py portuguese tests/measure/bench/portuguese.py $(RELEASE)/gradus build/portuguese > /dev/null
	@docs/tools/lessons.py --write docs/tutorials/fine-tuning.md

gradients: ## [CHAPTER=05]: every gradient by finite differences and by dual numbers
ifdef CHAPTER
	@scripts/chapter "$(CHAPTER)" gradients
else
	@$(MAKE) --no-print-directory release-with-tests
	@tests/scripts/gradients.py $$(find $(RELEASE)/tests/chapters -name 'test_*' -type f -executable | sort)
endif

SANITIZE ?=
kernels: ## [SANITIZE=thread|address]: the judges of every kernel, on the host layer; what a step launches and moves
	@scripts/packages program test
	@cmake --preset release -DGRADUS_TESTS=ON $(QUIET)
	@$(BUILD) $(RELEASE) --target all_kernels$(SANITIZE:%=_%)
	@tests/scripts/kernels.py build/kernels$(SANITIZE:%=-%).json $$(find $(RELEASE)/$(if $(SANITIZE),kernels_$(SANITIZE),tests) \
	  -name 'test_kernels_*' -type f -executable -o -name test_host_layer -type f | sort)
	@$(if $(SANITIZE),,tests/measure/traffic/traffic.py $(RELEASE)/tests/measure/traffic/step_traffic)

bench-peers: ## [DATA=multi30k] [QUICK=1] [AGAIN=1] [OTHER=1]: gradus beside CTranslate2 and PyTorch; renews docs/peers.md
	@tests/measure/bench/peers/texts.py "$(DATA)"
	@tests/measure/bench/peers/environment
	@scripts/packages program test
	@cmake --preset release -DGRADUS_TESTS=ON $(QUIET)
	@$(BUILD) $(RELEASE) --target gradus bench_steps
	@tests/measure/bench/peers/run $(RELEASE) "$(DATA)" $(if $(OTHER),--other) $(if $(QUICK),--quick) $(if $(AGAIN),--again)

install: all ## PREFIX=~/.local: the program with its model, the library, its headers
	@cmake --install $(RELEASE) --prefix $(or $(PREFIX),/usr/local)

cuda: ## [ARCH=90]: the program with NVIDIA GPU support, build/cuda/gradus; needs CUDA 12.0 or later
	@scripts/packages program
	@cmake --preset cuda $(if $(ARCH),-DCMAKE_CUDA_ARCHITECTURES=$(ARCH)) $(QUIET)
	@$(BUILD) build/cuda --target gradus

notebook: notebook-library ## the C++ notebooks in JupyterLab; begins with the tour
	@scripts/notebook_environment lab
	@scripts/notebook

NOTEBOOKS ?=
check-notebooks: notebook-library # [NOTEBOOKS="tour 05_layer_norm"]: runs them by their kernel, edits cells, runs again; all of them in check-all
	@scripts/notebook_environment
	@build/notebook/bin/python tests/notebooks/kernel_test.py
	@build/notebook/bin/python notebooks/check.py $(NOTEBOOKS)

notebook-library:
	@scripts/packages program
	@cmake --preset release $(if $(wildcard $(RELEASE)/CMakeCache.txt),,-DGRADUS_TESTS=OFF) $(QUIET)
	@$(BUILD) $(RELEASE) --target gradus_shared

page: ## the live numbers of the lessons, the chapters' C++ in a browser: build/page/index.html, and in the site
	@scripts/packages page
	@cmake --preset wasm $(QUIET)
	@$(BUILD) build/wasm --target gradus_live gradus_mistakes gradus_translate
	@page/build.py

docs: $(if $(shell command -v em++),page) ## the site with all pages and the reference, build/docs/html/index.html
	@scripts/packages docs
	@docs/tools/website/build.py

lessons: release-with-tests ## renew the excerpts, numbers and pictures in the lessons
	@docs/tools/lessons.py --demos $(RELEASE) --write
	@docs/tools/pictures/draw.py --build $(RELEASE)
	@docs/tools/records.py --write

format: ## format the sources
	@scripts/packages check
	@clang-format -i $(SOURCES)

clean: ## remove all build results
	rm -rf build

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { line = sprintf("  make %-10s", $$1); count = split($$2, words, " "); \
	  for (i = 1; i <= count; ++i) { if (length(line " " words[i]) > 80) { print line; line = sprintf("%17s", "") } line = line " " words[i] } \
	  print line }' $(MAKEFILE_LIST)

release-with-tests:
	@scripts/packages program test
	@cmake --preset release -DGRADUS_TESTS=ON $(QUIET)
	@$(BUILD) $(RELEASE)
