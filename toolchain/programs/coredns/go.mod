module inference-stack-fleet/programs/coredns

go 1.25.0

require github.com/coredns/coredns v1.12.0
