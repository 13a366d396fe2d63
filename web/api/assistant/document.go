package assistant

import (
	"encoding/json"
	"fmt"
	"strings"
)

// document is the part of an OpenAPI document that describes operations.
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

	Responses map[string]struct {
		Content map[string]struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"content"`
	} `json:"responses"`

	path, method string
}

// find returns the operation with an ID, or nil.
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

// schema returns the schema of a tool's arguments: that of the operation's body, or of its query parameters. The
// schemas that it refers to are in its $defs.
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
	if name, refers := defined(made["$ref"]); refers { // a tool's schema must be an object, not a reference
		made = defs[name].(map[string]any)
		delete(defs, name)
	}
	delete(made, "$schema")
	if len(defs) > 0 {
		made["$defs"] = defs
	}
	plain(made)
	return made, nil
}

// items is the property that wraps answers which are lists or JSON lines: a tool's result must be an object.
const items = "items"

// result returns the schema of a tool's results. An answer that is an object stays as it is; a list becomes the
// property items of an object.
func (d *document) result(o *operation) (map[string]any, error) {
	made := map[string]any{}
	content := o.Responses["200"].Content
	if answer, has := content["application/json"]; has {
		if err := json.Unmarshal(answer.Schema, &made); err != nil {
			return nil, fmt.Errorf("operation %s: %w", o.ID, err)
		}
	}
	defs := map[string]any{}
	if err := d.bring(made, defs); err != nil {
		return nil, fmt.Errorf("operation %s: %w", o.ID, err)
	}
	if name, refers := defined(made["$ref"]); refers {
		made = defs[name].(map[string]any)
		delete(defs, name)
	}
	delete(made, "$schema")
	if isList(made) {
		made = listOf(made["items"])
	}
	made["type"] = "object"
	if _, streams := content["application/x-ndjson"]; streams { // the answer to a request for several
		made = map[string]any{
			"type": "object", "properties": listOf(nil)["properties"],
			"description": "a single answer, or several answers in items",
		}
	}
	if len(defs) > 0 {
		made["$defs"] = defs
	}
	plain(made)
	return made, nil
}

func listOf(item any) map[string]any {
	list := map[string]any{"type": "array"}
	if item != nil {
		list["items"] = item
	}
	return map[string]any{"type": "object", "properties": map[string]any{items: list}, "required": []any{items}}
}

func isList(schema map[string]any) bool {
	types, several := schema["type"].([]any)
	return schema["type"] == "array" || several && len(types) > 0 && types[0] == "array"
}

// plain gives lists the single type array. The interface also allows null for an empty list, but many clients do not
// support schemas with several types.
func plain(value any) {
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			plain(v)
		}
	case map[string]any:
		if isList(value) {
			value["type"] = "array"
		}
		for _, v := range value {
			plain(v)
		}
	}
}

// listed replaces null by an empty list wherever the schema wants a list, as plain demands.
func listed(value any, schema, defs map[string]any) any {
	if name, refers := defined(schema["$ref"]); refers {
		schema, _ = defs[name].(map[string]any)
	}
	if value == nil && isList(schema) {
		return []any{}
	}
	switch value := value.(type) {
	case []any:
		of, _ := schema["items"].(map[string]any)
		for i, v := range value {
			value[i] = listed(v, of, defs)
		}
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		further, _ := schema["additionalProperties"].(map[string]any)
		for key, v := range value {
			of, known := properties[key].(map[string]any)
			if !known {
				of = further
			}
			value[key] = listed(v, of, defs)
		}
	}
	return value
}

const components, definitions = "#/components/schemas/", "#/$defs/"

// defined returns the name of the definition that a reference points to.
func defined(ref any) (string, bool) {
	text, _ := ref.(string)
	return strings.CutPrefix(text, definitions)
}

// bring rewrites references within a value so that they point to $defs, and collects the definitions in defs.
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
