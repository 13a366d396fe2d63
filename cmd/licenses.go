package cmd

import (
	"github.com/spf13/cobra"

	"litmuscope/static"
)

func licensesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "licenses",
		Short: "Print the licences of what the program contains",
		Long: `Print whose work is part of this program, and the licences that it comes under: the Go
modules that it is linked from, and the scripts and typefaces of its pages. The pages
have the same text behind their link Licences.`,
		Example: `  litmuscope licenses | less`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := c.OutOrStdout().Write(static.File("licenses.txt"))
			return err
		},
	}
}
