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

// lspCommand returns the lsp command.
func lspCommand() *cobra.Command {
	var f lspFlags
	c := &cobra.Command{
		Use:   "lsp [flags]",
		Short: "Run a language server for editors",
		Long: `Run a language server for litmus tests, cat models and C programs. It speaks the Language
Server Protocol (https://microsoft.github.io/language-server-protocol/) on standard input
and output.

The server reports errors while you type and offers fixes. It completes words and shows
their documentation, finds the definition and the uses of a name, and renames it. It
provides outlines, folding, the parameters of calls, semantic colours, and formatting of
tests. It shows the verdicts of the usual models next to a test's condition, and the
results for a program's assertions at its main.

The editor starts the server itself. The folder static/editors of the source contains
settings for several editors and an extension for VS Code.`,
		Example: `  litmuscope lsp
  litmuscope lsp --db answers.db`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.answer(c.Context(), c.InOrStdin(), c.OutOrStdout())
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.IntVarP(&f.workers, "jobs", "j", runtime.NumCPU(), "number of questions to answer at once")
	flags.StringVar(&f.db, "db", "", "cache answers in this database `FILE` (default no cache)")
	// Many clients pass this flag, although there is no other channel.
	flags.Bool("stdio", true, "use standard input and output (always on; for clients that pass this flag)")
	f.log.add(flags)
	return c
}

// answer runs the lsp command until the client closes the connection.
func (f *lspFlags) answer(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	log, err := f.log.logger()
	if err != nil {
		return err
	}
	if f.workers < 1 {
		return fmt.Errorf("--jobs: %d is out of range (1 or more)", f.workers)
	}
	runner, closeRunner, err := newRunner(ctx, f.workers, f.db)
	if err != nil {
		return err
	}
	defer closeRunner()
	box, err := newSandbox(f.workers, nil, log)
	if err != nil {
		return err
	}
	defer box.pool.Close()
	c := language.DefaultConfig()
	c.Version, c.Sandbox, c.Runner, c.Log = version(), box, runner, log
	if cache, err := os.UserCacheDir(); err == nil {
		c.Library = filepath.Join(cache, "litmuscope", "library")
	} else {
		log.Warn("cannot show the library's files: there is no cache folder", "error", err)
	}
	return language.Serve(ctx, c, &channel{Reader: in, Writer: out})
}

// channel joins standard input and output. After Close, it reads nothing: a read that waits never returns, and the
// process ends without it.
type channel struct {
	io.Reader
	io.Writer
}

// Close closes the reader and the writer if they can be closed.
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
