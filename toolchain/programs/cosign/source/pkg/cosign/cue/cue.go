// Package cue stands in for policies in CUE, which this build cannot evaluate.
package cue

import "errors"

// ValidateJSON refuses every policy.
func ValidateJSON(_ []byte, _ []string) error {
	return errors.New("this build of cosign cannot evaluate policies in CUE")
}
