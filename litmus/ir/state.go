package ir

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
)

// State has one value for each of Program.Observed, in that order. Its first Program.Shown values are the outcome; see
// Visible.
type State []uint64

// Visible returns the part of a state that is the outcome.
func (p *Program) Visible(s State) State { return s[:p.Shown] }

// FormatValue prints a value in decimal, or as the name of an address. bits is its width.
func (p *Program) FormatValue(v uint64, bits int, signed bool) string {
	for _, l := range p.Labels {
		if v == l.Address && bits >= addressBits(v) {
			return l.Name
		}
	}
	if p.Addresses != nil {
		if name := p.Addresses.Name(v, bits); name != "" {
			return name
		}
	} else if i, ok := p.locationBelow(v); ok && bits >= addressBits(p.Locs[i].Address) {
		name := strings.TrimSuffix(p.Locs[i].Name, "[0]") // the first element has the array's address
		if behind := v - p.Locs[i].Address; behind > 0 {
			name += "+" + strconv.FormatUint(behind, 10)
		}
		return name
	}
	return formatNumber(v, bits, signed)
}

// locationBelow returns the last location whose address is a number, or slightly less.
func (p *Program) locationBelow(v uint64) (index int, ok bool) {
	index = -1
	for i := range p.Locs {
		a := p.Locs[i].Address
		if p.Locs[i].Offset == 0 && a <= v && v-a <= litmus.MaxBehind && (index < 0 || a > p.Locs[index].Address) {
			index = i
		}
	}
	return index, index >= 0
}

// parseAddress returns the address that FormatValue prints as text.
func (p *Program) parseAddress(text string, bits int) (uint64, bool) {
	for _, l := range p.Labels {
		if text == l.Name {
			return l.Address, true
		}
	}
	for _, l := range p.Locs {
		v := l.Address
		if rest, behind := strings.CutPrefix(text, strings.TrimSuffix(l.Name, "[0]")+"+"); behind {
			n, err := strconv.ParseUint(rest, 10, 64)
			if err != nil || n > litmus.MaxBehind {
				continue
			}
			v += n
		}
		if p.FormatValue(v, bits, false) == text {
			return v & Mask(bits), true
		}
	}
	return 0, false
}

// FormatAt prints the value of a location.
func (p *Program) FormatAt(loc int, v uint64) string {
	l := &p.Locs[loc]
	if l.Plain {
		return formatNumber(v, l.Bits, l.Signed)
	}
	return p.FormatValue(v, l.Bits, l.Signed)
}

// ParseAt is the inverse of FormatAt.
func (p *Program) ParseAt(loc int, text string) (uint64, bool) {
	l := &p.Locs[loc]
	if p.Addresses != nil {
		if v, ok := p.Addresses.Find(text); ok {
			return v & Mask(l.Bits), true
		}
	}
	if !l.Plain {
		if v, ok := p.parseAddress(text, l.Bits); ok {
			return v, true
		}
	}
	if v, err := strconv.ParseInt(text, 10, 64); err == nil {
		return uint64(v) & Mask(l.Bits), true
	}
	v, err := strconv.ParseUint(text, 10, 64)
	return v, err == nil
}

// ParseValue is the inverse of FormatValue, for unsigned numbers.
func (p *Program) ParseValue(text string, bits int) (uint64, bool) {
	if v, ok := p.parseAddress(text, bits); ok {
		return v, true
	}
	v, err := strconv.ParseUint(text, 10, 64)
	return v & Mask(bits), err == nil
}

func formatNumber(v uint64, bits int, signed bool) string {
	if signed {
		return strconv.FormatInt(int64(SignExtend(v, bits)), 10)
	}
	return strconv.FormatUint(v&Mask(bits), 10)
}

// Key returns a string that is equal for equal states only.
func (s State) Key() string {
	b := make([]byte, 0, 8*len(s))
	for _, v := range s {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return string(b)
}

func addressBits(a uint64) int {
	if a>>32 == 0 {
		return 32
	}
	return 64
}

// Format returns the names and printed values of s, a state or its visible part. An array that the test observes as a
// whole is one value, such as {1,2}.
func (p *Program) Format(s State) (names, values []string) {
	for i, v := range s {
		o := p.Observed[i]
		value := p.FormatValue(v, o.Bits, o.Signed)
		switch last := len(names) - 1; {
		case o.Fault.At != "":
			if last < 0 || names[last] != o.Whole {
				names, values = append(names, o.Whole), append(values, "~"+o.Whole)
				last++
			}
			if v != 0 {
				values[last] = p.withFault(values[last], o, v)
			}
		case o.Fact != "":
			if v != 0 && !slices.Contains(names, o.Name) {
				names, values = append(names, o.Name), append(values, o.Fact)
			}
		case o.Whole == "":
			names, values = append(names, o.Name), append(values, value)
		case last >= 0 && names[last] == o.Whole && p.Observed[i-1].Whole == o.Whole:
			values[last] = strings.TrimSuffix(values[last], "}") + "," + value + "}"
		default:
			names, values = append(names, o.Whole), append(values, "{"+value+"}")
		}
	}
	return names, values
}

// withFault adds a fault at an address to the text of those before it, if it is a new one.
func (p *Program) withFault(before string, o Observable, address uint64) string {
	fault := "Fault(" + o.Fault.At
	if address != 1 {
		fault += "," + p.FormatValue(address, 64, false)
	}
	fault += "," + o.Fault.Kind + ")"
	switch {
	case strings.HasPrefix(before, "~"):
		return fault
	case slices.Contains(strings.Split(before, "; "), fault):
		return before
	}
	return before + "; " + fault
}

// FormatState prints s as herd does: "0:EAX=0; x=1;".
func (p *Program) FormatState(s State) string {
	var b strings.Builder
	names, values := p.Format(s)
	for i, name := range names {
		if i > 0 {
			b.WriteByte(' ')
		}
		if strings.HasPrefix(name, "Fault(") { // the value says it all
			b.WriteString(values[i] + ";")
			continue
		}
		b.WriteString(name + "=" + values[i] + ";")
	}
	return b.String()
}

// Satisfies evaluates a proposition of this program in a state.
func (p *Program) Satisfies(prop litmus.Prop, s State) bool {
	return litmus.EvalProp(prop, truth{}, func(c litmus.Compare) bool {
		if c.Other >= 0 {
			return (p.number(s, c.Obs) == p.number(s, c.Other)) != c.NotEqual
		}
		return (s[c.Obs] == c.Value) != c.NotEqual
	})
}

// number returns an observable's value as a number of 64 bits, so that observables of different widths and signs can be
// compared.
func (p *Program) number(s State, obs int) uint64 {
	if o := &p.Observed[obs]; o.Signed && o.Bits > 0 && o.Bits < 64 {
		return SignExtend(s[obs]&Mask(o.Bits), o.Bits)
	}
	return s[obs]
}

// Wider returns a register without a type because of which the condition's proposition would have another value in s if
// such registers had 32 bits. Addresses are values of any width.
func (p *Program) Wider(s State) (o Observable, ok bool) {
	wider := -1
	narrow := litmus.EvalProp(p.Condition.Prop, truth{}, func(c litmus.Compare) bool {
		v, with, bits := s[c.Obs], c.Value, p.Observed[c.Obs].Bits
		untyped := p.Observed[c.Obs].Untyped
		if c.Other >= 0 {
			with = s[c.Other]
			untyped = untyped || p.Observed[c.Other].Untyped
		} else {
			untyped = untyped && Fits(c.Value, 32) // otherwise another remark covers it
		}
		same := v == with
		if untyped && same != ((v^with)&Mask(32) == 0) && !p.isAddress(v, bits) && !p.isAddress(with, bits) {
			same, wider = !same, c.Obs
		}
		return same != c.NotEqual
	})
	if wider < 0 || narrow == p.Satisfies(p.Condition.Prop, s) {
		return o, false
	}
	return p.Observed[wider], true
}

// isAddress reports whether a number prints as the name of a location or a label.
func (p *Program) isAddress(v uint64, bits int) bool {
	return p.FormatValue(v, bits, false) != formatNumber(v, bits, false)
}

// CompareStates orders states by their numbers.
func (p *Program) CompareStates(a, b State) int {
	for i, o := range p.Observed[:p.Shown] {
		x, y := a[i], b[i]
		if o.Signed {
			x, y = SignExtend(x, o.Bits)^signBit, SignExtend(y, o.Bits)^signBit
		}
		if c := cmp.Compare(x, y); c != 0 {
			return c
		}
	}
	return 0
}

// signBit is flipped to compare signed numbers as unsigned ones.
const signBit = 1 << 63

// truth is two-valued logic, for litmus.Eval.
type truth struct{}

// Bool returns b.
func (truth) Bool(b bool) bool { return b }

// Not returns the negation of b.
func (truth) Not(b bool) bool { return !b }

// And returns the conjunction of bs.
func (truth) And(bs ...bool) bool {
	for _, b := range bs {
		if !b {
			return false
		}
	}
	return true
}
