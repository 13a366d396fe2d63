package agreement

import (
	"encoding/json"
	"slices"
	"strings"
)

// States are the states of a reference. A line of its file has each as an object, or as the text that a log has, such
// as "[x]=1; [tag(y)]=:red; Fault(P0,y:green,TagCheck);".
type States []map[string]string

// UnmarshalJSON implements json.Unmarshaler.
func (s *States) UnmarshalJSON(text []byte) error {
	var raw []json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	*s = nil
	for _, r := range raw {
		state := map[string]string{}
		if len(r) > 0 && r[0] == '"' {
			var line string
			if err := json.Unmarshal(r, &line); err != nil {
				return err
			}
			addLine(state, line)
		} else {
			var parts map[string]string
			if err := json.Unmarshal(r, &parts); err != nil {
				return err
			}
			for name, value := range parts {
				if isFault(name) && value == "" {
					value = name
				}
				addPart(state, name, value)
			}
		}
		*s = append(*s, state)
	}
	return nil
}

// addLine adds the parts of a state in a log's text.
func addLine(state map[string]string, line string) {
	for part := range strings.SplitSeq(line, ";") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if isFault(part) {
			addFault(state, part)
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		if inside, ok := strings.CutPrefix(name, "["); ok {
			name = strings.TrimSuffix(inside, "]")
		}
		addPart(state, name, value)
	}
}

// addPart adds a register or a location with its value, or the faults of a pattern.
func addPart(state map[string]string, name, value string) {
	if !isFault(name) {
		state[name] = value
		return
	}
	for fault := range strings.SplitSeq(value, "; ") {
		addFault(state, fault)
	}
}

func isFault(part string) bool { return strings.HasPrefix(strings.TrimPrefix(part, "~"), "Fault(") }

// addFault adds a fault, or the absence of one, to those of a state. D-MMU and MMU are two names of one unit, and green
// is the tag of an address without one.
func addFault(state map[string]string, fault string) {
	fault = strings.NewReplacer("D-MMU:", "MMU:", " ", "", ":green", "").Replace(fault)
	var all []string
	if known := state["faults"]; known != "" {
		all = strings.Split(known, " ")
	}
	if !slices.Contains(all, fault) {
		all = append(all, fault)
	}
	slices.Sort(all)
	state["faults"] = strings.Join(all, " ")
}

// ordersMaintenance reports whether a test of AArch64 has maintenance of caches or TLBs, or updates of page tables by
// hardware. References count an execution for each order of maintenance and writes, and for updates that change nothing
// that is observed; litmuscope counts one for all.
func ordersMaintenance(source string) bool {
	blank := func(r rune) bool { return strings.ContainsRune(" \t\n|:;,", r) }
	fields := strings.FieldsFunc(strings.ToUpper(source), blank)
	if len(fields) == 0 || fields[0] != "AARCH64" {
		return false
	}
	return slices.ContainsFunc(fields, func(f string) bool {
		return f == "IC" || f == "DC" || f == "TLBI" || strings.HasPrefix(f, "TTHM=")
	})
}
