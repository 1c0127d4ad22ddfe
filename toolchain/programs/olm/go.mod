module inference-stack-fleet/programs/olm

go 1.26.3

require github.com/operator-framework/operator-controller v1.10.0

replace k8s.io/client-go => k8s.io/client-go v0.36.1
