package cmd

import (
	"github.com/spf13/cobra"

	"litmuscope/static"
)

func licensesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "licenses",
		Short: "Print the licences of the software in this program",
		Long: `Print the licences and authors of the software in this program: the Go modules that are
linked into it, and the scripts and typefaces of its pages. The link Licences on the
pages shows the same text.`,
		Example: `  litmuscope licenses | less`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := c.OutOrStdout().Write(static.File("licenses.txt"))
			return err
		},
	}
}
