package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth/distinguish"
)

// distinguishFlags are the flags of the distinguish command.
type distinguishFlags struct {
	answerFlags
	arch    string
	size    int
	over    string
	most    int
	every   int
	search  int
	engines [2]string
	mutants bool
	options solver.Options
}

// wholeRange is the value of --over for the architecture's own list of relaxations and those of coherence, atomic
// instructions and reads of a thread's own writes.
const wholeRange = "whole"

// distinguishCommand returns the distinguish command.
func distinguishCommand() *cobra.Command {
	var f distinguishFlags
	c := &cobra.Command{
		Use:   "distinguish [flags] A B | --mutants A",
		Short: "Find the smallest tests on which two models differ",
		Long: `Find the smallest tests on which two models differ: tests that A forbids and B allows,
and tests that A allows and B forbids. For each test, the command prints the reason why
one model forbids the outcome and an execution that the other allows. If it finds no
test, it says up to which size it has searched.

A and B are built-in models, models without an axiom (power~observation), or .cat files.

The tests come from all critical cycles over a list of relaxations (--over) with at most
--size accesses. The search goes from small to large; among tests of one size, those with
the fewest threads, fences and dependencies come first. It ends at the first size that
has a test for either direction. The answer "none" covers only these tests and is no proof
for all programs. Some behaviour has no such cycle, for example a write that comes between
the read and the write of one instruction.

With --every N, the search also covers all straight-line programs of up to N loads and
stores, with the fences and dependencies of the relaxations between them. It compares all
outcomes of these programs.

With --search N, a SAT solver searches all executions of up to N events for a difference
that no test shows. The events are the accesses and fences that the instructions of the
architecture's tests make; dependencies and values are free. An execution that it finds
may therefore belong to no program. The answer "none" holds for all programs of these
instructions.

With --mutants, the command takes one built-in model and compares it with its mutants: the
model without one of its axioms, or without one operand of a union in its text. A table
shows for each part a test that needs it. If no cycle needs a part, the command tries the
classic tests and, with --search, all executions.

With the same model for A and B, --engine-a and --engine-b compare two engines. A test on
which they differ is a bug in one of them.

Exit status: 0 when the search is complete, 1 when it was interrupted or some test could
not be decided, 2 when the command line is wrong.`,
		Example: `  litmuscope distinguish sc tso
  litmuscope distinguish tso pso
  litmuscope distinguish power my-power.cat
  litmuscope distinguish --arch AArch64 --size 5 aarch64 aarch64~external
  litmuscope distinguish -f jsonl rc11 c11
  litmuscope distinguish --engine-b machine tso tso
  litmuscope distinguish --mutants aarch64
  litmuscope distinguish --mutants --size 4 --search 4 power`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case f.mutants && len(args) != 1:
				return fmt.Errorf("distinguish: --mutants wants one model (see litmuscope distinguish --help)")
			case !f.mutants && len(args) != 2:
				return fmt.Errorf("distinguish: want two models (see litmuscope distinguish --help)")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return f.distinguish(c.Context(), os.Stdout, os.Stderr, args)
		},
		ValidArgsFunction: cobra.FixedCompletions(models.Names(), cobra.ShellCompDirectiveDefault),
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.arch, "arch", "",
		"use tests of this `ARCH`: "+strings.Join(cycle.Archs(), ", ")+" (default one that both models are for)")
	flags.IntVar(&f.size, "size", 6, "largest number of accesses in a cycle, 2 to 20")
	flags.BoolVar(&f.mutants, "mutants", false, "compare a built-in model with itself without each of its parts")
	flags.StringVar(&f.over, "over", wholeRange,
		"relaxations of the cycles, as in 'Pod** Syncd** Rfe Fre'; "+ownFamily+" for the architecture's own list, "+
			wholeRange+" for that list, coherence, atomic instructions and reads of a thread's own writes")
	flags.IntVar(&f.most, "most", 3, "number of smallest tests to print for each direction; 0 = all")
	flags.IntVar(&f.every, "every", 0,
		"also try all straight-line programs of up to this many loads and stores, 0 to 5; 0 = none")
	flags.IntVar(&f.search, "search", 0,
		"search all executions of up to this many events for differences that no test shows, 0 to 6; 0 = none")
	for i, side := range []string{"a", "b"} {
		flags.StringVar(&f.engines[i], "engine-"+side, engines.Names()[0],
			"`ENGINE` for model "+strings.ToUpper(side)+": "+strings.Join(engines.Names(), ", "))
		complete(c, "engine-"+side, engines.Names())
	}
	f.answerFlags.add(c, textOrLines, "tests", "results")
	optionFlags(flags, &f.options, solver.OptionTable)
	complete(c, "arch", cycle.Archs())
	return c
}

// sides returns one task for each model on the command line, without a test. Its error names what is wrong.
func (f *distinguishFlags) sides(names []string) ([]solver.Task, error) {
	var sides []solver.Task
	for i, name := range names {
		t := solver.Task{Model: name, Engine: f.engines[i], Options: f.options}
		if err := modelFile(&t); err != nil {
			return nil, err
		}
		if err := admit(t); err != nil {
			return nil, err
		}
		sides = append(sides, t)
	}
	if f.mutants {
		if base, without := models.Split(names[0]); len(without) > 0 || !models.IsBuiltIn(base) {
			return nil, fmt.Errorf("distinguish: --mutants: %q is not a built-in model: want one of %s", names[0],
				strings.Join(models.Names(), ", "))
		}
		return sides, nil
	}
	if names[0] == names[1] && f.engines[0] == f.engines[1] {
		return nil,
			fmt.Errorf(
				"distinguish: %s and %s are the same: want two models, or another engine for one of them (--engine-b)",
				names[0], names[1])
	}
	return sides, nil
}

// relaxations returns the relaxations named by --over.
func (f *distinguishFlags) relaxations(arch string) string {
	switch f.over {
	case wholeRange:
		return cycle.AllRelaxations(arch)
	case ownFamily:
		return cycle.Standard(arch)
	}
	return f.over
}

// classics returns the catalogue's tests in the instructions of an architecture, or in a language, without those of a
// system's side, which other models do not decide.
func classics(arch string) (all []distinguish.Test) {
	for _, e := range catalogue.All() {
		if dialect.Tongue(e.Source) == arch && !e.System() {
			all = append(all, distinguish.Test{Name: e.Name, Source: e.Source})
		}
	}
	return all
}

// searchParts searches executions of up to --search events for those that need a part of the model that no test shows
// to matter. It searches the model's own architecture first; for parts that make no difference there, it also searches
// the other architectures that the model covers.
func (f *distinguishFlags) searchParts(
	ctx context.Context, m *distinguish.Mutation, survey distinguish.Survey, asked func(),
) error {
	var own distinguish.Words
	var others []distinguish.Words
	for _, arch := range slices.DeleteFunc(cycle.Archs(), dialect.HasScopes) {
		s := distinguish.Survey{Over: survey.Over, Sides: survey.Sides, Words: classics(arch)}
		if arch != m.Arch {
			if models.FactsOf(models.Default(arch)).IsLanguage() || !slices.Contains(models.For(arch), m.Model) {
				continue
			}
			over, err := cycle.ParseRelaxations(arch, cycle.AllRelaxations(arch))
			if err != nil {
				return err
			}
			s.Over = distinguish.Range{Arch: arch, Over: over, Most: f.size}
		}
		v, _, err := s.Vocabulary(ctx)
		if err != nil {
			return err
		}
		if arch == m.Arch {
			own = distinguish.Words{Arch: arch, Vocabulary: v}
		} else {
			others = append(others, distinguish.Words{Arch: arch, Vocabulary: v})
		}
	}
	return m.Search(ctx, own, others, f.search, func(distinguish.Part) { asked() })
}

// distinguish runs the distinguish command. Every error except errNotAll is for the user to fix.
func (f *distinguishFlags) distinguish(ctx context.Context, out, failures io.Writer, names []string) error {
	if err := f.check(textOrLines); err != nil {
		return err
	}
	if f.size < 2 || f.size > 20 {
		return fmt.Errorf("--size: %d is out of range (2 to 20)", f.size)
	}
	if f.every < 0 || f.every > 5 || f.every > 0 && f.mutants {
		return fmt.Errorf("--every: %d is out of range (0 to 5; 0 with --mutants)", f.every)
	}
	if f.search < 0 || f.search > 6 {
		return fmt.Errorf("--search: %d is out of range (0 to 6)", f.search)
	}
	if f.most < 0 {
		return fmt.Errorf("--most: %d is out of range (0 or more)", f.most)
	}
	sides, err := f.sides(names)
	if err != nil {
		return err
	}
	arch, err := distinguish.Tongue(names, f.arch)
	if err != nil {
		return fmt.Errorf("--arch: %w", err)
	}
	if dialect.HasScopes(arch) && f.search+f.every > 0 {
		return fmt.Errorf("--search and --every: they do not place threads in scopes, as tests of %s do", arch)
	}
	over, err := cycle.ParseRelaxations(arch, f.relaxations(arch))
	if err != nil {
		return fmt.Errorf("--over: %w", err)
	}
	runner, closeRunner, err := f.runner(ctx)
	if err != nil {
		return err
	}
	defer closeRunner()
	ctx, stop := untilInterrupted(ctx)
	defer stop()

	survey := distinguish.Survey{
		Runner: runner, Workers: f.workers,
		Over: distinguish.Range{Arch: arch, Over: over, Most: f.size}, Sides: sides, Every: f.every,
		Executions: f.search,
	}
	bar := startProgress(ctx, []string{"-"}, 1)
	asked := func() { bar.Add(1) }
	var answer interface{ Text() string }
	var tests, open int
	if f.mutants {
		survey.Also = append(classics(arch), distinguish.LargerTests(arch)...)
		var m *distinguish.Mutation
		m, err = survey.Mutate(ctx, asked, func(distinguish.Part) {})
		if err == nil && f.search > 0 {
			err = f.searchParts(ctx, m, survey, asked)
		}
		answer, tests, open = m, m.Tests, m.Open
	} else {
		survey.Words = classics(arch)
		begin := time.Now()
		var a *distinguish.Apart
		a, err = survey.Two(ctx, f.most, asked)
		a.MS = float64(time.Since(begin).Microseconds()) / 1000
		answer, tests, open = a, a.Tests, len(a.Open)
	}
	bar.Finish()
	if err != nil && ctx.Err() == nil {
		return err
	}
	if tests == 0 && err == nil {
		return fmt.Errorf("distinguish: no cycle of up to %d accesses over %s", f.size, f.relaxations(arch))
	}
	switch err := printAnswer(out, f.format, answer); {
	case err != nil:
		return err
	case ctx.Err() != nil:
		fmt.Fprintf(failures, "litmuscope: interrupted after %s\n", solver.Count(tests, "test"))
	case open > 0:
		fmt.Fprintf(failures, "litmuscope: %s could not be decided\n", solver.Count(open, "test"))
	default:
		return nil
	}
	return errNotAll
}
