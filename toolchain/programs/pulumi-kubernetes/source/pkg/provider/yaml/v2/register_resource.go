package v2

import (
	"fmt"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// registerResource registers an object of any kind. The released provider calls the generated Go SDK for it, which has
// a Go type for each kind of Kubernetes and takes longer to compile than all the rest. Only its type tokens are used,
// and they follow from version and kind.
func registerResource(
	ctx *pulumi.Context, apiVersion, kind, name string, props pulumi.Input, opts ...pulumi.ResourceOption,
) (pulumi.CustomResource, error) {
	var resource pulumi.CustomResourceState
	if err := ctx.RegisterResource(typeToken(apiVersion, kind), name, props, &resource, opts...); err != nil {
		return nil, err
	}
	return &resource, nil
}

// typeToken returns the type that Pulumi has for a kind: "kubernetes:apps/v1:Deployment". The group without a name is
// called core.
func typeToken(apiVersion, kind string) string {
	if !strings.Contains(apiVersion, "/") {
		apiVersion = "core/" + apiVersion
	}
	return fmt.Sprintf("kubernetes:%s:%s", apiVersion, kind)
}
