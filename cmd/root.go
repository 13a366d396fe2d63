package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	confined "litmuscope/litmus/toolchain/sandbox"
	"litmuscope/solver/garbage"
	"litmuscope/solver/hugepages"
)

// errNotAll ends a command with exit status 1: tests did not all run or agree, or logs differ. The command has already
// printed the reason.
var errNotAll = errors.New("not every test ran or agreed")

// Main runs a compiler's job if a sandbox started this process for that. Otherwise it runs the command line of os.Args
// and ends the process with its exit status: 1 if tests did not all run or agree, 2 after an error.
func Main() {
	confined.MaybeChild()
	garbage.CollectSeldom()
	hugepages.Ask()
	os.Exit(execute())
}

func execute() int {
	root := rootCommand()
	root.SetArgs(compilersFlags(os.Args[1:]))
	switch err := root.ExecuteContext(context.Background()); {
	case err == nil:
		return 0
	case errors.Is(err, errNotAll):
		return 1
	default:
		fmt.Fprintln(os.Stderr, "litmuscope:", err)
		return 2
	}
}

// compilersFlags adds a dash to the flags that compilers spell with one: pflag would read -fsigned-char as -f with a
// value.
func compilersFlags(args []string) []string {
	out := slices.Clone(args)
	for i, a := range out {
		if a == "-fsigned-char" || a == "-funsigned-char" {
			out[i] = "-" + a
		}
	}
	return out
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "litmuscope",
		Short:         "Explore litmus tests for weak memory models",
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(serveCommand(), runCommand(), compareCommand(), genCommand(), nameCommand(), compileCommand(),
		verifyCommand(), exploreCommand(),
		repairCommand(), weakenCommand(), optimiseCommand(), distinguishCommand(), fitCommand(),
		submitCommand(), watchCommand(), fetchCommand(), cancelCommand(),
		agreeCommand(), lessonsCommand(), courseCommand(), lspCommand(), mcpCommand(), siteCommand(), workerCommand(),
		hwCommand(), tokenCommand(), backupCommand(), licensesCommand())
	withEnvironment(root)
	withManual(root)
	return root
}

// manualPages maps commands to the pages of the manual (static/docs) that describe them.
var manualPages = map[string]string{
	"run": "command-line", "licenses": "command-line", "agree": "why-believe-it",
	"compare": "suites", "submit": "suites", "watch": "suites", "fetch": "suites", "cancel": "suites",
	"gen": "cycles", "name": "cycles", "compile": "tests",
	"verify": "programs", "explore": "engines",
	"repair": "repair", "weaken": "repair", "optimise": "orders",
	"distinguish": "distinguish", "fit": "distinguish",
	"lessons": "lessons", "course": "classes-and-courses",
	"hw": "hardware", "lsp": "editors-and-assistants", "mcp": "editors-and-assistants", "site": "static-site",
	"serve": "operations", "worker": "operations", "token": "operations", "backup": "operations",
}

// withManual adds a command's page of the manual to its help.
func withManual(root *cobra.Command) {
	for _, c := range root.Commands() {
		if page, ok := manualPages[c.Name()]; ok {
			c.Annotations = map[string]string{"manual": page}
		}
	}
	root.SetUsageTemplate(root.UsageTemplate() + `{{with index .Annotations "manual"}}
Manual: static/docs/{{.}}.md in the source, /docs/{{.}} on a server
{{end}}`)
}
