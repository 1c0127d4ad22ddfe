module inference-stack-fleet/programs/cosign

go 1.25.0

require github.com/sigstore/cosign/v3 v3.0.4
