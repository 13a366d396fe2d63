package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"litmuscope/web"
	files "litmuscope/web/api/site"
	"litmuscope/web/server"
)

// siteFlags are the flags of the site command.
type siteFlags struct {
	engine, write string
	workers       int
	log           logFlags
}

// siteCommand returns the site command.
func siteCommand() *cobra.Command {
	var f siteFlags
	c := &cobra.Command{
		Use:   "site [flags] DIR",
		Short: "Write a static site that answers questions in the browser",
		Long: `Write a static site that answers questions in the browser. It has all pages that need no
server: the explorer, the programs page, the catalogue, cycles, lessons and others. Any
host that serves files can serve it, under any path. All computation takes place in the
visitor's browser, and no test leaves it. After the first visit, the site works offline
and can be installed.

The site contains the engine: litmuscope compiled to WebAssembly. Releases have it as the
file ` + engineName + `. The command looks for it next to litmuscope, and in ../share/litmuscope,
where packages install it. If it is in neither place, the command builds it from the
source in the current folder, with the go tool.`,
		Example: `  litmuscope site public/litmus
  litmuscope site --engine site-engine.zip public
  litmuscope site --write-engine site-engine.zip`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && (f.write == "" || len(args) > 0) {
				return errors.New("site: want either one folder to write to, or --write-engine FILE")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if f.write != "" {
				return f.writeEngine(c.Context())
			}
			return f.site(c.Context(), args[0], c.OutOrStdout())
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.engine, "engine", "",
		"`FILE` with the engine (default "+engineName+" next to litmuscope, otherwise built from the source in the "+
			"current folder)")
	flags.StringVar(&f.write, "write-engine", "", "build the engine and write it to this `FILE`, without a site")
	flags.IntVarP(&f.workers, "jobs", "j", runtime.NumCPU(), "number of questions to answer at once for the pages")
	f.log.add(flags)
	return c
}

// engineName is the name of the engine's file in releases and packages.
const engineName = "site-engine.zip"

// site runs the site command.
func (f *siteFlags) site(ctx context.Context, dir string, out io.Writer) error {
	log, err := f.log.logger()
	if err != nil {
		return err
	}
	engine, err := f.findEngine(ctx, log)
	if err != nil {
		return err
	}
	warnings := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	h, closeAll, err := newAlone(ctx, f.workers, "", log,
		web.Config{Config: server.Config{Log: warnings, Static: &server.Static{Base: "/"}}})
	if err != nil {
		return err
	}
	defer closeAll()
	w, err := files.Write(ctx, dir, h, engine)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %d pages, %d files, %.1f MB; compressed %.1f MB, of which the engine is %.1f MB\n",
		dir, w.Pages, w.Files, float64(w.Bytes)/1e6, float64(w.Compressed)/1e6, float64(w.Program)/1e6)
	return err
}

// findEngine loads the engine that --engine names, or the one next to this program, or builds one.
func (f *siteFlags) findEngine(ctx context.Context, log *slog.Logger) (files.Engine, error) {
	if f.engine != "" {
		return files.Load(f.engine)
	}
	exe, err := os.Executable()
	if err != nil {
		return files.Engine{}, err
	}
	// Release archives have the file in the program's folder; packages install it in ../share/litmuscope.
	for _, folder := range []string{".", "../share/litmuscope"} {
		there := filepath.Join(filepath.Dir(exe), folder, engineName)
		if _, err := os.Stat(there); err == nil {
			return files.Load(there)
		}
	}
	e, err := build(ctx, log, files.Quick)
	if errors.Is(err, files.ErrNoSource) {
		return e, fmt.Errorf("no engine for the browser: name one with --engine (releases have %s), or run this "+
			"command in the folder of litmuscope's source, with the go tool installed", engineName)
	}
	return e, err
}

func build(ctx context.Context, log *slog.Logger, effort int) (files.Engine, error) {
	here, err := os.Getwd()
	if err != nil {
		return files.Engine{}, err
	}
	log.Info("building the engine", "source", here)
	return files.Build(ctx, here, effort)
}

func (f *siteFlags) writeEngine(ctx context.Context) error {
	log, err := f.log.logger()
	if err != nil {
		return err
	}
	e, err := build(ctx, log, files.Best)
	if err != nil {
		return err
	}
	out, err := os.Create(f.write)
	if err != nil {
		return err
	}
	return errors.Join(e.Save(out), out.Close())
}
