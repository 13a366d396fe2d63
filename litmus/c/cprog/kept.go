package cprog

import (
	"fmt"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/codegen"
)

// kept caches the code of small programs, the most recently used ones. Who asks about a program asks under one model or
// property after another, and for most programs reading, built-in declarations included, takes longer than the answer.
// Code is never changed once it is made, so that several questions may share it at the same time.
var kept, _ = lru.New[string, *code.Unit](maxKept) // which fails for no size alone

const (
	maxKept     = 16       // with their syntax trees, programs take one to three MiB each
	maxKeptText = 16 << 10 // bytes of a program; a larger one is read anew
)

// cached returns the cached code of a C program, or makes it now. It caches no program that may include files, and no
// errors.
func cached(s Source, o codegen.Options) (*code.Unit, error) {
	size := 0
	for _, f := range s.Files {
		size += len(f.Text)
	}
	if s.Include != nil || size > maxKeptText {
		return codegen.Make(s, o)
	}
	key := fmt.Sprintf("%#v\n%#v", s, o)
	if u, ok := kept.Get(key); ok {
		return u, nil
	}
	u, err := codegen.Make(s, o)
	if err == nil {
		u.Lines, u.Remarks, u.Operated = slices.Clip(u.Lines), slices.Clip(u.Remarks), slices.Clip(u.Operated)
		kept.Add(key, u)
	}
	return u, err
}
