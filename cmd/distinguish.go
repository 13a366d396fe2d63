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

// wholeRange is every relaxation that cycles are usually made of, and coherence.
const wholeRange = "whole"

func distinguishCommand() *cobra.Command {
	var f distinguishFlags
	c := &cobra.Command{
		Use:   "distinguish [flags] A B | --mutants A",
		Short: "Tell two models apart by the smallest tests on which they differ",
		Long: `Tell two models apart: find the smallest tests that A forbids and B allows, and the
other way round, with the reason of the one and an execution of the other; or say up to
which size there is none.

A and B are built-in models, models without an axiom (power~observation), or .cat files.
The tests are those of all critical cycles over a list of relaxations, --over, of up to
--size accesses; the smaller ones first, and of one size those with the fewest threads,
fences and dependencies. A search ends with the first size at which there is a test for
either direction. "None" is said of these tests alone: it is no proof for all programs,
and what a cycle cannot ask about, such as a write that comes between the read and the
write of one instruction, is not among them. With --every N, all programs of up to N loads and stores
in a line are asked about as well, with what the relaxations have between one access and the next;
all their final states are compared, so that "none" is said of every outcome of these. With --search N,
what no test tells is asked of all executions of up to N events at once, by SAT: events are accesses and
fences as the instructions of the architecture's tests make them, and dependencies and values are free, so that an
execution that is found may be no program's; that there is none holds for all programs of these.

With --mutants there is one model, a built-in one, which is told apart from itself without each of
its axioms in turn, and without each operand of a union in its text: a table says for
each part which test it is there for. Of what no cycle needs, the classic tests are asked, and with
--search all executions.

With one model for both, --engine-a and --engine-b tell engines apart: a test on which
they differ is a bug of one of them.

Exit status: 0 when the search came to its end, 1 when it was interrupted or some test
could not be decided, 2 when the command line is wrong.`,
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
		"architecture of the tests: "+strings.Join(cycle.Archs(), ", ")+" (default one that both models are for)")
	flags.IntVar(&f.size, "size", 6, "how many accesses cycles have at the most, 2 to 20")
	flags.BoolVar(&f.mutants, "mutants", false, "tell a built-in model apart from itself without each of its parts")
	flags.StringVar(&f.over, "over", wholeRange,
		"relaxations of the cycles, as in 'Pod** Syncd** Rfe Fre'; "+ownFamily+" for the architecture's own list, "+
			wholeRange+" for that, coherence, atomic instructions and reads of own writes")
	flags.IntVar(&f.most, "most", 3, "how many of the smallest tests are given for each direction; 0 = all")
	flags.IntVar(&f.every, "every", 0,
		"ask about all straight programs of up to so many loads and stores as well, 0 to 5; 0 = none")
	flags.IntVar(&f.search, "search", 0,
		"ask what no test tells of all executions of up to so many events, 0 to 6; 0 = none")
	for i, side := range []string{"a", "b"} {
		flags.StringVar(&f.engines[i], "engine-"+side, engines.Names()[0],
			"engine that answers for "+strings.ToUpper(side)+": "+strings.Join(engines.Names(), ", "))
		complete(c, "engine-"+side, engines.Names())
	}
	f.answerFlags.add(c, textOrLines, "tests", "results")
	optionFlags(flags, &f.options, solver.OptionTable)
	complete(c, "arch", cycle.Archs())
	return c
}

// sides are the two who are asked.
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
			return nil, fmt.Errorf("distinguish: --mutants: %q is no built-in model: want one of %s", names[0],
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

// words are the relaxations that --over stands for.
func (f *distinguishFlags) words(arch string) string {
	switch f.over {
	case wholeRange:
		return cycle.Whole(arch)
	case ownFamily:
		return cycle.Standard(arch)
	}
	return f.over
}

// classics are the catalogue's tests in an architecture's instructions, or in a tongue.
func classics(arch string) (all []distinguish.Test) {
	for _, e := range catalogue.All() {
		if dialect.Tongue(e.Source) == arch {
			all = append(all, distinguish.Test{Name: e.Name, Source: e.Source})
		}
	}
	return all
}

// searchParts asks about executions what no test tells of a model's parts, in its own architecture and, of those alike
// there, in others.
func (f *distinguishFlags) searchParts(
	ctx context.Context, m *distinguish.Mutation, survey distinguish.Survey, asked func(),
) error {
	var own distinguish.Words
	var others []distinguish.Words
	for _, arch := range cycle.Archs() {
		s := distinguish.Survey{Over: survey.Over, Sides: survey.Sides, Words: classics(arch)}
		if arch != m.Arch {
			if models.FactsOf(models.Default(arch)).IsLanguage() || !slices.Contains(models.For(arch), m.Model) {
				continue
			}
			over, err := cycle.ParseRelaxations(arch, cycle.Whole(arch))
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

// distinguish is the distinguish command. Every error but errNotAll is the user's.
func (f *distinguishFlags) distinguish(ctx context.Context, out, failures io.Writer, names []string) error {
	if err := f.check(textOrLines); err != nil {
		return err
	}
	if f.size < 2 || f.size > 20 {
		return fmt.Errorf("--size: %d is out of range (2 to 20)", f.size)
	}
	if f.every < 0 || f.every > 5 || f.every > 0 && f.mutants {
		return fmt.Errorf("--every: %d is out of range (0 to 5, and of two models)", f.every)
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
	over, err := cycle.ParseRelaxations(arch, f.words(arch))
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
		survey.Also = append(classics(arch), distinguish.Beyond(arch)...)
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
		return fmt.Errorf("distinguish: there is no cycle of up to %d accesses over %s", f.size, f.words(arch))
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
