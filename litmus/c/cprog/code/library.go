package code

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/ir"
)

func (cs *calls) libraryType(name string) *cc.FunctionType {
	return cs.program.external[name].definition.Declarator.Type().(*cc.FunctionType)
}

// callLibrary calls a function of the library.
func (cs *calls) callLibrary(name string, args ...ir.Expr) operand {
	t := cs.libraryType(name).Result()
	c := Call{Dst: -1, Fn: cs.libraryFunction(name), Args: args}
	if t.Kind() == cc.Void {
		cs.build.emit(c)
		return operand{nil, cs.types.ast.Void}
	}
	c.Dst = cs.build.temp(cs.types.width(t))
	cs.build.emit(c)
	return operand{cs.build.reg(c.Dst), t}
}

// libraryFunction is the function of the library that has a name; nil where the program does not have it.
func (cs *calls) libraryFunction(name string) *Function {
	s := cs.program.external[name]
	if s == nil {
		return nil
	}
	return cs.symbols.libraryFunction(s)
}
