package cmd

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// variable is the name of the environment variable for a flag.
func variable(flag string) string {
	return "LITMUSCOPE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// fromEnvironment gives the flags that the command line leaves out what the environment
// says.
func fromEnvironment(flags *pflag.FlagSet) (err error) {
	flags.VisitAll(func(f *pflag.Flag) {
		text, there := os.LookupEnv(variable(f.Name))
		if err != nil || !there || f.Changed || f.Name == "help" {
			return
		}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			var values []string
			if text != "" {
				values = strings.Split(text, ",")
			}
			err = list.Replace(values)
			f.Changed = err == nil
		} else {
			err = flags.Set(f.Name, text)
		}
		if err != nil {
			// pflag's words name the flag, which the user has not used.
			var bad *pflag.InvalidValueError
			if errors.As(err, &bad) {
				err = bad.Unwrap()
			}
			err = fmt.Errorf("%s: %q: %w", variable(f.Name), text, err)
		}
	})
	return err
}

// withEnvironment lets the environment give flags to all commands below root, and has
// their help say so.
func withEnvironment(root *cobra.Command) {
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return fromEnvironment(c.Flags()) }
	const flags = "{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}"
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), flags, flags+`{{if .Runnable}}

The environment may give a flag, too: LITMUSCOPE_DB what --db would, and so on (upper
case, _ for -, a list with commas). The command line has the last word.{{end}}`, 1))
}
