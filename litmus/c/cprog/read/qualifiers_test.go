package read

import (
	"fmt"
	"testing"

	"modernc.org/cc/v4"
)

func TestQualifiers(t *testing.T) {
	const declarations = `
#include <stdatomic.h>
typedef int plain_t;
typedef _Atomic int atomic_t;
typedef _Atomic(struct s *) atomic_link;
typedef volatile int volatile_t;
typedef atomic_t row[4];
typedef atomic_t *to_atomic;
struct s { _Atomic int a; int b; atomic_int t; struct s *_Atomic next; volatile int v; atomic_int many[3]; struct s *down;
	struct { int inner; _Atomic char deep; } in; union { int u1; }; };
int x; _Atomic int a1; int _Atomic a2; _Atomic(int) a3; atomic_int a4; const atomic_uint a5; static _Atomic long a6; atomic_t a7;
_Atomic(plain_t) a8; atomic_bool a9; volatile _Atomic int av; volatile atomic_int av2; volatile int v; volatile_t v2; int volatile v3;
_Atomic int *pa; _Atomic(int *) ap; int *_Atomic ap2; _Atomic(int) *pa2; atomic_int *pa3; _Atomic(_Atomic int *) apa; to_atomic pa4; _Atomic to_atomic apa2;
struct s *_Atomic as; struct s g, *p, arr[3]; volatile struct s vs, *pvs; atomic_link al;
volatile int *pv; int *volatile vp; volatile int *volatile vpv; const volatile int *pcv; int *const volatile *ppv;
atomic_int arr1[4], arr2[2][2]; row r; row *pr; volatile int varr[2]; int *pp[2]; _Atomic int *parr[2]; atomic_int (*toarr)[4];
struct s *get(void); atomic_int *geta(void); volatile int getv(void); struct s (*fp)(void); atomic_int *(*fpa)(int);
__typeof__(a1) ta; __typeof__(*pa) tb; atomic_flag flag;
extern int later; _Atomic int twice, *twicep, other[2];
void params(_Atomic int q1, atomic_int *q2, atomic_int q3[], int q4[], row q5) {
`
	table := []struct {
		expression       string
		atomic, volatile bool
	}{
		{"x", false, false},
		{"a1", true, false},
		{"a2", true, false},
		{"a3", true, false},
		{"a4", true, false},
		{"a5", true, false},
		{"a6", true, false},
		{"a7", true, false},
		{"a8", true, false},
		{"a9", true, false},
		{"av", true, true},
		{"av2", true, true},
		{"v", false, true},
		{"v2", false, true},
		{"v3", false, true},
		{"(a1)", true, false},
		{"pa", false, false},
		{"*pa", true, false},
		{"pa[2]", true, false},
		{"2[pa]", true, false},
		{"*(pa + 1)", true, false},
		{"*(1 + pa)", true, false},
		{"*pa++", true, false},
		{"*++pa", true, false},
		{"*(pa += 2)", true, false},
		{"*(x ? pa : 0)", true, false},
		{"*(x ? (int *)0 : pa)", true, false},
		{"*(x, pa)", true, false},
		{"ap", true, false},
		{"*ap", false, false},
		{"ap2", true, false},
		{"*ap2", false, false},
		{"pa2", false, false},
		{"*pa2", true, false},
		{"*pa3", true, false},
		{"apa", true, false},
		{"*apa", true, false},
		{"pa4", false, false},
		{"*pa4", true, false},
		{"apa2", true, false},
		{"*apa2", true, false},
		{"as", true, false},
		{"*as", false, false},
		{"as->a", true, false},
		{"as->b", false, false},
		{"as->next", true, false},
		{"as->next->b", false, false},
		{"al", true, false},
		{"al->a", true, false},
		{"al->b", false, false},
		{"g.a", true, false},
		{"g.b", false, false},
		{"g.t", true, false},
		{"g.v", false, true},
		{"g.many[1]", true, false},
		{"*g.many", true, false},
		{"g.in.inner", false, false},
		{"g.in.deep", true, false},
		{"g.u1", false, false},
		{"p->a", true, false},
		{"p->down->t", true, false},
		{"(*p).a", true, false},
		{"(&g)->a", true, false},
		{"arr[1].a", true, false},
		{"(arr + 1)->b", false, false},
		{"vs.b", false, true},
		{"vs.a", true, true},
		{"vs.in.inner", false, true},
		{"vs.down->b", false, false},
		{"pvs->b", false, true},
		{"pvs->many[0]", true, true},
		{"pv", false, false},
		{"*pv", false, true},
		{"vp", false, true},
		{"*vp", false, false},
		{"vpv", false, true},
		{"*vpv", false, true},
		{"*pcv", false, true},
		{"*ppv", false, true},
		{"**ppv", false, false},
		{"arr1[2]", true, false},
		{"arr2[1][1]", true, false},
		{"*arr2[1]", true, false},
		{"**arr2", true, false},
		{"r[0]", true, false},
		{"(*pr)[0]", true, false},
		{"(*toarr)[1]", true, false},
		{"varr[1]", false, true},
		{"pp[1]", false, false},
		{"*pp[1]", false, false},
		{"parr[1]", false, false},
		{"*parr[1]", true, false},
		{"get()->a", true, false},
		{"get()->b", false, false},
		{"*geta()", true, false},
		{"getv()", false, false},
		{"fp().a", true, false},
		{"*fpa(1)", true, false},
		{"*(*fpa)(1)", true, false},
		{"*(int *)pa", false, false},
		{"*(_Atomic int *)&x", true, false},
		{"*(atomic_int *)&x", true, false},
		{"*(volatile int *)&x", false, true},
		{"*(__typeof__(x) volatile *)&x", false, true},
		{"*(volatile __typeof__(a1) *)&a1", true, true},
		{"(int)a1", false, false},
		{"*&a1", true, false},
		{"*&*&x", false, false},
		{"ta", true, false},
		{"tb", true, false},
		{"flag.__set", true, false},
		{"twice", true, false},
		{"twicep", false, false},
		{"*twicep", true, false},
		{"other[1]", true, false},
		{"q1", true, false},
		{"q2", false, false},
		{"*q2", true, false},
		{"q3", false, false},
		{"q3[1]", true, false},
		{"q4[1]", false, false},
		{"q5[1]", true, false},
		{"({ __auto_type z = pa; z; })[0]", true, false},
		{"*_Generic(x, int: pa, default: pv)", true, false},
		{"((struct s){0}).a", true, false},
		{"\"text\"[0]", false, false},
	}
	statements := ""
	for _, test := range table {
		statements += "\t" + test.expression + ";\n"
	}
	units, err := Translate(Source{Files: []File{{"a.c", declarations + statements + "}\n"}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := NewQualifiers(units, 64)
	for i, e := range expressions(units[0]) {
		test := table[i]
		atomic, volatile := q.Qualified(e)
		if atomic != test.atomic || volatile != test.volatile {
			t.Errorf("%s: got atomic %v, volatile %v, want %v, %v", test.expression, atomic, volatile, test.atomic,
				test.volatile)
		}
	}
}

// A local declared again in an inner block, and one of __auto_type, have the qualifiers of their own declarations.
func TestQualifiersOfLocals(t *testing.T) {
	units, err := Translate(Source{Files: []File{{"a.c", `
_Atomic int x, *p;
int f(void) { int x; { _Atomic int x; } __auto_type y = p; typedef int T; { typedef _Atomic int T; static T z; } T w; return 0; }
int g(void) { struct { _Atomic int a; } s; for (_Atomic int i = 0; i < 2; i++) ; return s.a; }
`}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := NewQualifiers(units, 64)
	got := map[string]string{}
	for d := range q.specifiers {
		at := d.Position()
		if at.Filename != "a.c" {
			continue
		}
		t := q.declarator(d)
		word := "plain"
		switch {
		case t.atomic:
			word = "atomic"
		case t.below().atomic:
			word = "to atomic"
		}
		got[fmt.Sprintf("%s %d:%d", d.Name(), at.Line, at.Column)] = word
	}
	for name, want := range map[string]string{
		"x 2:13": "atomic", "p 2:16": "to atomic", "x 3:19": "plain", "x 3:36": "atomic", "y 3:53": "to atomic",
		"z 3:109": "atomic", "w 3:116": "plain", "a 4:36": "atomic", "i 4:61": "atomic",
	} {
		if got[name] != want {
			t.Errorf("%s: got %q, want %q (all: %v)", name, got[name], want, got)
		}
	}
}

// expressions are the statements of the program's function.
func expressions(ast *cc.AST) (all []cc.ExpressionNode) {
	for u := ast.TranslationUnit; u != nil; u = u.TranslationUnit {
		if f := u.ExternalDeclaration.FunctionDefinition; f != nil && f.Position().Filename == "a.c" {
			for l := f.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
				if s := l.BlockItem.Statement; s != nil {
					all = append(all, s.ExpressionStatement.ExpressionList)
				}
			}
		}
	}
	return all
}
