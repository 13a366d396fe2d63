package cmd

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"litmuscope/litmus/cycle"
)

// genFlags are the flags of the gen command.
type genFlags struct {
	arch  string
	name  string
	words bool
	familyFlags
}

func genCommand() *cobra.Command {
	var f genFlags
	c := &cobra.Command{
		Use:   "gen [flags] RELAXATION…",
		Short: "Make the test of a cycle of relaxations",
		Long: `Make the litmus test of a cycle of relaxations, in diyone7's words, and print it.

A cycle consists of program order (PodWR: a write, then a read of another location;
DpAddrdR; SyncdWW) and of communications between threads (Rfe: a read of the write; Fre:
a read before the write; Wse: a write before the write). Each relaxation starts at the
access that the one before it ends in. The condition asks whether the cycle can be.

An access is annotated at both ends of what touches it: PodWWPL RfeLA PodRRAP Fre has a
release and an acquire. What says nothing takes its neighbour's: PodWWPL Rfe PodRRAP Fre
is the same. Composites in brackets ([Rfi,PodRR]) and cumulative fences (ACSyncdRW) are
their relaxations. --words lists those of an architecture.

C has two vocabularies: C11's (--arch C: PodWWRlxRel RfeRelAcq, and Na for what is not
atomic) and the Linux kernel's (--arch LKMM: FenceWmbdWWOnceOnce RfeOnceAcquire).

Exit status: 0, or 2 when there is no such test; the error says at which word.`,
		Example: `  litmuscope gen PodWR Fre PodWR Fre
  litmuscope gen --arch PPC Rfe SyncdRW Rfe DpAddrdR Fre
  litmuscope gen --arch AArch64 PodWWPL RfeLA PodRRAP Fre > MP+popl+poap.litmus
  litmuscope gen --arch RISCV Fence.rw.rwdWW Rfe DpDatadW Wse | litmuscope run -m riscv -
  litmuscope gen --arch C PodWWRlxRel Rfe PodRRAcqRlx Fre
  litmuscope gen --arch LKMM RscsdRROnceOnce Fre FenceSync-rcudWWOnceOnce Rfe
  litmuscope gen --family 'PodW* MFencedWR Fre Rfe Wse' --size 4..6 --out suite.zip
  litmuscope gen --arch PPC --family standard --size 5 --out - | litmuscope run -f table -`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if f.relaxations == "" {
				if c.Flags().Changed("family") || c.Flags().Changed("size") || c.Flags().Changed("out") {
					return fmt.Errorf(
						"gen: --size and --out go with --family, which wants relaxations, as in 'PodWR Fre'")
				}
				return f.gen(os.Stdout, args)
			}
			if len(args) > 0 || f.words || f.name != "" {
				return fmt.Errorf(
					"gen: --family takes its relaxations in one word in quotes, and neither --name nor --words")
			}
			return f.make(c.Context(), os.Stdout, f.arch)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.arch, "arch", cycle.Archs()[0], "architecture: "+strings.Join(cycle.Archs(), ", "))
	flags.StringVar(&f.name, "name", "", "the test's name (default the cycle's own, by the field's convention)")
	flags.BoolVar(&f.words, "words", false, "list the relaxations of the architecture, and what they are")
	f.register(c)
	complete(c, "arch", cycle.Archs())
	return c
}

// gen is the gen command. Its errors are the user's.
func (f *genFlags) gen(out io.Writer, args []string) error {
	if f.words {
		if len(args) > 0 {
			return fmt.Errorf("gen: --words takes no relaxations")
		}
		return f.list(out)
	}
	if len(args) == 0 {
		return fmt.Errorf("gen: want relaxations, as in litmuscope gen PodWR Fre PodWR Fre")
	}
	if strings.ContainsAny(f.name, " \t\r\n") {
		return fmt.Errorf("gen: --name %q: a test's name is one word", f.name)
	}
	c, err := cycle.ParseCycle(f.arch, strings.Join(args, " "))
	if err != nil {
		return err
	}
	test, err := cycle.Generate(f.arch, c, f.name)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, test)
	return err
}

// list prints the words of the architecture.
func (f *genFlags) list(out io.Writer) error {
	words, ok := cycle.Vocabulary(f.arch)
	if !ok {
		return fmt.Errorf("gen: there are no cycles for architecture %q: want one of %s", f.arch,
			strings.Join(cycle.Archs(), ", "))
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	group := ""
	for _, e := range words.Entries {
		if e.Group != group {
			if group != "" {
				fmt.Fprintln(w)
			}
			group = e.Group
			fmt.Fprintln(w, group)
		}
		fmt.Fprintf(w, "  %s\t%s\n", e.Edge, e.Text)
	}
	if len(words.Marks) > 0 {
		fmt.Fprintf(w, "\nMarks, one for either end: Rfe%s%s\n", words.Plain, words.Marks[0].Mark)
		fmt.Fprintf(w, "  %s\tplain\n", words.Plain)
		for _, m := range words.Marks {
			fmt.Fprintf(w, "  %s\t%s\n", m.Mark, m.Text)
		}
	}
	if words.Sized {
		fmt.Fprintln(w,
			"\nSizes, one for either end, behind its mark: PodWRh0w0; once there is one, all others are words, w0")
		for _, p := range cycle.Parts() {
			fmt.Fprintf(w, "  %s\t%s\n", p, p.Text())
		}
	}
	return w.Flush()
}
