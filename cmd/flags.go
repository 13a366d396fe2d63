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

// What commands have in common of their flags.

// askFlags say what is asked: under which models, by which engine, within which limits.
type askFlags struct {
	models  []string
	engine  string
	options solver.Options
}

// add makes the flags for models, whose default is that of a subject, and for the engine.
func (f *askFlags) add(c *cobra.Command, subject string, by []string) {
	f.addModels(c, subject)
	f.addEngine(c, by)
}

func (f *askFlags) addModels(c *cobra.Command, subject string) {
	c.Flags().StringArrayVarP(&f.models, "model", "m", nil,
		"model: "+strings.Join(models.Names(), ", ")+"; a version as it was published: "+
			strings.Join(published.Names(), ", ")+"; or a .cat file; may be given several times (default the "+subject+
			"'s own)")
	complete(c, "model", slices.Concat(models.Names(), published.Names()))
}

func (f *askFlags) addEngine(c *cobra.Command, by []string) {
	c.Flags().StringVarP(&f.engine, "engine", "e", by[0], "engine: "+strings.Join(by, ", "))
	complete(c, "engine", by)
}

// tasks are the models asked for, or each subject's own, as tasks without a test.
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

// answerFlags say how answers come about, and how they are printed.
type answerFlags struct {
	format  string
	workers int
	db      string
	stats   bool
}

// add makes the flags for formats, the first of which is the usual one, and answers about subjects.
func (f *answerFlags) add(c *cobra.Command, formats []string, subjects, answers string) {
	formatFlag(c, &f.format, "output format", formats)
	jobsFlag(c.Flags(), &f.workers, subjects)
	c.Flags().StringVar(&f.db, "db", "", "keep "+answers+" in this database file, and look them up there")
	c.Flags().BoolVar(&f.stats, "stats", false, "with -f jsonl, say what each answer cost")
}

// check says what is wrong with them.
func (f *answerFlags) check(formats []string) error {
	if err := checkFormat(f.format, formats); err != nil {
		return err
	}
	return checkJobs(f.workers)
}

func (f *answerFlags) runner(ctx context.Context) (solver.Runner, func(), error) {
	spare(f.workers)
	return newRunner(ctx, f.workers, f.db)
}

// textOrLines are the formats of commands with one for people and one for programs.
var textOrLines = []string{"text", "jsonl"}

// printAnswer prints the one answer of a command in one of them.
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
	flags.IntVarP(to, "jobs", "j", runtime.NumCPU(), "how many "+subjects+" to run at once")
}

func checkJobs(n int) error {
	if n < 1 {
		return fmt.Errorf("--jobs: %d is out of range (1 or more)", n)
	}
	return nil
}

// complete has a shell offer words for a flag.
func complete(c *cobra.Command, flag string, words []string) {
	files := cobra.ShellCompDirectiveNoFileComp
	if flag == "model" { // it may be a file
		files = cobra.ShellCompDirectiveDefault
	}
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, files)); err != nil {
		panic("BUG: " + err.Error())
	}
}

// some takes any arguments but none, for which it says what it wants.
func some(command, want string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s: want %s (see litmuscope %s --help)", command, want, command)
		}
		return nil
	}
}

// optionFlags makes a flag of each of some options, and leaves the others at their defaults.
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

// addFlag makes a flag of a field, whose value is the default.
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
