module inference-stack-fleet/programs/promtool

go 1.25.0

require github.com/prometheus/prometheus v0.305.0

