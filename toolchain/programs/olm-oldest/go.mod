module inference-stack-fleet/programs/olm-oldest

go 1.25.0

require github.com/operator-framework/operator-controller v1.5.1

