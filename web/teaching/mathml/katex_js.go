package mathml

import "syscall/js"

// katex is KaTeX's renderToString, which the script that starts the program has (static/src/engine.js).
func katex(tex string, options map[string]any) (html string, err error) {
	defer func() {
		switch thrown := recover().(type) {
		case nil:
		case js.Error:
			err = complaint(thrown.Get("message").String())
		default:
			panic(thrown)
		}
	}()
	return js.Global().Get("katex").Call("renderToString", tex, options).String(), nil
}
