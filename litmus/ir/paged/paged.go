// Package paged implements arrays that are copied often and changed rarely, such as the registers of a thread on the
// paths of its code. An [Array] consists of pages that copies share until one of them writes to the page. Copying and
// comparing cost as much as has changed; [Differing] iterates over the differing elements.
//
// It imports nothing of litmuscope.
package paged

import (
	"iter"
	"slices"
)

// Array is an array of any length, which begins with zeros. Its methods are not for several goroutines at once, nor on
// arrays that share pages.
type Array[T any] struct {
	pages []*page[T] // nil for one without values
	own   *owner     // of the pages that this array may write to
}

const pageSize = 32

type page[T any] struct {
	own    *owner
	values [pageSize]T
}

// owner has a field so that each is somewhere else.
type owner struct{ _ byte }

// Shared is a copy: from then on, neither changes what the other has.
func (a *Array[T]) Shared() Array[T] {
	a.own = nil
	return Array[T]{pages: slices.Clone(a.pages)}
}

func (a *Array[T]) page(i int) *page[T] {
	if i < len(a.pages) {
		return a.pages[i]
	}
	return nil
}

// At is the value at a place, or zero.
func (a *Array[T]) At(i int) (v T) {
	if p := a.page(i / pageSize); p != nil {
		v = p.values[i%pageSize]
	}
	return v
}

// Set puts a value in a place.
func (a *Array[T]) Set(i int, v T) {
	k := i / pageSize
	if k >= len(a.pages) {
		a.pages = append(a.pages, make([]*page[T], k+1-len(a.pages))...)
	}
	if a.own == nil {
		a.own = new(owner)
	}
	switch p := a.pages[k]; {
	case p == nil:
		a.pages[k] = &page[T]{own: a.own}
	case p.own != a.own:
		a.pages[k] = &page[T]{own: a.own, values: p.values}
	}
	a.pages[k].values[i%pageSize] = v
}

// Differing gives the places, in order, where not all of some arrays may have the same.
func Differing[T any](arrays ...*Array[T]) iter.Seq[int] {
	pages := 0
	for _, a := range arrays {
		pages = max(pages, len(a.pages))
	}
	return func(yield func(int) bool) {
		for k := range pages {
			one := arrays[0].page(k)
			if !slices.ContainsFunc(arrays, func(a *Array[T]) bool { return a.page(k) != one }) {
				continue
			}
			for i := k * pageSize; i < (k+1)*pageSize; i++ {
				if !yield(i) {
					return
				}
			}
		}
	}
}
