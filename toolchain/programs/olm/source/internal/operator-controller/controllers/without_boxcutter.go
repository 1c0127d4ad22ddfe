//go:build standard

package controllers

import (
	"errors"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// ErrWithoutBoxcutter is what main.go's run() ends with when the feature gate BoxcutterRuntime is on.
var ErrWithoutBoxcutter = errors.New("feature gate BoxcutterRuntime: this build of operator-controller cannot do it, " +
	"because it was made without pkg.package-operator.run/boxcutter, which the Go module proxy does not serve; " +
	"turn the gate off (AllAlpha=true turns it on as well), or run the released image")

// The build tag "standard" leaves out the files that need boxcutter. The rest of this file has the shape that main.go
// expects of them. Nothing of it is reached, because run() has ended before.

// ClusterObjectSetReconciler stands for the controller that rolls out revisions by boxcutter.
type ClusterObjectSetReconciler struct {
	Client                client.Client
	RevisionEngineFactory any
	TrackingCache         any
}

// SetupWithManager refuses.
func (*ClusterObjectSetReconciler) SetupWithManager(manager.Manager) error {
	return ErrWithoutBoxcutter
}

// NewDefaultRevisionEngineFactory refuses.
func NewDefaultRevisionEngineFactory(...any) (any, error) {
	return nil, ErrWithoutBoxcutter
}

// NewTrackingCache refuses, in place of boxcutter's own function of that name.
func NewTrackingCache(...any) (manager.Runnable, error) {
	return nil, ErrWithoutBoxcutter
}
