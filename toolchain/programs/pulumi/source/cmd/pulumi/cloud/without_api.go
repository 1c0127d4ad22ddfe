package cloud

import (
	"errors"

	"github.com/spf13/cobra"
)

// NewAPICmd stands for `pulumi api`, an experimental client of Pulumi Cloud's REST API. It is left out, because the
// OpenAPI parser that only it uses takes almost half of the time in which the whole CLI is compiled.
func NewAPICmd() *cobra.Command {
	return &cobra.Command{
		Use:                "api",
		Short:              "Call any Pulumi Cloud API endpoint (not in this build)",
		DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("`pulumi api` is not in this build of the CLI, which the project made for itself; " +
				"install the released CLI from https://www.pulumi.com/docs/install")
		},
	}
}

// ParamSpec is what a type of `pulumi api describe` refers to, in a file that is kept for its other types.
type ParamSpec struct{}
