module inference-stack-fleet/programs/olm

go 1.25.0

require github.com/operator-framework/operator-controller v1.10.0

