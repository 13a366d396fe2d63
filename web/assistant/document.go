package assistant

import (
	"encoding/json"
	"fmt"
	"strings"
)

// document is what an OpenAPI document says of operations.
type document struct {
	Paths      map[string]map[string]*operation `json:"paths"`
	Components struct {
		Schemas map[string]json.RawMessage `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	ID          string `json:"operationId"`
	Summary     string `json:"summary"`
	Description string `json:"description"`
	Parameters  []struct {
		Name        string         `json:"name"`
		In          string         `json:"in"`
		Description string         `json:"description"`
		Schema      map[string]any `json:"schema"`
	} `json:"parameters"`
	Body struct {
		Content map[string]struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`

	path, method string
}

// find is the operation of a name; nil if there is none.
func (d *document) find(id string) *operation {
	for path, methods := range d.Paths {
		for method, o := range methods {
			if o.ID == id {
				o.path, o.method = path, strings.ToUpper(method)
				return o
			}
		}
	}
	return nil
}

// schema is that of a tool's arguments: the body's, or else of the parameters in the query; what it refers to comes with it.
func (d *document) schema(o *operation) (map[string]any, error) {
	made := map[string]any{"type": "object", "additionalProperties": false}
	if body, has := o.Body.Content["application/json"]; has {
		if err := json.Unmarshal(body.Schema, &made); err != nil {
			return nil, fmt.Errorf("operation %s: %w", o.ID, err)
		}
	} else {
		properties := map[string]any{}
		for _, p := range o.Parameters {
			if p.In == "query" {
				p.Schema["description"] = p.Description
				properties[p.Name] = p.Schema
			}
		}
		made["properties"] = properties
	}
	defs := map[string]any{}
	if err := d.bring(made, defs); err != nil {
		return nil, fmt.Errorf("operation %s: %w", o.ID, err)
	}
	if name, refers := defined(made["$ref"]); refers { // a tool's schema is an object by itself
		made = defs[name].(map[string]any)
		delete(defs, name)
	}
	delete(made, "$schema")
	if len(defs) > 0 {
		made["$defs"] = defs
	}
	return made, nil
}

const components, definitions = "#/components/schemas/", "#/$defs/"

// defined is the name of what a reference to a definition is to.
func defined(ref any) (string, bool) {
	text, _ := ref.(string)
	return strings.CutPrefix(text, definitions)
}

// bring has references within a value lead to definitions, and puts these into defs.
func (d *document) bring(value any, defs map[string]any) error {
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			if err := d.bring(v, defs); err != nil {
				return err
			}
		}
	case map[string]any:
		for key, v := range value {
			text, _ := v.(string)
			name, refers := strings.CutPrefix(text, components)
			if key != "$ref" || !refers {
				if err := d.bring(v, defs); err != nil {
					return err
				}
				continue
			}
			value[key] = definitions + name
			if _, known := defs[name]; known {
				continue
			}
			var schema map[string]any
			if err := json.Unmarshal(d.Components.Schemas[name], &schema); err != nil {
				return fmt.Errorf("schema %s: %w", name, err)
			}
			defs[name] = schema
			if err := d.bring(schema, defs); err != nil {
				return err
			}
		}
	}
	return nil
}
