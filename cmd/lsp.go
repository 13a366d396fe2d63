package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"

	"litmuscope/web/api/language"
)

// lspFlags are the flags of the lsp command.
type lspFlags struct {
	workers int
	db      string
	log     logFlags
}

func lspCommand() *cobra.Command {
	var f lspFlags
	c := &cobra.Command{
		Use:   "lsp [flags]",
		Short: "Answer an editor, by the Language Server Protocol",
		Long: `Answer an editor on standard input and output, by the Language Server Protocol
(https://microsoft.github.io/language-server-protocol/): what is wrong with a litmus test,
a model in cat or a C program while it is written, and what mends it; what may stand
at a place, and what a word there is; where a name is defined and used, and another name
for it; an outline, folds, and what a call takes; colours; tests laid out anew; and what the usual models say of a test, beside
its condition, and of the assertions of a program, at its main.

An editor starts it by itself, as its settings say; the folder static/editors of the
source has some, and an extension for VS Code.`,
		Example: `  litmuscope lsp
  litmuscope lsp --db answers.db`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.answer(c.Context(), c.InOrStdin(), c.OutOrStdout())
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.IntVarP(&f.workers, "jobs", "j", runtime.NumCPU(), "questions answered at once")
	flags.StringVar(&f.db, "db", "", "keep answers in this database file (default none)")
	// Clients ask for it by habit: it is the only channel that there is.
	flags.Bool("stdio", true, "speak on standard input and output, as it does anyway")
	f.log.add(flags)
	return c
}

// answer is the lsp command.
func (f *lspFlags) answer(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	log, err := f.log.logger()
	if err != nil {
		return err
	}
	if f.workers < 1 {
		return fmt.Errorf("--jobs: %d: want 1 or more", f.workers)
	}
	runner, closeRunner, err := newRunner(ctx, f.workers, f.db)
	if err != nil {
		return err
	}
	defer closeRunner()
	apart, err := newSandbox(f.workers, log)
	if err != nil {
		return err
	}
	defer apart.pool.Close()
	c := language.DefaultConfig()
	c.Version, c.Sandbox, c.Runner, c.Log = version(), apart, runner, log
	if cache, err := os.UserCacheDir(); err == nil {
		c.Library = filepath.Join(cache, "litmuscope", "library")
	} else {
		log.Warn("files of the library cannot be shown", "error", err)
	}
	return language.Serve(ctx, c, &channel{Reader: in, Writer: out})
}

// channel is standard input and output as one. Once it is closed, nothing is read any more: a read that
// waits is left waiting, and the process ends.
type channel struct {
	io.Reader
	io.Writer
}

func (c *channel) Close() error {
	var err error
	if in, ok := c.Reader.(io.Closer); ok {
		err = in.Close()
	}
	if out, ok := c.Writer.(io.Closer); ok {
		err = errors.Join(err, out.Close())
	}
	return err
}
