package api

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// docsView is the documentation page of the REST interface, made from its OpenAPI document.
type docsView struct {
	Description string
	Operations  []operationView
	Schemas     []schemaView // the objects that operations name
}

type operationView struct {
	ID, Method, Path, Summary, Text string
	Body                            []fieldView // of the request, if it has one
	Returns                         []returnView
	Example                         string // a shell command
}

type returnView struct {
	Status, Text, Type, Link string
}

type schemaView struct {
	Name   string
	Fields []fieldView
}

type fieldView struct {
	Name, Type, Link, Text string
	Required               bool
	Fields                 []fieldView // of an object without a name of its own
}

func viewDocs(doc *huma.OpenAPI) docsView {
	v := docsView{Description: doc.Info.Description}
	for path, item := range doc.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op != nil {
				v.Operations = append(v.Operations, viewOperation(doc, path, op))
			}
		}
	}
	slices.SortFunc(v.Operations, func(a, b operationView) int {
		// POST operations come before GET operations.
		if a.Method != b.Method {
			return strings.Compare(b.Method, a.Method)
		}
		return strings.Compare(a.Path, b.Path)
	})
	for name, s := range doc.Components.Schemas.Map() {
		if s.Type == huma.TypeObject {
			v.Schemas = append(v.Schemas, schemaView{name, viewFields(s)})
		}
	}
	slices.SortFunc(v.Schemas, func(a, b schemaView) int { return strings.Compare(a.Name, b.Name) })
	return v
}

func viewOperation(doc *huma.OpenAPI, path string, op *huma.Operation) operationView {
	v := operationView{ID: op.OperationID, Method: op.Method, Path: path, Summary: op.Summary, Text: op.Description}
	v.Example = "curl " + "http://localhost:8080" + path
	if op.RequestBody != nil {
		if media := op.RequestBody.Content["application/json"]; media != nil {
			s := resolve(doc, media.Schema)
			v.Body = viewFields(s)
			v.Example = fmt.Sprintf(
				"curl -H 'Content-Type: application/json' http://localhost:8080%s -d @- <<'END'\n%s\nEND",
				path, example(s))
		}
	}
	for status, r := range op.Responses {
		ret := returnView{Status: status, Text: r.Description}
		for _, media := range r.Content {
			ret.Type, ret.Link = typeOf(media.Schema)
		}
		v.Returns = append(v.Returns, ret)
	}
	slices.SortFunc(v.Returns, func(a, b returnView) int { return strings.Compare(a.Status, b.Status) })
	return v
}

func resolve(doc *huma.OpenAPI, s *huma.Schema) *huma.Schema {
	if s.Ref != "" {
		return doc.Components.Schemas.SchemaFromRef(s.Ref)
	}
	return s
}

func viewFields(s *huma.Schema) []fieldView {
	var out []fieldView
	for name, p := range s.Properties {
		f := fieldView{Name: name, Text: p.Description, Required: slices.Contains(s.Required, name)}
		f.Type, f.Link = typeOf(p)
		f.Text = strings.TrimSpace(f.Text + limits(p))
		if p.Type == huma.TypeObject {
			f.Fields = viewFields(p)
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b fieldView) int {
		if a.Required != b.Required {
			if a.Required {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}

// typeOf returns a schema's type in words, and the address of its description.
func typeOf(s *huma.Schema) (text, link string) {
	switch {
	case s == nil:
		return "", ""
	case s.Ref != "":
		name := s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
		return name, "#schema-" + name
	case s.Type == huma.TypeArray:
		text, link = typeOf(s.Items)
		return "list of " + text, link
	case s.Type == "":
		return "any", ""
	}
	return s.Type, ""
}

func limits(s *huma.Schema) string {
	var parts []string
	if len(s.Enum) > 0 {
		names := make([]string, len(s.Enum))
		for i, e := range s.Enum {
			names[i] = fmt.Sprint(e)
		}
		parts = append(parts, "one of "+strings.Join(names, ", "))
	}
	if s.Minimum != nil && s.Maximum != nil {
		parts = append(parts, fmt.Sprintf("%.0f to %.0f", *s.Minimum, *s.Maximum))
	} else if s.Minimum != nil && *s.Minimum > 0 {
		parts = append(parts, fmt.Sprintf("%.0f or more", *s.Minimum))
	}
	if s.Default != nil {
		parts = append(parts, fmt.Sprintf("default %v", s.Default))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

// example returns a body made of the examples of a schema's fields.
func example(s *huma.Schema) string {
	body := map[string]any{}
	for name, p := range s.Properties {
		if len(p.Examples) > 0 {
			body[name] = p.Examples[0]
		}
	}
	text, err := json.MarshalIndent(body, "", "  ")
	if err != nil {
		panic(fmt.Sprintf("BUG: example of an operation: %v", err))
	}
	return string(text)
}
