package read

import (
	"reflect"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
)

// Place returns the position of the beginning of a node.
func Place(n cc.Node) litmus.Pos {
	p := n.Position()
	return litmus.Pos{File: p.Filename, Line: p.Line, Col: p.Column}
}

// Walk calls f on a node of the syntax tree and, if f returns true, on its children.
func Walk(n any, f func(cc.Node) (inside bool)) {
	v := reflect.ValueOf(n)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return
	}
	if node, ok := n.(cc.Node); ok && !f(node) {
		return
	}
	v = v.Elem()
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() || field.Anonymous {
			continue
		}
		if k := field.Type.Kind(); k == reflect.Pointer || k == reflect.Interface {
			Walk(v.Field(i).Interface(), f)
		}
	}
}
