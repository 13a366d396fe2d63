package read

import (
	"iter"
	"reflect"
	"sync"

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
	if v := reflect.ValueOf(n); v.Kind() != reflect.Pointer || v.IsNil() {
		return
	}
	if node, ok := n.(cc.Node); ok && !f(node) {
		return
	}
	for child := range children(n) {
		Walk(child, f)
	}
}

// children yields the child nodes of a node, in the order of the source. The node must not be nil.
func children(n any) iter.Seq[cc.Node] {
	return func(yield func(cc.Node) bool) {
		v := reflect.ValueOf(n).Elem()
		for _, i := range childFields(v.Type()) {
			child := v.Field(i)
			if child.Kind() == reflect.Interface {
				child = child.Elem()
			}
			if child.Kind() == reflect.Pointer && !child.IsNil() && !yield(child.Interface().(cc.Node)) {
				return
			}
		}
	}
}

// fieldsOf has what childFields has found, by type: a program includes headers of thousands of nodes.
var fieldsOf sync.Map

// childFields returns the indices of the fields of a node's type that hold its children.
func childFields(t reflect.Type) []int {
	if found, ok := fieldsOf.Load(t); ok {
		return found.([]int)
	}
	var fields []int
	for i := range t.NumField() {
		f := t.Field(i)
		k := f.Type.Kind()
		if f.IsExported() && !f.Anonymous && (k == reflect.Pointer || k == reflect.Interface) &&
			f.Type.Implements(reflect.TypeFor[cc.Node]()) {
			fields = append(fields, i)
		}
	}
	fieldsOf.Store(t, fields)
	return fields
}
