module inference-stack-fleet/programs/actionlint

go 1.25.0

require github.com/rhysd/actionlint v1.7.8

