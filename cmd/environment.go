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

// fromEnvironment sets the flags that the command line does not set and the environment does. Its error names the
// variable.
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

// withEnvironment lets environment variables set the flags of all commands below root, and says so in their help.
func withEnvironment(root *cobra.Command) {
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return fromEnvironment(c.Flags()) }
	const flags = "{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}"
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), flags, flags+`{{if .Runnable}}

An environment variable can set a flag: LITMUSCOPE_DB sets --db, and so on (upper case, _
for -, lists with commas). A flag on the command line overrides it.{{end}}`, 1))
}
