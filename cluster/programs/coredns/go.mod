module inference-stack-fleet/programs/coredns

go 1.25.0

require github.com/coredns/coredns v1.12.0

require k8s.io/api v0.35.4

require k8s.io/apimachinery v0.35.4

require k8s.io/client-go v0.35.4
