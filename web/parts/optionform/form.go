package optionform

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"litmuscope/solver"
	"litmuscope/web/server"
)

// Setting is an option that is not as usual: as on the command line, and as in JSON.
type Setting struct {
	Name, Value string
	JSON        any
}

// Changed lists the options that visitors choose and that differ from their defaults.
func Changed(o solver.Options) []Setting {
	defaults := solver.DefaultOptions()
	var out []Setting
	for _, opt := range solver.OptionTable {
		if !OnPage(opt) || opt.Same(&o, &defaults) {
			continue
		}
		out = append(out, Setting{opt.Name, Text(opt, &o), opt.Plain(&o)})
	}
	return out
}

// Text is an option's value as text.
func Text(o solver.Option, in *solver.Options) string {
	switch f := o.Field(in).(type) {
	case *time.Duration:
		return f.String()
	case *int:
		return strconv.Itoa(*f)
	case *bool:
		return strconv.FormatBool(*f)
	case *string:
		return *f
	}
	panic("BUG: an option has an unknown type: " + o.Name)
}

// Field is the form's name for an option.
func Field(name string) string { return "option-" + name }

// OnPage tells the options that visitors choose from those the page sets itself, and from progress, which is a question
// of its own, for the command line and for scripts.
func OnPage(o solver.Option) bool {
	return o.Name != "witnesses" && o.Name != "explain" && o.Name != "list" && o.Name != "progress"
}

// SetAll sets those options that a form has.
func SetAll(to *solver.Options, f url.Values) error {
	for _, o := range solver.OptionTable {
		text, sent := f.Get(Field(o.Name)), f.Has(Field(o.Name))
		if !OnPage(o) || !sent {
			continue
		}
		if err := Set(to, o, text); err != nil {
			return err
		}
	}
	return nil
}

// Set sets an option from text.
func Set(to *solver.Options, o solver.Option, text string) error {
	text = strings.TrimSpace(text)
	var err error
	switch f := o.Field(to).(type) {
	case *time.Duration:
		if *f, err = time.ParseDuration(text); err != nil {
			// A bare number is seconds.
			var sec float64
			if sec, err = strconv.ParseFloat(text, 64); err == nil {
				*f = time.Duration(sec * float64(time.Second))
			}
		}
	case *int:
		*f, err = strconv.Atoi(text)
	case *string:
		*f = text
	case *bool:
		*f, err = strconv.ParseBool(text)
	}
	if err != nil {
		return server.Refuse("Option %s: invalid value %q.", o.Name, text)
	}
	return nil
}
