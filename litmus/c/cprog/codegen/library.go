package codegen

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// LibraryType returns the type of a library function.
func (cs *calls) LibraryType(name string) *cc.FunctionType {
	return cs.program.external[name].definition.Declarator.Type().(*cc.FunctionType)
}

// CallLibrary makes code for a call of a library function.
func (cs *calls) CallLibrary(name string, args ...ir.Expr) values.Operand {
	t := cs.LibraryType(name).Result()
	c := code.Call{Dst: -1, Fn: cs.LibraryFunction(name), Args: args}
	if t.Kind() == cc.Void {
		cs.build.Emit(c)
		return values.Of(nil, cs.types.AST.Void)
	}
	c.Dst = cs.build.Temp(cs.types.Width(t))
	cs.build.Emit(c)
	return values.Of(cs.build.Reg(c.Dst), t)
}

// LibraryFunction returns the library function with a name, or nil if the program does not contain it.
func (cs *calls) LibraryFunction(name string) *code.Function {
	s := cs.program.external[name]
	if s == nil {
		return nil
	}
	return cs.symbols.libraryFunction(s)
}
