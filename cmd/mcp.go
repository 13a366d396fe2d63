package cmd

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"litmuscope/solver/fairqueue"
	"litmuscope/web"
	"litmuscope/web/api/assistant"
	"litmuscope/web/server"
)

// mcpFlags are the flags of the mcp command.
type mcpFlags struct {
	remoteFlags
	workers int
	db      string
	log     logFlags
}

func mcpCommand() *cobra.Command {
	var f mcpFlags
	c := &cobra.Command{
		Use:   "mcp [flags]",
		Short: "Answer assistants, by the Model Context Protocol",
		Long: `Answer an assistant's questions on standard input and output, by the Model Context
Protocol (https://modelcontextprotocol.io), so that it asks what a memory model allows
instead of guessing. Its tools are the operations of the REST interface, with the same
descriptions and limits: explore, draw, verify, repair, distinguish, compile, name,
generate, and lists of the classic tests, models, engines and limits.

An assistant starts it by itself, as its settings say: a command, and its arguments. All
is answered on this machine, unless --server names one that answers.`,
		Example: `  litmuscope mcp
  litmuscope mcp --db answers.db
  litmuscope mcp --server http://lab:8080`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.answer(c.Context(), c.InOrStdin(), c.OutOrStdout())
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.server, "server", "", "have the server at this address answer (default this machine)")
	flags.StringVar(&f.token, "token", "", "the token to show to the server (default $LITMUSCOPE_TOKEN)")
	flags.IntVarP(&f.workers, "jobs", "j", runtime.NumCPU(), "questions answered at once")
	flags.StringVar(&f.db, "db", "", "keep answers in this database file (default none)")
	f.log.add(flags)
	return c
}

// answer is the mcp command.
func (f *mcpFlags) answer(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	log, err := f.log.logger()
	if err != nil {
		return err
	}
	transport, closeAll, err := f.transport(ctx, log)
	if err != nil {
		return err
	}
	defer closeAll()
	s, err := assistant.New(ctx, version(), transport)
	if err != nil {
		return err
	}
	err = s.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(in), Writer: noClose{out}})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil // whoever asked is gone
	}
	return err
}

// transport leads to the REST interface: a server's, or this process's own.
func (f *mcpFlags) transport(ctx context.Context, log *slog.Logger) (t http.RoundTripper, closeAll func(), err error) {
	if f.server != "" {
		c, err := f.client()
		return c, func() {}, err
	}
	h, closeAll, err := newAlone(ctx, f.workers, f.db, log, web.Config{
		Config: server.Config{Log: log, WithClient: fairqueue.WithClient}, Links: web.NoLinks{},
	})
	if err != nil {
		return nil, nil, err
	}
	return assistant.Handler{Handler: h}, closeAll, nil
}

// noClose is a writer that is not closed.
type noClose struct{ io.Writer }

func (noClose) Close() error { return nil }
