package optionform

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/server"
)

// Options reads and describes exploration options as solver.OptionTable has them;
// durations are strings such as "10s".
type Options struct {
	solver.Options
	Set bool
}

// OrUsual are the options, the defaults where there are none.
func (o Options) OrUsual() solver.Options {
	if !o.Set {
		return solver.DefaultOptions()
	}
	return o.Options
}

// UnmarshalJSON starts from the defaults.
func (o *Options) UnmarshalJSON(data []byte) error {
	o.Options, o.Set = solver.DefaultOptions(), true
	var given map[string]json.RawMessage
	if err := json.Unmarshal(data, &given); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		i := slices.IndexFunc(solver.OptionTable, func(opt solver.Option) bool { return opt.Name == name })
		if i < 0 {
			return server.Refuse("There is no option %q.", name)
		}
		raw := given[name]
		text := string(raw)
		var s string
		if json.Unmarshal(raw, &s) == nil {
			text = s
		}
		if err := Set(&o.Options, solver.OptionTable[i], text); err != nil {
			return err
		}
	}
	return nil
}

// Schema implements huma.SchemaProvider.
func (Options) Schema(huma.Registry) *huma.Schema {
	return optionsSchema(solver.OptionTable, "bounds of the exploration")
}

// Verify are the options of verification.
type Verify struct{ Options }

// Schema implements huma.SchemaProvider.
func (Verify) Schema(huma.Registry) *huma.Schema {
	return optionsSchema(engines.VerifyOptions, "bounds of the verification")
}

func optionsSchema(table []solver.Option, about string) *huma.Schema {
	s := &huma.Schema{
		Type: huma.TypeObject, Properties: map[string]*huma.Schema{}, AdditionalProperties: false,
		Description: about,
	}
	for _, o := range table {
		s.Properties[o.Name] = Schema(o)
	}
	s.PrecomputeMessages()
	return s
}

// Schema describes an option.
func Schema(o solver.Option) *huma.Schema {
	p := &huma.Schema{Description: engines.Usage(o), Default: o.Default}
	switch d := o.Default.(type) {
	case time.Duration:
		p.Type, p.Default, p.Pattern = huma.TypeString, d.String(), `^([0-9.]+(ns|us|µs|ms|s|m|h))+$|^0$`
		p.PatternDescription = "a duration such as 10s or 1m30s" // for words; standard leaves it out
		most := server.MaxWord
		p.MaxLength = &most
	case int:
		p.Type = huma.TypeInteger
		low := float64(o.Min)
		p.Minimum = &low
		if o.Max > 0 {
			high := float64(o.Max)
			p.Maximum = &high
		}
	case string:
		p.Type = huma.TypeString
		for _, c := range o.Choices {
			p.Enum = append(p.Enum, c)
		}
	case bool:
		p.Type = huma.TypeBoolean
	}
	return p
}

// MarshalJSON writes durations as they are read.
func (o Options) MarshalJSON() ([]byte, error) {
	out := map[string]any{}
	for _, opt := range solver.OptionTable {
		out[opt.Name] = opt.Plain(&o.Options)
	}
	return json.Marshal(out)
}
