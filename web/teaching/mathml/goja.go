//go:build !js

package mathml

import (
	_ "embed"
	"errors"
	"fmt"
	"sync"

	"github.com/dop251/goja"
)

//go:embed katex.min.js
var script string

// maxDepth bounds calls within one another.
const maxDepth = 4000

type machine struct {
	sync.Mutex // of vm, which runs one thing at a time
	vm         *goja.Runtime
	call       goja.Callable
}

var started = sync.OnceValues(func() (*machine, error) {
	vm := goja.New()
	vm.SetMaxCallStackSize(maxDepth)
	program, err := goja.Compile("katex.min.js", script, false)
	if err == nil {
		_, err = vm.RunProgram(program)
	}
	if err != nil {
		return nil, fmt.Errorf("KaTeX cannot be read: %w", err)
	}
	call, ok := goja.AssertFunction(vm.Get("katex").ToObject(vm).Get("renderToString"))
	if !ok {
		return nil, errors.New("KaTeX has no renderToString")
	}
	return &machine{vm: vm, call: call}, nil
})

// katex is KaTeX's renderToString, for one at a time.
func katex(tex string, options map[string]any) (string, error) {
	m, err := started()
	if err != nil {
		return "", err
	}
	m.Lock()
	defer m.Unlock()
	got, err := m.call(goja.Undefined(), m.vm.ToValue(tex), m.vm.ToValue(options))
	if err == nil {
		return got.String(), nil
	}
	var thrown *goja.Exception
	if !errors.As(err, &thrown) {
		// of all that ends KaTeX, the only thing that a formula can do
		return "", errors.New("the formula is nested too deeply")
	}
	if o, ok := thrown.Value().(*goja.Object); ok && o.Get("message") != nil {
		return "", complaint(o.Get("message").String())
	}
	return "", complaint(thrown.Value().String())
}
