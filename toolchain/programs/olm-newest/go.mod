module inference-stack-fleet/programs/olm-newest

go 1.25.0

require github.com/operator-framework/operator-controller v1.11.0

