// Package kubernetes stands in for keys in a cluster, which this build cannot read.
package kubernetes

import (
	"context"
	"errors"

	"github.com/sigstore/cosign/v3/pkg/cosign"
)

// KeyReference begins the name of a key in a cluster.
const KeyReference = "k8s://"

var errNoCluster = errors.New("this build of cosign has no keys in Kubernetes: name a file")

// Secret has the data of a Kubernetes Secret.
type Secret struct{ Data map[string][]byte }

// GetKeyPairSecret refuses to read a key.
func GetKeyPairSecret(_ context.Context, _ string) (*Secret, error) { return nil, errNoCluster }

// KeyPairSecret refuses to write a key.
func KeyPairSecret(_ context.Context, _ string, _ cosign.PassFunc) error { return errNoCluster }
