package cmd

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/spf13/pflag"
)

// logFlags are the flags of commands that log.
type logFlags struct {
	format  string
	verbose bool
}

func (f *logFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.format, "log-format", "text", "`FORMAT` of the log: text, json")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "also log debugging messages")
}

// logger returns a logger that writes to standard error.
func (f *logFlags) logger() (*slog.Logger, error) {
	options := &slog.HandlerOptions{Level: slog.LevelInfo}
	if f.verbose {
		options.Level = slog.LevelDebug
	}
	switch f.format {
	case "text":
		return slog.New(slog.NewTextHandler(os.Stderr, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(os.Stderr, options)), nil
	}
	return nil, fmt.Errorf("--log-format: unknown format %q: want text or json", f.format)
}
