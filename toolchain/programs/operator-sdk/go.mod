module inference-stack-fleet/programs/operator-sdk

go 1.25.0

require github.com/operator-framework/operator-sdk v1.34.1

require golang.org/x/tools v0.38.0

