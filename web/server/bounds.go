package server

import (
	"cmp"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Rows of Config.LimitTable bound the fields of requests. The tag limit:"models,name" of a field names two rows: the
// first bounds the field itself (the length of a string or list, or the entries of a map), the second each string in
// it. Limits.Document copies these bounds to the OpenAPI document, by which huma checks requests. Limits.Within checks
// requests whose body is streamed and not read by huma.

// parameterLimits has the rows of parameters, by their names.
var parameterLimits = map[string]string{
	"id": "name", "engine": "name", "model": "models,name", "arch": "name", "name": "suite-name",
	"label": "suite-labels,suite-label-pair",
	"after": "name", "Idempotency-Key": "suite-name", "Last-Event-ID": "name",
}

// most returns a row's bound.
func (l *Limits) most(row string) int {
	n, _ := measure(l.named(row).In(l))
	return int(n)
}

// named returns the row with a name, which must exist.
func (l *Limits) named(name string) Limit {
	i := slices.IndexFunc(l.rows(), func(of Limit) bool { return of.Name == name })
	if i < 0 {
		panic(fmt.Sprintf("BUG: there is no limit %q", name))
	}
	return l.rows()[i]
}

// bound adds the bounds of rows, "own,each", to a schema.
func (l *Limits) bound(s *huma.Schema, rows string) {
	own, each, _ := strings.Cut(rows, ",")
	most := l.most(own)
	inside := s.Items
	switch s.Type {
	case huma.TypeString:
		s.MaxLength = &most
	case huma.TypeArray:
		s.MaxItems = &most
	case huma.TypeObject:
		s.MaxProperties = &most
		inside, _ = s.AdditionalProperties.(*huma.Schema)
	default:
		panic("BUG: a limit of a value that is not a string, list or map: " + rows)
	}
	if each != "" {
		l.bound(inside, each)
	}
	s.PrecomputeMessages()
}

// Document adds the bounds of all requests to the OpenAPI document, by which huma checks them.
func (l *Limits) Document(doc *huma.OpenAPI) {
	const refs = "#/components/schemas/"
	for name, s := range doc.Components.Schemas.Map() {
		if t := doc.Components.Schemas.TypeFromRef(refs + name); t.Kind() == reflect.Struct {
			for _, f := range reflect.VisibleFields(t) {
				if rows := f.Tag.Get("limit"); rows != "" {
					l.bound(s.Properties[jsonName(f)], rows)
				}
			}
		}
		standard(s)
	}
	for _, item := range doc.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Delete} {
			if op == nil {
				continue
			}
			for _, p := range op.Parameters {
				if rows := parameterLimits[p.Name]; rows != "" && p.Schema.Type != huma.TypeInteger {
					if p.Schema.Type == huma.TypeString { // a single value of what is a list elsewhere
						rows = rows[strings.IndexByte(rows, ',')+1:]
					}
					l.bound(p.Schema, rows)
				}
				standard(p.Schema)
			}
		}
	}
}

// standard removes fields that JSON Schema does not define. huma has used them for its messages by now.
func standard(s *huma.Schema) {
	s.PatternDescription = ""
	for _, p := range s.Properties {
		standard(p)
	}
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// Within returns a Refusal if a field of a request exceeds its limit. It skips limits that are answered with a status
// other than 422; their handlers check them.
func (l *Limits) Within(request any) error {
	return l.check(reflect.ValueOf(request), "", "")
}

// check compares a value, at a path in the request, with its rows: "own,each" as in the tag limit. It descends into
// structs, lists and maps and returns the first violation. Rows with a status other than 422 are skipped.
func (l *Limits) check(v reflect.Value, at, rows string) error {
	own, each, _ := strings.Cut(rows, ",")
	if own != "" && v.Kind() != reflect.Struct {
		row := l.named(own)
		if row.Answer != http.StatusUnprocessableEntity {
			return nil
		}
		if most := l.most(own); v.Len() > most {
			of := "entries"
			if v.Kind() == reflect.String {
				of = "bytes"
			}
			return Refuse("The request's field %s has %s %s; the maximum is %s.", at, Thousands(v.Len()), of,
				Thousands(most))
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return l.check(v.Elem(), at, "")
		}
	case reflect.Struct:
		for f, field := range v.Fields() {
			if name := jsonName(f); f.IsExported() && name != "" {
				rows := cmp.Or(f.Tag.Get("limit"), rows) // a struct in a map has the rows of the map
				if err := l.check(field, strings.TrimPrefix(at+"."+name, "."), rows); err != nil {
					return err
				}
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := l.check(v.Index(i), fmt.Sprintf("%s[%d]", at, i), each); err != nil {
				return err
			}
		}
	case reflect.Map:
		for key, value := range v.Seq2() {
			if err := l.check(value, at+"."+Shortened(key.String()), each); err != nil {
				return err
			}
		}
	}
	return nil
}
