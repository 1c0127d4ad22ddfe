module inference-stack-fleet/programs/helm-operator

go 1.25.0

require github.com/operator-framework/helm-operator-plugins v0.8.0

