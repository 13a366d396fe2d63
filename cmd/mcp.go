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

// mcpCommand returns the mcp command.
func mcpCommand() *cobra.Command {
	var f mcpFlags
	c := &cobra.Command{
		Use:   "mcp [flags]",
		Short: "Run a Model Context Protocol server for assistants",
		Long: `Run a Model Context Protocol server (https://modelcontextprotocol.io) on standard input
and output, so that an assistant can check what a memory model allows instead of guessing.

The tools are the operations of the REST interface, with the same descriptions and limits:
explore, draw, verify, repair, distinguish, compile, name, generate, and lists of the
classic tests, models, engines and limits.

The assistant starts the server itself; its settings name the command and the arguments.
This machine computes all answers, unless --server names another server.`,
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
	flags.StringVar(&f.server, "server", "", "send questions to the server at this `ADDRESS` (default: answer here)")
	flags.StringVar(&f.token, "token", "", "`TOKEN` to send to the server (default $LITMUSCOPE_TOKEN)")
	flags.IntVarP(&f.workers, "jobs", "j", runtime.NumCPU(), "number of questions to answer at once")
	flags.StringVar(&f.db, "db", "", "cache answers in this database `FILE` (default no cache)")
	f.log.add(flags)
	return c
}

// answer runs the mcp command until the client closes the connection.
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
		return nil // the client has closed the connection
	}
	return err
}

// transport returns a transport to the REST interface: that of --server, or one within this process. The caller must
// call closeAll.
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

// noClose is a writer whose Close does nothing, so that closing the session leaves standard output open.
type noClose struct{ io.Writer }

// Close does nothing.
func (noClose) Close() error { return nil }
