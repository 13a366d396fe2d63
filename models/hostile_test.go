package models_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
)

// text is as many parts as make 250 KB.
func text(part func(i int) string) string {
	var b strings.Builder
	for i := 0; b.Len() < 250<<10; i++ {
		b.WriteString(part(i))
	}
	return b.String()
}

func many(part string) string { return strings.Repeat(part, 250<<10/len(part)) }

// doubling calls a function f of the text 65,536 times, by sixteen functions more.
func doubling(f string) string {
	for i := range 16 {
		f += fmt.Sprintf("\nlet f%d x = %[2]s(%[2]s x)", i+1,
			map[bool]string{true: "f", false: fmt.Sprint("f", i)}[i == 0])
	}
	return f + "\nlet a = f16 po"
}

const (
	deep   = "nests too deeply"
	long   = "want a shorter declaration: this one has more than 16384 names and operators"
	spread = "the model is too large once its functions and procedures are expanded"
)

// The parser rejects texts designed to take long at their place, after little work.
func TestHostileModels(t *testing.T) {
	tags := func(n int) string {
		s := "enum e = 'x"
		for i := range n {
			s += fmt.Sprintf(" || 't%d", i)
		}
		return s + "\n"
	}
	for name, c := range map[string]struct{ model, want string }{
		"postfix":      {"let a = po" + many("?"), `own:1:16395: got "?", ` + long},
		"inverse":      {"let a = po" + many("^-1"), `own:1:49163: got "^-1", ` + long},
		"prefix":       {"let a = " + many("~"), `own:1:509: got "~", want a simpler expression: this one ` + deep},
		"parentheses":  {"let a = " + many("("), `own:1:509: got "(", want a simpler expression: this one ` + deep},
		"brackets":     {"let a = " + many("["), `own:1:509: got "["`},
		"braces":       {"let a = " + many("{"), `own:1:509: got "{"`},
		"begin":        {"let a = " + many("begin "), `own:1:3009: got "begin"`},
		"union":        {"let a = po" + many("|po"), `own:1:24585: got "po", ` + long},
		"sequence":     {"let a = po" + many(";po"), `own:1:24585: got "po", ` + long},
		"product":      {"let a = R" + many("*R"), `own:1:16393: got "R", ` + long},
		"additions":    {"let a = po" + many("++po"), deep},
		"applications": {"let a = f " + many("po "), long},
		"calls":        {"let a = " + many("f("), deep},
		"let in":       {"let a = " + many("let b=po in "), deep},
		"functions":    {"let a = " + many("fun x->"), deep},
		"tries":        {"let a = " + many("try "), deep},
		"ifs":          {"let a = " + many(`if "v" then `), deep},
		"condition":    {`let a = if "v"` + many(`||"v"`), long},
		"negations":    {"let a = if " + many("not "), deep},
		"choices":      {many(`if "v" `), deep},
		"procedures": {
			many("procedure p() = "),
			`own:1:8017: got "procedure", want a simpler declaration: this one ` + deep,
		},
		"match":          {"let a = match 'x with " + many("'y -> po ||"), long},
		"matches":        {"let a = " + many("match 'x with 'x -> "), deep},
		"let and":        {"let a = po" + many(" and a = po"), long},
		"let rec":        {"let rec a = a" + many(" and a = a"), long},
		"members":        {"let a = {po" + many(",po"), long},
		"tuple":          {"let a = (po" + many(",po"), long},
		"parameters":     {"let f(x" + many(",x"), long},
		"shows":          {"show po as a" + many(",po as a"), long},
		"lets":           {text(func(i int) string { return fmt.Sprintf("let a%d = po\n", i) }) + "let b = po", spread},
		"definitions":    {many("let a = po;po\n"), spread},
		"checks":         {many("acyclic po;po;po;po\n"), spread},
		"flags":          {text(func(i int) string { return fmt.Sprintf("flag empty po as a%d\n", i) }), spread},
		"name":           {"let " + many("a") + " = po", "own:1:5: name of 256000 bytes: want at most 256"},
		"undefined name": {"let a = " + many("b"), "name of 256000 bytes"},
		"title":          {`"` + many("a") + `"`, "string of 256000 bytes"},
		"comments":       {many("(*"), "own:1:1: comment is not closed"},
		"characters":     {many("@"), "own:1:20: unexpected character '@'"},
		"long text":      {strings.Repeat("let a = po\n", 100_000), "own:1:1: the model is longer than 1024 KiB"},
		"doubling": {
			doubling(text(func(i int) string { return fmt.Sprintf("let a%d = po\n", i) })[:100<<10] +
				"\nlet f x = x|po"), spread,
		},
		"doubling bodies": {doubling("let f x = x" + strings.Repeat(`|(x\po)`, 2000)), spread},
		"doubling lets":   {doubling("let f x = " + strings.Repeat("let y=x in ", 450) + "x"), spread},
		"doubling ifs":    {doubling(`let f x = if "v"` + strings.Repeat(`||"v"`, 8000) + " then x else x"), spread},
		"doubling sets": {
			doubling("let f x = match {x" + strings.Repeat(",po", 7000) + "} with {}->x || a++b->a"),
			spread,
		},
		"doubling tries":  {doubling("let f x = x" + strings.Repeat("|(try z with 0)", 4000)), spread},
		"doubling tuples": {doubling("let f x = let a = (x" + strings.Repeat(",x", 7000) + ") in x"), spread},
		"doubling matches": {
			doubling("enum e = 'a || 'b\nlet f x = match 'a with " + strings.Repeat("'b -> po || ", 4000) +
				"'a -> x end"), spread,
		},
		"doubling procedures": {func() string {
			s := "procedure p0() =\n" + strings.Repeat("let a = po;po\n", 10_000) + "end\n"
			for i := range 16 {
				s += fmt.Sprintf("procedure p%d() = call p%[2]d() call p%[2]d() end\n", i+1, i)
			}
			return s + "call p16()"
		}(), spread},
		"growing recursion": {
			"let f x = x|x let g x = f(f(f(f(x)))) let h x = g(g(g(x)))\nlet rec a = h(a)" +
				strings.Repeat(" and b = h(a)", 2000), spread,
		},
		"deep recursion": {
			tags(99) + "let rec f s = match s with {} -> po || e ++ es -> f(es)" + strings.Repeat("|po", 7900) +
				" end\nlet a = f(e)",
			"own:2:21: the model nests too deeply once its functions and procedures are expanded",
		},
		"endless recursion": {"let rec f x = f x\nlet a = f po", "own:1:17: calls of f nest too deeply"},
		"doubling foralls": {"enum t = 'a || 'b\n" + strings.Repeat("forall x in t do ", 30) + "let a = po" +
			strings.Repeat(" end", 30), spread},
		"doubling folds": {"enum t = 'a || 'b\nlet f0(x, r) = r\n" +
			text(func(i int) string { return fmt.Sprintf("let f%d(x, r) = fold f%d (t, r)\n", i+1, i) })[:2000] +
			"\nlet a = f30('a, po)", spread},
		"doubling equivalences": {
			"let e0 = loc & loc\n" +
				text(func(i int) string { return fmt.Sprintf("let e%d = e%d & e%[2]d\n", i+1, i) })[:2000] +
				"\nacyclic fold (fun (c, rest) -> (c * c) & po) (classes(e50), 0)",
			"fold over classes is supported for a function",
		},
		"many tags": {tags(30_000) + "let a = e | e", spread},
		"sets of large things": {"let f x = {x}\nlet rec q = let e = po" + strings.Repeat(";po", 2000) + " in match " +
			strings.Repeat("f(e)|", 2000) + "f(e) with {}->po || a++b->a", spread},
		"arguments": {"let t = (po" + strings.Repeat(",po", 5000) + ")\nlet f(x" +
			strings.Repeat(",x", 5000) + ") = x\nlet a = po" + strings.Repeat("|f t", 5000), spread},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := models.ParseWith("own", c.model, nil, dialect.Vocabulary())
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				got := fmt.Sprint(err)
				t.Errorf("got %.300s, want %s", got, c.want)
			}
			if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 160 {
				t.Errorf("%d MiB allocated", mb)
			}
			if after.StackSys > 128<<20 {
				t.Errorf("the stack is %d MiB", after.StackSys>>20)
			}
		})
	}
}

// The includes of a model are bounded in number and size, and must be in its folder.
func TestHostileIncludes(t *testing.T) {
	const refused = "want the name of a file in the model's folder or below"
	chain := func(next string) func(name string) (string, error) {
		n := 0
		return func(string) (string, error) { n++; return fmt.Sprintf("include \"%d.cat\"", n) + next, nil }
	}
	for name, c := range map[string]struct {
		model, want string
		read        func(string) (string, error)
	}{
		"parent":        {`include "../secret"`, `own:1:9: got "../secret", ` + refused, nil},
		"within":        {`include "a/../../secret"`, refused, nil},
		"absolute":      {`include "/etc/passwd"`, refused, nil},
		"backslash":     {`include "..\secret"`, refused, nil},
		"drive":         {`include "C:secret"`, refused, nil},
		"empty":         {`include ""`, refused, nil},
		"zero":          {"include \"a\x00b\"", refused, nil},
		"endless chain": {`include "a"`, "includes more than 256 files", chain("")},
		"large files":   {`include "a"`, "includes more than 1024 KiB", chain(strings.Repeat(" ", 100<<10))},
		"itself": {
			`include "own"` + "\nacyclic po", "own includes itself",
			func(string) (string, error) { return `include "own"`, nil },
		},
	} {
		t.Run(name, func(t *testing.T) {
			files, err := models.Includes("own", c.model, func(name string) (string, error) {
				if c.read == nil {
					t.Errorf("asked for %q", name)
					return "", nil
				}
				return c.read(name)
			})
			if err == nil {
				_, err = models.ParseWith("own", c.model, files, dialect.Vocabulary())
			}
			if got := fmt.Sprint(err); err == nil || !strings.Contains(got, c.want) {
				t.Errorf("got %.300s, want %s", got, c.want)
			}
		})
	}
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprint(i)] = fmt.Sprintf("include %q", fmt.Sprint(i+1))
	}
	if _, err := models.ParseWith("own", `include "0"`, files, dialect.Vocabulary()); err == nil ||
		!strings.Contains(err.Error(), ": the model includes more than 256 files") {
		t.Errorf("got %v", err)
	}
}
