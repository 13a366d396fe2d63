package models_test

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/evaluation"
	"litmuscope/models/modelstest"
)

func TestLibrary(t *testing.T) {
	for _, name := range models.AllNames() {
		m, ok := models.Find(name)
		// rmo lets two loads of one location change places, and GPUs weak accesses.
		coherent := name != "rmo" && !models.FactsOf(name).Scoped
		if !ok || m.Title == "" || m.Coherent() != coherent {
			t.Errorf("model %s: found %v, title %q, coherent %v", name, ok, m.Title, m.Coherent())
		}
	}
}

func TestModelErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"acyclic po | rff", "m.cat:1:14: rff is not defined"},
		{"let a = po\nacyclic a |", `m.cat:2:12: got end of file, want an expression`},
		{"acyclic R", "m.cat:1:1: acyclic takes a relation, got a set"},
		{"acyclic po & R", "m.cat:1:12: want a relation here, got a set"},
		{"let f(x) = x\nacyclic f", "m.cat:2:9: want a set or a relation, got a function"},
		{"forall x in R do acyclic po end", "m.cat:1:1: forall takes a set of tags or relations, got a set"},
		{"forall x in {po} acyclic x end", `m.cat:1:18: got "acyclic", want "do"`},
		{"enum t = 'a\nforall x in t do acyclic x end", "m.cat:2:26: want a set or a relation, got a tag"},
		{"debug po\nacyclic po", `"debug" is a construct of cat that is not supported`},
		{
			"acyclic fold (fun (r, s) -> r | s) (R, po)",
			"m.cat:1:36: fold takes a set of tags or relations, got a set",
		},
		{"acyclic tag2events R", "m.cat:1:20: want a tag, got a set"},
		{"instructions R[po]\nacyclic po", "m.cat:1:1: want tags of an enum for the instructions R, got a relation"},
		{"instructions R['a]\nacyclic po", "m.cat:1:16: no enum has the tag 'a"},
		{"with x from linearisations(po, W)\nacyclic x", "m.cat:1:27: want a set of events to order, got a relation"},
		{
			"with x from generate_orders(W, W)\nacyclic x",
			"m.cat:1:28: want a relation that the orders are to agree with, got a set",
		},
		{
			"with x from linearisations W\nacyclic x",
			"m.cat:1:28: want a set of events and a relation that the orders are to agree with, got a set",
		},
		{"acyclic linearisations(W, co)", "m.cat:1:9: want a set or a relation, got a set of relations"},
		{"acyclic partition(W)", "m.cat:1:9: want a set or a relation, got a set with a member for each class"},
		{
			"acyclic classes-loc(W)",
			"m.cat:1:20: classes-loc is a function of cat that is not supported: want partition(S) or classes(loc)",
		},
		{"acyclic classes(R)", "m.cat:1:16: classes takes an equivalence, got a set"},
		{"acyclic partition(po)", "m.cat:1:18: partition takes a set of events, got a relation"},
		{
			"with c from classes(loc)\nacyclic po",
			"m.cat:1:1: with c from a set with a member for each class is not supported",
		},
		{
			"let o = map (fun c -> linearisations(c, co)) (classes loc)\nacyclic po",
			"m.cat:1:37: an order over a class is not supported: want generate_orders(S, r)",
		},
		{
			"let f s = match s with || {} -> 0 || x ++ rest -> po end\nacyclic f(partition(W))",
			"m.cat:1:11: match takes a tag, or a set of tags or relations, got a set with a member for each class",
		},
		{
			"forall c in classes(loc) do acyclic po end",
			"m.cat:1:29: the check does not depend on the class: want it outside of forall",
		},
		{
			"forall c in classes(loc) do ~empty po & (c * c) end",
			"m.cat:1:29: want a check that holds for all classes together exactly if it holds for each",
		},
		{
			"forall c in classes(loc) do flag empty po & (c * c) as f end\nacyclic po",
			"m.cat:1:29: want a check that holds for all classes together exactly if it holds for each",
		},
		{
			"forall c in classes(loc) do acyclic po | c * c end",
			"m.cat:1:40: this operator is not supported if only one side depends on a class C",
		},
		{
			"forall c in classes(loc) do acyclic (c * c)? end",
			"m.cat:1:44: this operator is not supported for a relation or set that depends on a class C",
		},
		{
			"forall c in classes(loc) do empty ~c end",
			"m.cat:1:35: this operator is not supported for a relation or set that depends on a class C",
		},
		{
			"forall c in classes(loc) do acyclic po ; [c] ; rf end",
			"m.cat:1:46: a sequence with a class only in its middle is not supported",
		},
		{
			"forall c in classes(loc) do forall d in classes(int) do empty c & d end end",
			"m.cat:1:65: an expression that depends on classes of two sets is not supported",
		},
		{
			"forall c in classes(loc) do let rec s = c & (s | _) empty s end",
			"m.cat:1:37: a let rec that depends on a class is not supported",
		},
		{
			"let s = fold (fun (c, rest) -> c & rest) (classes(loc), _)\nempty s",
			"m.cat:1:42: fold over classes is supported for a function (x, rest) -> f(x) | rest alone",
		},
		{
			"let s = map (fun c -> R) (classes(loc))\nempty po",
			"m.cat:1:26: map over classes takes sets or relations that depend on the class, got a set",
		},
		{
			"forall c in classes(loc) do let s = {[c]} empty po end",
			"m.cat:1:38: a set whose members depend on a class is not supported",
		},
		{"acyclic po ^ rf", `m.cat:1:12: got "^", want ^-1, ^+, ^* or ^? behind a relation`},
		{"acyclic ^po", `m.cat:1:9: got "^", want ^-1, ^+, ^* or ^? behind a relation`},
		{"acyclic po^", `m.cat:1:11: got "^", want ^-1, ^+, ^* or ^? behind a relation`},
		{
			"let dd = [R] ; (rf-reg | iico_data)+\nacyclic dd",
			"m.cat:1:17: rf-reg is not defined: register accesses are not events here",
		},
		{"acyclic rf-reg \\ rf", "m.cat:1:9: rf-reg is not defined: register accesses are not events here"},
		{"with x from R\nacyclic po", "m.cat:1:1: with x from a set is not supported: want generate_cos(...)"},
		{"procedure p(r) = acyclic r\ncall p(po)", `m.cat:2:11: got end of file, want "end" of procedure p`},
		{"procedure p(r) = acyclic r end\ncall p(po, rf)", "m.cat:1:26: want a set or a relation, got a tuple"},
		{"procedure p(r) = acyclic r end\ncall q(po)", "m.cat:2:1: q is not a procedure"},
		{"let f(x,y) = x;y\nacyclic f(po)", "m.cat:2:10: f takes 2 arguments, got 1"},
		{"acyclic po rf", "m.cat:1:9: a relation is not a function"},
		{"let a = po\nacycic a", "m.cat:2:1: acycic does not begin a declaration: did you mean acyclic?"},
		{"\"T\"\nacycic po\nacyclic rf", "m.cat:2:1: acycic does not begin a declaration: did you mean acyclic?"},
		{"acyclic rf [R]", `m.cat:1:12: got "[", want an operator, such as ";", before "["`},
		{"let rec r = po when rf\nacyclic r", `m.cat:1:21: got "rf", want a declaration`},
		{"match 'a with 'a -> acyclic po end", "m.cat:1:7: no enum has the tag 'a"},
		{"enum t = 'a || 'b\nmatch 'b with || 'a -> acyclic po end", "m.cat:2:1: no case for 'b"},
		{"acyclic if \"a\" then po", `m.cat:1:23: got end of file, want "else"`},
		{
			"acyclic if po = rf then po else rf",
			"m.cat:1:12: a condition compares tags and sets of tags, got a relation and a relation",
		},
		{
			"acyclic if po then po else rf",
			`m.cat:1:15: got "then", want "=", "subset" or "in" and what to compare with`,
		},
		{
			"enum t = 'a\nacyclic if t in t then po else rf",
			"m.cat:2:12: a condition compares tags and sets of tags, got a set of tags and a set of tags",
		},
		{"if \"a\" acyclic po", `m.cat:1:18: got end of file, want "else" or "end" of an if`},
		{"acyclic if \"a\" then po else nothing", "m.cat:1:29: nothing is not defined"},
		{"let a, b = po\nacyclic a", "the pattern takes 2 arguments, got 1"},
		{"acyclic po ++ rf", `"++" is a construct of cat that is not supported`},
		{"include \"no.cat\"", `m.cat:1:1: include "no.cat": the library has no such file`},
		{"let f _ = po\nacyclic f(R) & _", "m.cat:2:14: want a relation here, got a set"},
		{"enum t = 'a || 'b\nlet f(x) = match x with 'a -> po end\nacyclic f('b)", "no case for 'b"},
		{"let f(x) = match x with 'a -> po end\nacyclic f('a)", "no enum has the tag 'a"},
		{"let (a,b) = (po,rf,co)\nacyclic a", "the pattern takes 2 arguments, got 3"},
		{"let rec r = po \\ r\nacyclic r", "the recursion has no least solution"},
		{
			"let rec s = W \\ s\nempty s",
			"m.cat:1:9: s is defined through s on the right of \\ or under ~: the recursion has no least solution",
		},
		{
			"let rec a = a | ~b and b = ~c and c = ~b\nempty a",
			"c is defined through b on the right of \\ or under ~: the recursion has no least solution",
		},
		{"let rec s = W | domain(r) and r = s ; po\nempty s", "m.cat:1:37: want a relation here, got a set"},
		{"let rec s = {po, rf}\nempty s", "m.cat:1:13: want a set or a relation, got a set of relations"},
		{"empty different-values(R)", "m.cat:1:23: want a relation here, got a set"},
		{"let x = po", "m.cat: the model has no axiom"},
		{
			"acyclic match R with || {} -> po || x ++ s -> rf end",
			"m.cat:1:9: match takes a tag, or a set of tags or relations, got a set",
		},
		{
			"acyclic match R with || _ -> po end",
			"m.cat:1:9: match takes a tag, or a set of tags or relations, got a set",
		},
		{"acyclic match 0 with || x ++ s -> po end", "m.cat:1:9: no case for a set of 0 members"},
		{"acyclic match 0 with || x -> po end", `m.cat:1:27: got "->", want "++" and a name for the rest of the set`},
		{"with x from {po, rf}\nacyclic x", "m.cat:1:1: with x from a set of relations is not supported: want " +
			"generate_cos(...) or a set of one relation"},
		{"with x from {R}\nacyclic x", "m.cat:1:14: sets of listed events are not supported"},
		{"acyclic {po}", "m.cat:1:9: want a set or a relation, got a set of relations"},
		{"acyclic po & {po}", "m.cat:1:12: want two sets of the same kind, got a relation and a set of relations"},
		{"let rec f(x) = f(x)\nacyclic f(po)", "m.cat:1:17: calls of f nest too deeply"},
		{
			"let rec f(x) = x and g = po\nacyclic g",
			"m.cat:1:22: a recursive group of functions and anything else is not supported",
		},
		{
			"let rec g = po and f(x) = x\nacyclic g",
			"m.cat:1:20: a recursive group of relations and anything else is not supported",
		},
		{"enum t = 'a\nacyclic map (fun x -> po) t", "m.cat:2:9: want a set or a relation, got a set of relations"},
		{"acyclic map (fun x -> po) R", "m.cat:1:27: map takes a set of tags or relations, got a set"},
		{"acyclic 8.0", `m.cat:1:9: got "8.0", want an expression`},
		{"acyclic ctrlcfence(po, ctrl, R)", "m.cat:1:19: ctrlcfence takes a set of fences"},
		{"(* open", "m.cat:1:1: comment is not closed"},
	} {
		_, err := models.Parse("m.cat", c.text, dialect.Vocabulary())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

// The ways to write a thing in cat that come to the same: each of these models is
// sequential consistency.
func TestLanguage(t *testing.T) {
	sc := "acyclic po | rf | fr | co as consensus"
	for _, text := range []string{
		"let com = rf | fr | co\nacyclic po | com as consensus",
		"let union(a,b) = a | b\nlet twice f = fun x -> f(x,x)\n" +
			"acyclic union((twice union) po, rf | fr | co) as consensus",
		"procedure total(r) = let all = r | rf | fr | co acyclic all end\ncall total(po) as consensus",
		"let (a,b) = (po | rf, fr | co)\nacyclic let r = a | b in r as consensus",
		"let r = try nothing | po with po\nacyclic r | rf | fr | co as consensus",
		"include \"cos.cat\"\nwith co from generate_cos(co0)\nacyclic po | rf | rf^-1;co | co as consensus",
		"enum order = 'strong || 'weak\nlet f(x) = match x with || 'weak -> 0 || _ -> po end\n" +
			"acyclic f('strong) | com | f('weak) as consensus",
		"let rec hb = po | com | hb;hb\nirreflexive hb as consensus",
		"empty [domain(po | com)];(po | com)+ & id as consensus",
		"let f() = po\nacyclic f() | com as consensus",
		"let f _ = po\nlet g (_, b) = b\nacyclic f(R) | g(R, com) as consensus",
		"let a, b = po, com\nacyclic a | b as consensus",
		"if \"x\" || not \"y\" acyclic po | com as consensus else acyclic nothing end",
		"acyclic (if not \"x\" then po else nothing) | com as consensus",
		"let e = {} & W\nacyclic [e] ; rf | po \\ (e * R) | com | e * _ | domain(0) * W as consensus",
		"acyclic com | po & (_ * ~(W & {})) as consensus",
		"assert empty W \\ M\nundefined_unless acyclic po\nshow undefined, po\nacyclic com | po as consensus",
		"include \"cos-opt.cat\"\nacyclic po | rf | ca as consensus",
		"SC 2.0 of 1979\nacyclic po | com as consensus",
		"let pair = (po, com)\nlet join(a, b) = a | b\nacyclic join pair as consensus",
		"let same x = x\nlet (a, b) = same(po, com)\nacyclic a | b as consensus",
		"procedure p(a, b) = acyclic a | b end\nlet x = po, com\ncall p(x) as consensus",
		"acyclic po | com | ctrlcfence(ISYNC) | ctrlcfence(ctrl, ISYNC) as consensus",
		"let mfence = fencerel(mfence)\nacyclic po | com | mfence as consensus",
		"acyclic po | com | sync | po;[lwsync];po | (sync & (sync * W)) as consensus",
		`enum kept = 'all || 'none
let of(t) = match t with || 'all -> po || _ -> 0 end
let rec union s = match s with || {} -> 0 || t ++ rest -> of(t) | union(rest) end
acyclic union kept | com as consensus`,
		`let rec even(s) = match s with || {} -> po || _ ++ rest -> odd(rest) end
and odd s = match s with || {} -> rf || _ ++ rest -> even(rest) end
enum one = 'a enum two = 'b || 'c
acyclic even(two) | odd(one) | com as consensus`,
		"forall r in {po | com} do acyclic r as consensus end",
		"let rec r = po | com | r;r when irreflexive r as consensus\nempty 0",
		"enum t = 'a || 'b\nmatch 'b with || 'a -> acyclic 0 || 'b -> let r = po acyclic r | com as consensus end",
		"let all = fold (fun (r, s) -> r | s) ({po, rf, com}, 0)\nacyclic all as consensus",
		"enum t = 'a || 'b\nlet f x = if x = 'a || not x in t then po else com\nacyclic f('a) | f('b) as consensus",
		"enum t = 'a || 'b enum u = 'a\n" +
			"if u subset t && not t subset u then acyclic po | com as consensus else acyclic po end",
		"if {} = emptyset acyclic po | com as consensus end",
		"enum t = 'mfence || 'strange\ninstructions F[t]\nlet s = Mfence | Strange\n" +
			"empty (Mfence \\ MFENCE) | (tag2events 'mfence) \\ s\nacyclic po | com | fencerel(Mfence) as consensus",
		"with consensus from linearisations(M, (po | com)+)\nempty 0",
		"with o from linearisations(M, po)\nacyclic o | com as consensus",
		"with c from generate_orders(W, co0)\nacyclic po | rf | c | rf^-1;c as consensus",
		"with c from generate_orders(W & M, po)\nlet all = com | c\nacyclic po | all as consensus",
		"with o from generate_orders(R, 0)\nacyclic po | com | o & rf as consensus",
		"let rec s = W | range([s];com) | range([s];po) | R\nacyclic [s];(po | com) as consensus",
		"let rec a = b and b = domain(r) | _ and r = po | ([a] ; com)\nacyclic r as consensus",
		"acyclic let rec r = po | (let rec s = com | r ; r in s) in r as consensus",
		"let rec left = W \\ done and done = done | left\nacyclic [done | R];(po | com);[_ \\ left] as consensus",
		"acyclic po | com | different-values(po-loc);[FW] as consensus",
		"with r from map (fun x -> x | com) {po}\nacyclic r as consensus",
		"with r from {po, com} \\ {com} & {rf, com}\nacyclic r | com as consensus",
		"acyclic po | rf ^ -1 ; co | (rf | co) ^ + | (po^  * ; po) as consensus",
		"let all = fold (fun (r, rest) -> r | rest) (map (fun c -> (po | com) & (c * c)) (classes(_ * _)), " +
			"0)\nacyclic all as consensus",
		"forall c in classes(_ * _) do acyclic [c] ; (po | com) as consensus end",
		"show rf-reg\nacyclic po | (com \\ rf-reg) as consensus",
		"include \"show-deps.cat\"\nshow com \\ rf as rest\nunshow ca, rest\nacyclic po | com as consensus",
		"let dd = iico_data | iico_ctrl | iico_order\nacyclic po | com | dd \\ rmw | ([R] ; dd ; [W]) as consensus",
		"with r from po ++ {po} | {po}\nacyclic com | r as consensus",
		"let none = {} & W\nacyclic com | (match none with || {} -> po || x ++ s -> rf end) as consensus",
	} {
		m, err := models.Parse("m.cat", text, dialect.Vocabulary())
		if err != nil {
			t.Errorf("%s:\n%v", text, err)
			continue
		}
		want, err := models.Parse("sc.cat", sc, dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range modelstest.Candidates(t) {
			got, ok := evaluation.Check(m, x), evaluation.Check(want, x)
			if len(got) != len(ok) || len(got) > 0 && got[0].Axiom != "consensus" {
				t.Errorf("%s\nexecution %d: got %v, want %v", text, i, got, ok)
			}
		}
	}
}

// Flags that one failing round of each loop can raise are those of C11's models, of the kernel's and of GPUs.
func TestFlagsPersist(t *testing.T) {
	for _, c := range []struct {
		model, flag string
		want        bool
	}{
		{"rc11", "data-race", true},
		{"rc11", "bad-unlock", true},
		{"rc11", "atomic-widths", true},
		{"imm", "bad-unlock", true},
		{"c11", "data-race", true},
		{"lkmm", "data-race", true},
		{"lkmm", "unmatched-unlock", true},
		{"lkmm", "mixed-accesses", true},
		{"vulkan", "data-race", true},
		{"ptx", "data-race", true},
		{"opencl", "data-race", true},
	} {
		m, err := models.Named(c.model)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(m.Flags, func(f cat.Flag) bool { return f.Name == c.flag })
		if at < 0 || m.Persists(at) != c.want {
			t.Errorf("%s: %s is at %d, want persists %v", c.model, c.flag, at, c.want)
		}
	}
	for name, want := range map[string]bool{"c11": true, "c11-psc": true, "rc11": false} {
		if m, err := models.Named(name); err != nil || m.Forgetful() != nil != want || want &&
			!m.Forgetful().ForgetsReads() {
			t.Errorf("%s: forgetful %v, %v", name, m.Forgetful(), err)
		}
	}
}

// Removing reads from an execution keeps it allowed if no axiom requires more of the events that depend on them.
func TestForgetsReads(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"acyclic po | rf | fr | co", true},
		{"acyclic (po \\ (W * R)) | rf", true},
		{"acyclic po \\ (po ; po)", false},
		{"acyclic po \\ (po ; [Sync-rcu | Rcu-lock] ; po)", true},
		{"acyclic po \\ (po ; [Sync-rcu | Srcu-lock] ; po)", false},
		{"acyclic po \\ ((po & (_ * W)) ; po)", true},
		{"let failed = RMW \\ domain(rmw) \\ range(rmw)\nacyclic [M \\ failed] ; po | rf", true},
		{"acyclic [M \\ domain(rf)] ; po", false},
		{"acyclic co \\ (co ; co+)", true},
		{"acyclic (co \\ (po ; po+)) | rf", false},
		{"acyclic co \\ (po ; [F] ; (po ; [F])+)", true},
		{"acyclic co \\ ((po ; [R]) ; po)", false},
		{"let stored = range([IW] ; loc)\nacyclic po \\ (stored * stored)", true},
		{"acyclic po \\ (range([R] ; po) * _)", false},
		{"~empty rf", false},
	} {
		m, err := models.Parse("m", "\"m\"\n"+c.text+"\n", dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		if got := m.ForgetsReads(); got != c.want {
			t.Errorf("%s: forgets reads %v, want %v", c.text, got, c.want)
		}
	}
}
