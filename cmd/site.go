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

func siteCommand() *cobra.Command {
	var f siteFlags
	c := &cobra.Command{
		Use:   "site [flags] DIR",
		Short: "Write the explorer as a static site, which answers in the browser",
		Long: `Write the explorer, the programs, the catalogue, cycles, lessons and all else that needs no
server into a folder, as a static site. Any host will do that serves files, below any path:
what is asked there, a program answers in the browser, and nothing leaves it. After the first
visit it works without a network, and can be installed.

That program, the engine, is for the web what litmuscope is for this machine. It is a file of
releases, ` + engineName + `, which is looked for beside litmuscope, and in ../share/litmuscope,
where a package has it; or else it is built from the source of litmuscope, where that is the
current folder and there is a Go tool.`,
		Example: `  litmuscope site public/litmus
  litmuscope site --engine site-engine.zip public
  litmuscope site --write-engine site-engine.zip`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && (f.write == "" || len(args) > 0) {
				return errors.New("site: want one folder to write to, or --write-engine FILE")
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
		"the engine (default "+engineName+" beside litmuscope, else built from the source in the current folder)")
	flags.StringVar(&f.write, "write-engine", "", "build the engine, write it to this file, and no site")
	flags.IntVarP(&f.workers, "jobs", "j", runtime.NumCPU(), "questions answered at once while pages are written")
	f.log.add(flags)
	return c
}

// engineName is that of the file that releases have.
const engineName = "site-engine.zip"

// site is the site command.
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
	_, err = fmt.Fprintf(out, "%s: %d pages, %d files, %.1f MB; the engine is %.1f MB of them\n", dir, w.Pages, w.Files,
		float64(w.Bytes)/1e6, float64(w.Program)/1e6)
	return err
}

// findEngine is the engine that is named, the one beside this program, or one that is built.
func (f *siteFlags) findEngine(ctx context.Context, log *slog.Logger) (files.Engine, error) {
	if f.engine != "" {
		return files.Load(f.engine)
	}
	exe, err := os.Executable()
	if err != nil {
		return files.Engine{}, err
	}
	// Beside it in an archive, in a folder of its own where a package has installed it.
	for _, folder := range []string{".", "../share/litmuscope"} {
		there := filepath.Join(filepath.Dir(exe), folder, engineName)
		if _, err := os.Stat(there); err == nil {
			return files.Load(there)
		}
	}
	e, err := build(ctx, log)
	if errors.Is(err, files.ErrNoSource) {
		return e, fmt.Errorf("there is no engine for the browser: name one with --engine (releases have %s), or be "+
			"in the folder of litmuscope's source, with a Go tool", engineName)
	}
	return e, err
}

func build(ctx context.Context, log *slog.Logger) (files.Engine, error) {
	here, err := os.Getwd()
	if err != nil {
		return files.Engine{}, err
	}
	log.Info("building the engine", "source", here)
	return files.Build(ctx, here)
}

func (f *siteFlags) writeEngine(ctx context.Context) error {
	log, err := f.log.logger()
	if err != nil {
		return err
	}
	e, err := build(ctx, log)
	if err != nil {
		return err
	}
	out, err := os.Create(f.write)
	if err != nil {
		return err
	}
	return errors.Join(e.Save(out), out.Close())
}
