package assistant

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"litmuscope/litmus"
)

// unknownArgument says which argument a tool does not know, and which one is likely meant; "" where it knows all. A
// path leads to the object that a schema is of.
func unknownArgument(value any, schema, defs map[string]any, path string) string {
	if name, refers := defined(schema["$ref"]); refers {
		schema, _ = defs[name].(map[string]any)
	}
	switch value := value.(type) {
	case []any:
		of, _ := schema["items"].(map[string]any)
		for i, v := range value {
			if why := unknownArgument(v, of, defs, fmt.Sprintf("%s[%d]", path, i)); why != "" {
				return why
			}
		}
	case map[string]any:
		properties, has := schema["properties"].(map[string]any)
		if !has || schema["additionalProperties"] != false {
			return ""
		}
		known := slices.Sorted(maps.Keys(properties))
		for _, name := range slices.Sorted(maps.Keys(value)) {
			of, is := properties[name].(map[string]any)
			at := strings.TrimPrefix(path+"."+name, ".")
			if !is {
				return fmt.Sprintf("unexpected property %s%s; want one of %s", at, litmus.DidYouMean(name, known),
					strings.Join(known, ", "))
			}
			if why := unknownArgument(value[name], of, defs, at); why != "" {
				return why
			}
		}
	}
	return ""
}
