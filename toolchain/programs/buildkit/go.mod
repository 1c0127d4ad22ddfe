module inference-stack-fleet/programs/buildkit

go 1.25.9

require github.com/moby/buildkit v0.31.0
