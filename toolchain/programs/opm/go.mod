module inference-stack-fleet/programs/opm

go 1.25.7

require github.com/operator-framework/operator-registry v1.65.0
