module inference-stack-fleet/programs/act

go 1.25.0

require github.com/nektos/act v0.2.82
