# The front door. `make help` lists the targets; the TypeScript under cli/, cluster/, infra/ and toolchain/ does the work.
SHELL := /bin/bash
# Over ssh, bash takes itself for a remote shell and reads startup files that fail under -u.
.SHELLFLAGS := --norc -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory --warn-undefined-variables

# Under cron, systemd or in a container HOME may be missing; programs keep there what they build.
ifndef HOME
export HOME := $(shell getent passwd "$$(id -u)" | cut -d: -f6)
endif
export PATH := $(CURDIR)/.tools/bin:$(CURDIR)/node_modules/.bin:$(PATH)

# After this the checkout can run its own TypeScript. It takes a few milliseconds when nothing is missing.
READY := toolchain/bootstrap.sh
TOOLS := $(READY) && node toolchain/main.ts ensure
CLUSTER := node cluster/embedded/main.ts
# More arguments for the command behind a target, e.g. ARGS=--plain-http.
ARGS ?=
MOCHA := mocha --exit

##@ General

.PHONY: help
help: ## Show this help.
	@awk 'BEGIN {FS = ":.*## "; printf "Usage: make <target>\n"} \
	  /^##@ / {printf "\n%s\n", substr($$0, 5)} \
	  /^[a-zA-Z0-9_-]+:.*## / {printf "  %-20s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

PROGRAMS ?=
.PHONY: tools
tools: ## Provide every pinned program (see toolchain/programs.yaml), or those in PROGRAMS=.
	@$(TOOLS) $(or $(PROGRAMS),cluster pulumi olm integration)

.PHONY: tools-lock
tools-lock: ## Pin programs again after a change of toolchain/programs.yaml.
	@$(READY) && node toolchain/main.ts lock

##@ Embedded cluster

.PHONY: cluster-up
cluster-up: ## Start the embedded cluster, or repair it.
	@$(TOOLS) --to-run cluster && $(CLUSTER) up

.PHONY: cluster-down
cluster-down: ## Stop the embedded cluster; its data stays.
	@$(READY) && $(CLUSTER) down

.PHONY: cluster-status
cluster-status: ## Show the embedded cluster's processes and addresses.
	@$(READY) && $(CLUSTER) status

.PHONY: cluster-delete
cluster-delete: ## Delete the embedded cluster with all its data.
	@$(READY) && $(CLUSTER) delete

##@ The operator from this checkout

# The embedded cluster, unless the command line says `KUBECONFIG=file`. An exported KUBECONFIG may be anybody's.
CHOSEN := $(if $(filter command line,$(origin KUBECONFIG)),$(KUBECONFIG),$$($(CLUSTER) kubeconfig))

.PHONY: install
install: ## Install the CRDs of this checkout (KUBECONFIG=file: there, else in the embedded cluster).
	@$(TOOLS) kubectl && kubeconfig="$(CHOSEN)" && \
	  node components/api/print-definitions.ts | kubectl --kubeconfig "$$kubeconfig" apply --server-side -f -

.PHONY: run
run: ## Run the operator from source, on this machine: make run VERSION=v5.0.0 (KUBECONFIG as above).
	@$(if $(filter command line,$(origin VERSION)),,$(error make run needs VERSION=vX.Y.Z, of a major that is not installed))
	@$(TOOLS) kubectl && kubeconfig="$(CHOSEN)" && kubectl --kubeconfig "$$kubeconfig" apply -f - <<< "$$LEASE" && \
	  KUBECONFIG="$$kubeconfig" OPERATOR_VERSION=$(VERSION:v%=%) WATCHES_FILE=controller/watches.yaml \
	  node controller/src/main.ts
# What the platform provides for each major that is installed.
run: export LEASE = $(LEASE_OF_VERSION)
define LEASE_OF_VERSION
apiVersion: v1
kind: Namespace
metadata: { name: inference-stack-operator-system }
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata:
  name: inference-stack-operator-v$(firstword $(subst ., ,$(VERSION:v%=%)))
  namespace: inference-stack-operator-system
endef

##@ Bundle and catalog

# The usual names of operator projects. VERSION is vX.Y.Z; images are $(IMAGE_TAG_BASE), -bundle and -catalog. It has no default.
VERSION ?= v$(shell sed -n 's/^  "version": "\(.*\)",$$/\1/p' package.json)
CRD_VERSION ?=
CHANNELS ?=
BASE ?=
DEFAULT_CHANNEL ?=
DEV ?=
IMAGE_TAG_BASE ?=
CONTROLLER_IMAGE ?= $(if $(IMAGE_TAG_BASE),$(IMAGE_TAG_BASE):$(VERSION:v%=%))
BUNDLE_IMAGE ?=
CATALOG_TAG ?=
TEMPLATE ?=
export IMAGE_TAG_BASE
FLEET := node cli/fleet.mjs
# Not before they are used: a VERSION that somebody has typed into a form is checked by make ci-inputs first.
EXAMPLES = $(if $(CRD_VERSION),--crd-version $(CRD_VERSION))
RELEASE = --version $(VERSION) $(EXAMPLES)

.PHONY: controller-build
controller-build: ## Pack the controller into one file.
	@$(READY) && npm run --silent build -w controller

.PHONY: components-build
components-build: ## Build the components as a package for other programs: JavaScript and types in components/dist.
	@$(READY) && npm run --silent build -w components

.PHONY: components-pack
components-pack: components-build ## Pack that package into one file in dist/, which npm can install.
	@mkdir -p dist && npm pack --silent -w components --pack-destination dist

.PHONY: bundle
bundle: ## Write the bundle of VERSION to dist/bundle, for CONTROLLER_IMAGE (what bundle-build-push has pushed).
	@$(if $(CONTROLLER_IMAGE),,$(error make bundle needs IMAGE_TAG_BASE=registry.example.com/fleet/operator, or CONTROLLER_IMAGE=))
	@$(READY) && $(FLEET) bundle write $(RELEASE) --controller-image $(CONTROLLER_IMAGE) \
	  $(if $(CHANNELS),--channels $(CHANNELS)) $(if $(DEFAULT_CHANNEL),--default-channel $(DEFAULT_CHANNEL))

# The suites of operator-sdk that repositories of community operators run, or ran before they had checks of their own.
SUITES := suite=operatorframework name=community name=good-practices
COMMUNITY ?= dist/community
# Of a released version: that bundle. With CONTROLLER_IMAGE= on the command line: that of this checkout, to look at.
.PHONY: community-bundle
community-bundle: ## Write VERSION for a repository of community operators into COMMUNITY (dist/community), and validate it.
	@$(if $(filter command line,$(origin VERSION)),,$(error make community-bundle needs VERSION=vX.Y.Z))
	@$(TOOLS) operator-sdk && $(FLEET) bundle write --community $(RELEASE) --directory $(COMMUNITY) \
	  $(if $(filter command line,$(origin CONTROLLER_IMAGE)),--controller-image $(CONTROLLER_IMAGE)) $(ARGS)
	@for suite in $(SUITES); do operator-sdk bundle validate --select-optional "$$suite" \
	  $(COMMUNITY)/operators/inference-stack-operator/$(VERSION:v%=%) || exit 1; done

.PHONY: bundle-build-push
bundle-build-push: controller-build ## Build and push controller and bundle of VERSION (DEV=1: to the embedded registry).
	@$(if $(DEV),$(TOOLS) cluster olm &&) $(FLEET) bundle push $(RELEASE) $(if $(DEV),--dev)

.PHONY: catalog-build-push
catalog-build-push: controller-build ## Build and push the catalog (DEV=1: every version of TEMPLATE, from this checkout).
	@$(if $(DEV),$(TOOLS) cluster olm &&) $(FLEET) catalog push $(if $(CATALOG_TAG),--tag $(CATALOG_TAG)) $(EXAMPLES) \
	  $(if $(DEV),--dev $(if $(TEMPLATE),--template $(TEMPLATE))) $(ARGS)

.PHONY: catalog-add
catalog-add: ## Release the pushed bundle of VERSION to CHANNELS (candidate).
	@$(READY) && $(FLEET) catalog add $(if $(BUNDLE_IMAGE),--image $(BUNDLE_IMAGE),--version $(VERSION)) \
	  $(if $(CHANNELS),--channels $(CHANNELS)) $(ARGS)

CHANNEL ?=
.PHONY: release
release: ## Release this checkout: VERSION=vX.Y.Z IMAGE_TAG_BASE=registry/path/operator COSIGN_KEY=file [CHANNEL=candidate]. Goes on where it was killed.
	@$(if $(filter command line,$(origin VERSION)),,$(error make release needs VERSION=vX.Y.Z, the version to release))
	@$(READY) && $(FLEET) release $(RELEASE) $(if $(CHANNEL),--channel $(CHANNEL)) $(ARGS)

COMPONENT ?=
.PHONY: release-part
release-part: ## Release a part by itself: COMPONENT=controller|catalog|policies|components|cli VERSION=vX.Y.Z, else as release.
	@$(if $(filter command line,$(origin VERSION)),,$(error make release-part needs VERSION=vX.Y.Z, the version of the part))
	@$(if $(COMPONENT),,$(error make release-part needs COMPONENT=controller, catalog, policies, components or cli))
	@$(READY) && $(FLEET) release $(RELEASE) --only $(COMPONENT) $(if $(CHANNEL),--channel $(CHANNEL)) $(ARGS)

.PHONY: catalog-promote
catalog-promote: ## Move VERSION on: from candidate to fast, from fast to stable.
	@$(READY) && $(FLEET) catalog promote --version $(VERSION)

REASON ?=
# It reaches the command as it was written: neither make nor a shell reads a quote or a dollar sign in it.
override REASON := $(value REASON)
.PHONY: catalog-withdraw
catalog-withdraw: ## Tell clusters to leave a version, which stays installable: VERSION=vX.Y.Z REASON="what is wrong with it".
	@$(if $(filter command line,$(origin VERSION)),,$(error make catalog-withdraw needs VERSION=vX.Y.Z, a released version))
	@$(READY) && $(FLEET) catalog withdraw --version $(VERSION) --reason "$$REASON"
catalog-withdraw: export REASON := $(REASON)

.PHONY: catalog-check
catalog-check: ## Refuse a catalog that removes or changes a release (BASE= also compares with a git revision).
	@$(READY) && $(FLEET) catalog check $(if $(BASE),--base $(BASE))

.PHONY: catalog-render
catalog-render: ## Print the released catalog as YAML.
	@$(READY) && $(FLEET) catalog render -f catalog/operator_catalog.yaml --lock catalog/catalog.lock.yaml \
	  --deprecations catalog/deprecations.yaml -o yaml

.PHONY: catalog-graph
catalog-graph: ## Write the upgrade graph of released versions to docs/reference/upgrade-graph.md.
	@$(READY) && $(FLEET) catalog graph --write docs/reference/upgrade-graph.md

.PHONY: catalog-show
catalog-show: ## Show what the cluster's catalogd serves.
	@$(READY) && $(FLEET) catalog show $(ENV_NAMED) $(ARGS)

.PHONY: bench-catalog
bench-catalog: ## Time the rendering of 500 bundles.
	@$(READY) && node test/bench/components/catalog/render.bench.ts

##@ Command line

.PHONY: cli-pack
cli-pack: ## Pack fleet into one file in dist/, which npm installs where there is Node and no checkout.
	@$(READY) && node cli/pack/build.ts

##@ Policies

.PHONY: policies-build
policies-build: ## Build the policy pack into dist/policies, a folder that works wherever it is copied.
	@$(READY) && npm run --silent build -w policies

##@ Fleet

# The environment to run: Pulumi.$(ENV).yaml, or the settings in CONFIG, such as an example's. A shell that has chosen one
# for pulumi, as `make env` does, has chosen it for make, too. An exported ENV is ignored: it may mean something else.
PULUMI_STACK ?= dev
ENV = $(PULUMI_STACK)
CONFIG ?=
ENV_OPTION = $(REFUSE_STACK)--environment $(ENV)
ENV_OPTIONS = $(ENV_OPTION) $(if $(CONFIG),--config-file $(CONFIG))
# Commands that only read a cluster read the one that the shell points at, unless the command line names an environment.
ENV_NAMED = $(REFUSE_STACK)$(if $(filter command line,$(origin ENV)),--environment $(ENV))
# The former name of ENV. It is refused, so that nobody who still writes it gets another environment.
REFUSE_STACK = $(if $(filter-out undefined,$(origin STACK)),$(error STACK= is now ENV=: write ENV=$(STACK)))

# The record of a preview: the update is refused if it would make another change.
PREVIEWED ?=
.PHONY: up
up: ## Bring an environment up (ENV=dev: embedded cluster, fleet, and an example that answers).
	@$(READY) && $(FLEET) up $(ENV_OPTIONS) $(if $(PREVIEWED),--previewed $(PREVIEWED)) $(if $(ARGS),-- $(ARGS))

.PHONY: preview
preview: ## Show what `make up` would change, and which version each operator would get.
	@$(TOOLS) pulumi olm-manifest && $(FLEET) preview $(ENV_OPTIONS) $(if $(ARGS),-- $(ARGS))

.PHONY: down
down: ## Remove what `make up` installed, even if stacks still name an operator; CRDs and stacks stay.
	@$(TOOLS) pulumi && $(FLEET) down $(ENV_OPTIONS) $(if $(ARGS),-- $(ARGS))

.PHONY: policy
policy: ## Preview an environment with the policy pack: make policy ENV=prod ARGS="--policy-pack-config policies.json".
	@$(TOOLS) pulumi olm-manifest && $(FLEET) preview $(ENV_OPTIONS) -- --policy-pack policies $(ARGS)

.PHONY: audit
audit: ## Judge a live cluster by the rules of the policy pack: make audit ENV=prod ARGS="-o json".
	@$(READY) && $(FLEET) audit $(ENV_NAMED) $(ARGS)

.PHONY: status
status: ## Show catalogs, operators, stacks, GPUs and what needs attention (ENV=: in the cluster of that environment).
	@$(READY) && $(FLEET) status $(ENV_NAMED) $(ARGS)

.PHONY: impact
impact: ## Say what an upgrade would do to the stacks that run: make impact ENV=prod ARGS="-o json".
	@$(READY) && npm run --silent build -w controller && $(FLEET) impact $(ENV_OPTION) $(if $(CONFIG),--config $(CONFIG)) $(ARGS)

.PHONY: api-versions
api-versions: ## Show which API versions are served, stored and written through (ARGS=--rewrite: store all in today's).
	@$(READY) && $(FLEET) api-versions $(ENV_NAMED) $(ARGS)

.PHONY: env
env: ## Print what a shell needs for kubectl, pulumi and fleet with an environment: eval "$(make env)".
	@$(READY) && $(FLEET) env $(ENV_OPTION)

FROM ?=
TO ?=
CATALOG ?=
.PHONY: mirror
mirror: ## Copy all that a fleet needs: make mirror TO=registry|file.tar CATALOG=image (or FROM=file.tar) ARGS="--engine vllm".
	@$(READY) && $(FLEET) mirror $(if $(TO),--to $(TO)) $(if $(FROM),--from $(FROM)) $(if $(CATALOG),--catalog-image $(CATALOG)) $(ARGS)

.PHONY: unlock
unlock: ## Remove the lock that a killed `make up` or `make down` has left.
	@$(TOOLS) pulumi && $(FLEET) state unlock $(ENV_OPTION)

.PHONY: forget
forget: ## Remove the state of an environment whose cluster is gone for good (ARGS=--yes: without asking).
	@$(TOOLS) pulumi && $(FLEET) state forget $(ENV_OPTIONS) $(if $(ARGS),-- $(ARGS))

##@ Continuous integration

# The workflows run these, and any other CI can. What people type reaches them in variables: neither make nor a shell reads it.
# Not CI, which is a variable of the environment on many runners, and would reach every program with this value.
CI_STEP := $(READY) && node maintenance/ci/main.ts
# Where one step leaves files for the next.
CI_FOLDER = $(or $(RUNNER_TEMP),dist/ci)
RUNNER_TEMP ?=

.PHONY: ci-inputs
ci-inputs: ## Refuse a VERSION, CHANNEL or REASON that is not one, before make or a shell reads it.
	@$(CI_STEP) inputs

.PHONY: ci-environments
ci-environments: ## Print the environments of .github/environments.yaml as JSON, as an output of a step on GitHub.
	@awk 'BEGIN {printf "environments=["} /^- / {printf "%s\"%s\"", comma, $$2; comma = ","} END {printf "]\n"}' \
	  .github/environments.yaml | tee -a "$${GITHUB_OUTPUT:-/dev/null}"

.PHONY: ci-kubeconfig
ci-kubeconfig: ## Write the kubeconfig in CONTENT to a file for this user alone, which the next steps use.
	@$(CI_STEP) kubeconfig

.PHONY: pulumi-plugins
pulumi-plugins: ## Install Pulumi's released plugins in the pinned versions, for machines that reach the internet.
	@$(CI_STEP) plugins

.PHONY: ci-preview
ci-preview: ## Preview an environment with the policy pack, into files for ci-describe: make ci-preview ENV=prod.
	@mkdir -p $(CI_FOLDER) && $(TOOLS) pulumi olm-manifest && PULUMI_DEBUG_COMMANDS=true $(FLEET) preview $(ENV_OPTIONS) -- \
	  --policy-pack policies --non-interactive --json --event-log $(abspath $(CI_FOLDER))/events.jsonl > $(CI_FOLDER)/preview.json

.PHONY: ci-describe
ci-describe: ## Describe that preview in Markdown, fail where it failed, and record the change for `make up PREVIEWED=`.
	@mkdir -p $(CI_FOLDER) && $(READY) && { $(FLEET) preview-comment $(ENV_OPTION) --preview $(CI_FOLDER)/preview.json \
	  --events $(CI_FOLDER)/events.jsonl --record $(CI_FOLDER)/previewed.json > $(CI_FOLDER)/comment.md || failed=1; }; \
	  tee -a "$${GITHUB_STEP_SUMMARY:-/dev/null}" < $(CI_FOLDER)/comment.md; exit $${failed:-0}

.PHONY: ci-comment
ci-comment: ## Comment that on pull request NUMBER, or edit the comment of the run before.
	@FILE=$(CI_FOLDER)/comment.md $(CI_STEP) comment

.PHONY: ci-login
ci-login: ## Log in to REGISTRY as REGISTRY_USER with REGISTRY_PASSWORD.
	@$(CI_STEP) login

.PHONY: ci-signing-key
ci-signing-key: ## Write cosign's PRIVATE_KEY and PUBLIC_KEY to files for this user alone, which make release signs with.
	@$(CI_STEP) signing-key

.PHONY: ci-tag
ci-tag: ## Tag released versions that have no tag yet, and push the tags.
	@$(CI_STEP) tag

.PHONY: ci-propose
ci-propose: ## Open a pull request with what has changed in the catalog: BRANCH, TITLE.
	@$(CI_STEP) propose

.PHONY: ci-downstream
ci-downstream: ## Give release VERSION to everybody in .github/downstream.yaml, and list what people do then.
	@$(CI_STEP) downstream

##@ Tests

.PHONY: test
test: ## Unit, policy and rendering tests; needs Node only.
	@$(READY) && $(MOCHA) 'test/{unit,conformance}/**/*.test.ts'

.PHONY: test-integration
test-integration: ## Tests against a real API server, etcd, opm, helm and others.
	@$(TOOLS) integration serving && $(MOCHA) 'test/{integration,fault}/**/*.test.ts'

.PHONY: test-fault
test-fault: ## The part of the integration tests that breaks servers, connections and the controller itself.
	@$(TOOLS) integration && $(MOCHA) 'test/fault/**/*.test.ts'

E2E := $(MOCHA) --require test/support/embedded/shared-cluster.ts
.PHONY: e2e
e2e: ## Tests in the embedded cluster.
	@$(TOOLS) --to-run cluster kwok pulumi olm olm-manifest serving && $(E2E) 'test/e2e/**/*.test.ts'

.PHONY: e2e-long
e2e-long: ## Longer tests: OLM upgrades and open engines under load, and every wait of an update. Prints what was reported, and when.
	@$(TOOLS) --to-run cluster kwok pulumi olm olm-oldest olm-manifest control-plane serving && $(E2E) --reporter spec 'test/e2e-long/**/*.test.ts'

.PHONY: test-impact
test-impact: ## Five upgrades of 50 random stacks: the pods that are replaced are those that were named; takes minutes.
	@$(TOOLS) control-plane kube-controller-manager && $(MOCHA) 'test/exact/**/*.test.ts'

.PHONY: test-workflows
test-workflows: ## Run the workflows of releases on this machine with act, a registry and BuildKit; as root.
	@$(TOOLS) workflows && $(MOCHA) 'test/workflows/**/*.test.ts'

.PHONY: test-minimal
test-minimal: ## make test and make tools in a Debian that has only make and git; as root, takes long (PROGRAMS=: only these).
	@PROGRAMS='$(PROGRAMS)' test/minimal/run.sh

.PHONY: coverage
coverage: ## Unit tests with coverage in coverage/.
	@$(READY) && c8 --reporter text-summary --reporter html $(MOCHA) 'test/{unit,conformance}/**/*.test.ts'

STACKS ?= 100,1000,3000
CHART ?=
.PHONY: bench
bench: ## Time the controller beside a bare client; with CHART=path also beside the helm-operator. STACKS=100,1000,3000.
	@$(TOOLS) bench && node test/bench/controller/main.ts --stacks $(STACKS) \
	  $(if $(CHART),--chart $(CHART))

SPECS ?= 10000
.PHONY: bench-hostile
bench-hostile: ## Let the operator meet generated hostile specs; reports blocks, delays and memory. SPECS=10000.
	@$(TOOLS) control-plane && node test/bench/controller/hostile/main.ts --specs $(SPECS)

IMPACT_STACKS ?= 3000
IMPACT_APPLICATIONS ?= 1
.PHONY: bench-impact
bench-impact: ## Time the question what an upgrade does to IMPACT_STACKS=3000 stacks, and measure its memory.
	@$(READY) && node test/bench/components/impact/main.ts --stacks $(IMPACT_STACKS) \
	  --applications $(IMPACT_APPLICATIONS)

ROUNDS ?= 7
.PHONY: bench-preview
bench-preview: ## Time previews: an empty program, the dev environment, and that with policies. ROUNDS=7.
	@$(TOOLS) cluster pulumi olm && node test/bench/infra/preview/main.ts --rounds $(ROUNDS)

.PHONY: bench-render
bench-render: ## Time 10,000 renderings of a stack with 20 applications; the goal is 10 s of one core.
	@$(READY) && node test/bench/packages/render/render.bench.ts

REQUESTS ?= 2000
.PHONY: bench-canary
bench-canary: ## Measure a canary's share of the requests behind the gateway Onwards, by weights and clients; takes 10 minutes. REQUESTS=2000.
	@$(TOOLS) onwards && node test/bench/packages/render/canary/main.ts --requests $(REQUESTS)

ROADS ?= abc
.PHONY: client-proof
client-proof: ## Publish release 3.0.0 of HEAD to a registry, and consume it as a stranger does, up to a model's answer. ROADS=abc.
	@$(TOOLS) --to-run cluster pulumi olm olm-manifest serving signing && node test/bench/examples/client/main.ts --roads $(ROADS)

##@ Code

.PHONY: generate
generate: ## Generate CRDs, their schema, the reference pages and README's versions from the code.
	@$(READY) && node maintenance/generated.ts

.PHONY: check
check: ## Check types, imports, lint and format.
	@$(READY) && tsc && node maintenance/rooms/check.ts && eslint --max-warnings 0 . && prettier --check --log-level warn .

.PHONY: format
format: ## Format and fix what can be fixed.
	@$(READY) && prettier --write --log-level warn . && eslint --fix .
