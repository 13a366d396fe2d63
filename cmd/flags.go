package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"litmuscope/models"
	"litmuscope/models/published"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/server"
)

// Flags that several commands share.

// askFlags hold the models, the engine and the options of a question.
type askFlags struct {
	models  []string
	engine  string
	options solver.Options
}

// add adds the flags for models and for the engine. subject is what a model applies to, "test" or "program"; by lists
// the engines, the default first.
func (f *askFlags) add(c *cobra.Command, subject string, by []string) {
	f.addModels(c, subject)
	f.addEngine(c, by)
}

func (f *askFlags) addModels(c *cobra.Command, subject string) {
	c.Flags().StringArrayVarP(&f.models, "model", "m", nil,
		"run under this `MODEL`: "+strings.Join(models.AllNames(), ", ")+"; a published version: "+
			strings.Join(published.Names(), ", ")+"; or a .cat file; may be given several times (default the "+subject+
			"'s own)")
	complete(c, "model", slices.Concat(models.AllNames(), published.Names()))
}

func (f *askFlags) addEngine(c *cobra.Command, by []string) {
	c.Flags().StringVarP(&f.engine, "engine", "e", by[0], "answer with this `ENGINE`: "+strings.Join(by, ", "))
	complete(c, "engine", by)
}

// tasks returns a task without a test for each model of --model. Without --model, it returns one task with an empty
// model, which means each test's own.
func (f *askFlags) tasks() ([]solver.Task, error) {
	names := f.models
	if len(names) == 0 {
		names = []string{""}
	}
	var tasks []solver.Task
	for _, name := range names {
		t := solver.Task{Model: name, Engine: f.engine, Options: f.options}
		if err := modelFile(&t); err != nil {
			return nil, err
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}

// answerFlags say how many answers to compute at once, where to cache them, and how to print them.
type answerFlags struct {
	format  string
	workers int
	db      string
	stats   bool
}

// add adds the flags. The first of formats is the default; subjects and answers are nouns for the help, such as "tests"
// and "results".
func (f *answerFlags) add(c *cobra.Command, formats []string, subjects, answers string) {
	formatFlag(c, &f.format, "output `FORMAT`", formats)
	jobsFlag(c.Flags(), &f.workers, subjects)
	c.Flags().StringVar(&f.db, "db", "", "cache "+answers+" in this database `FILE` (default no cache)")
	c.Flags().BoolVar(&f.stats, "stats", false, "with -f jsonl, print the cost of each answer")
}

// check returns an error that names the flag with a wrong value.
func (f *answerFlags) check(formats []string) error {
	if err := checkFormat(f.format, formats); err != nil {
		return err
	}
	return checkJobs(f.workers)
}

func (f *answerFlags) runner(ctx context.Context) (solver.Runner, func(), error) {
	limitProcessors(f.workers)
	return newRunner(ctx, f.workers, f.db)
}

// textOrLines are the formats of commands that print text for people or JSON lines for programs.
var textOrLines = []string{"text", "jsonl"}

// printAnswer prints the only answer of a command in one of the formats of textOrLines.
func printAnswer(out io.Writer, format string, answer interface{ Text() string }) error {
	if format == "jsonl" {
		lines := json.NewEncoder(out)
		lines.SetEscapeHTML(false)
		return lines.Encode(answer)
	}
	_, err := io.WriteString(out, answer.Text())
	return err
}

func formatFlag(c *cobra.Command, to *string, help string, formats []string) {
	c.Flags().StringVarP(to, "format", "f", formats[0], help+": "+strings.Join(formats, ", "))
	complete(c, "format", formats)
}

func checkFormat(format string, formats []string) error {
	if !slices.Contains(formats, format) {
		return fmt.Errorf("unknown format %q: want one of %s", format, strings.Join(formats, ", "))
	}
	return nil
}

func jobsFlag(flags *pflag.FlagSet, to *int, subjects string) {
	flags.IntVarP(to, "jobs", "j", runtime.NumCPU(), "number of "+subjects+" to run at once")
}

func checkJobs(n int) error {
	if n < 1 {
		return fmt.Errorf("--jobs: %d is out of range (1 or more)", n)
	}
	return nil
}

// complete makes shells offer words as values of a flag.
func complete(c *cobra.Command, flag string, words []string) {
	files := cobra.ShellCompDirectiveNoFileComp
	if flag == "model" { // it may be a file
		files = cobra.ShellCompDirectiveDefault
	}
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, files)); err != nil {
		panic("BUG: " + err.Error())
	}
}

// atLeastOne accepts one argument or more. If there is none, its error says what the command wants.
func atLeastOne(command, want string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s: want %s (see litmuscope %s --help)", command, want, command)
		}
		return nil
	}
}

// optionFlags sets all options to their defaults and adds a flag for each of some.
func optionFlags(flags *pflag.FlagSet, o *solver.Options, some []solver.Option) {
	*o = solver.DefaultOptions()
	for _, opt := range some {
		help := engines.Usage(opt)
		if opt.Choices != nil {
			help += ": " + strings.Join(opt.Choices, ", ")
		}
		addFlag(flags, opt.Field(o), opt.Name, "", help)
	}
}

// addFlag adds a flag that sets a field; the field's value is the default. It panics on a field type without a flag.
func addFlag(flags *pflag.FlagSet, field any, name, short, help string) {
	switch field := field.(type) {
	case *time.Duration:
		flags.DurationVarP(field, name, short, *field, help)
	case *int:
		flags.IntVarP(field, name, short, *field, help)
	case *server.MiB:
		flags.IntVarP((*int)(field), name, short, int(*field), help)
	case *float64:
		flags.Float64VarP(field, name, short, *field, help)
	case *string:
		flags.StringVarP(field, name, short, *field, help)
	case *bool:
		flags.BoolVarP(field, name, short, *field, help)
	default:
		panic(fmt.Sprintf("BUG: flag %s has a %T", name, field))
	}
}
