module inference-stack-fleet/programs/helm

go 1.25.0

require helm.sh/helm/v3 v3.19.0

