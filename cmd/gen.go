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

// genCommand returns the gen command, which makes one test, lists an architecture's relaxations, or makes a family.
func genCommand() *cobra.Command {
	var f genFlags
	c := &cobra.Command{
		Use:   "gen [flags] RELAXATION…",
		Short: "Make the litmus test of a cycle of relaxations",
		Long: `Make the litmus test of a cycle of relaxations, written as for diyone7, and print it.

A cycle consists of relaxations within a thread (PodWR: a write, then a read of another
location; DpAddrdR; SyncdWW) and of communications between threads (Rfe: a write, then a
read that reads from it; Fre: a read, then a write that overwrites the value read; Wse: a
write, then a later write in coherence order). Each relaxation starts at the access where
the previous one ends. The test's condition asks whether the cycle can happen.

A relaxation can annotate the accesses at both of its ends: PodWWPL RfeLA PodRRAP Fre has a
release and an acquire. An end without an annotation takes that of its neighbour: PodWWPL
Rfe PodRRAP Fre is the same cycle. A composite in brackets ([Rfi,PodRR]) and a cumulative
fence (ACSyncdRW) stand for several relaxations. --words lists the relaxations of an
architecture.

C has two vocabularies: C11's (--arch C: PodWWRlxRel RfeRelAcq, and Na for non-atomic
accesses) and the Linux kernel's (--arch LKMM: FenceWmbdWWOnceOnce RfeOnceAcquire).

On GPUs, annotations have scopes (PodWWPRelGpu), and communications say which scope the
two threads share: Rfe.cta leads to a thread of the same CTA, Rfe to another CTA.

On AArch64, annotations also say that an access is of a tag (T), an entry of a page table
(Pte, PteV0 …) or an instruction (I): RfePteV0P, FrePT, PodRRPI.

Exit status: 0, or 2 when there is no such test; the error names the wrong relaxation.`,
		Example: `  litmuscope gen PodWR Fre PodWR Fre
  litmuscope gen --arch PPC Rfe SyncdRW Rfe DpAddrdR Fre
  litmuscope gen --arch AArch64 PodWWPL RfeLA PodRRAP Fre > MP+popl+poap.litmus
  litmuscope gen --arch RISCV Fence.rw.rwdWW Rfe DpDatadW Wse | litmuscope run -m riscv -
  litmuscope gen --arch C PodWWRlxRel Rfe PodRRAcqRlx Fre
  litmuscope gen --arch LKMM RscsdRROnceOnce Fre FenceSync-rcudWWOnceOnce Rfe
  litmuscope gen --arch PTX PodWWPRelCta Rfe.cta PodRRAcqCtaP Fre
  litmuscope gen --family 'PodW* MFencedWR Fre Rfe Wse' --size 4..6 --out suite.zip
  litmuscope gen --arch PPC --family standard --size 5 --out - | litmuscope run -f table -`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if f.relaxations == "" {
				if c.Flags().Changed("family") || c.Flags().Changed("size") || c.Flags().Changed("out") {
					return fmt.Errorf(
						"gen: --size and --out need --family with relaxations, as in --family 'PodWR Fre'")
				}
				return f.gen(os.Stdout, args)
			}
			if len(args) > 0 || f.words || f.name != "" {
				return fmt.Errorf(
					"gen: --family excludes other arguments, --name and --words: put its relaxations in quotes")
			}
			return f.make(c.Context(), os.Stdout, f.arch)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.arch, "arch", cycle.Archs()[0], "make a test of this `ARCH`: "+strings.Join(cycle.Archs(), ", "))
	flags.StringVar(&f.name, "name", "", "`NAME` of the test (default the conventional name of the cycle)")
	flags.BoolVar(&f.words, "words", false, "list the relaxations of the architecture and their meanings")
	f.register(c)
	complete(c, "arch", cycle.Archs())
	return c
}

// gen runs the gen command without --family. Its errors are for the user to fix.
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
		return fmt.Errorf("gen: --name: got %q, want one word", f.name)
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

// list prints the relaxations of the architecture, by group, then the marks for annotations and sizes.
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
		fmt.Fprintf(w, "\nMarks, one for each end: Rfe%s%s\n", words.Plain, words.Marks[0].Mark)
		fmt.Fprintf(w, "  %s\tplain\n", words.Plain)
		for _, m := range words.Marks {
			fmt.Fprintf(w, "  %s\t%s\n", m.Mark, m.Text)
		}
	}
	if words.Apart != "" {
		m := words.Relaxed()
		fmt.Fprintf(w, "\nScopes, for two accesses without order: PodWW.%s is PodWW%[2]s%[2]s\n",
			strings.ToLower(strings.TrimPrefix(m, "Rlx")), m)
	}
	if words.Sized {
		fmt.Fprintln(w,
			"\nSizes, one for each end, after its mark: PodWRh0w0; if one access has a size, the others are words (w0)")
		for _, p := range cycle.Parts() {
			fmt.Fprintf(w, "  %s\t%s\n", p, p.Text())
		}
	}
	return w.Flush()
}
