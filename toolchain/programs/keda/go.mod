module inference-stack-fleet/programs/keda

go 1.25.0

require github.com/kedacore/keda/v2 v2.19.0

