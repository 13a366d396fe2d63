package irtest

import (
	"fmt"
	"math/rand"
	"strings"
)

// Draw writes a random program whose main thread spawns one or two threads. Main waits for some of them and asserts
// something about the values they have written, or waits for both and asserts something about the values they have
// read, which depends on the model. Nothing reads a location without an initial value.
func Draw(rng *rand.Rand) string {
	if rng.Intn(2) == 0 {
		return drawReads(rng)
	}
	pick := func(words ...string) string { return words[rng.Intn(len(words))] }
	loc := func() string { return pick("x", "y", "z") }
	reg := func() string { return pick("a", "b", "c") }
	threads := 1 + rng.Intn(2)
	var columns []string
	body := func(steps int) (out []string) {
		label := 0
		for range steps {
			switch n := rng.Intn(30); {
			case n < 8:
				out = append(out, loc()+"="+pick("1", "2", reg()))
			case n < 15:
				out = append(out, reg()+"="+loc())
			case n < 17:
				out = append(out, reg()+"="+loc()+pick("++", "<-1", "<-2?0", "<-1?1"))
			case n < 18:
				out = append(out, pick("mf", "mf", "ww", "wr"))
			case n < 20:
				out = append(out, "assert "+reg()+pick("!=", "=")+pick("0", "1", "2", reg()))
			case n < 22:
				out = append(out, "assume "+reg()+pick("!=", "=")+pick("0", "1", reg()))
			case n < 24:
				label++
				l := fmt.Sprintf("L%d", label)
				out = append(out, "if "+reg()+pick("!=", "=")+pick("0", "1")+" "+l, loc()+"=1", reg()+"="+loc(), l+":")
			case n < 25:
				out = append(out, "choose "+reg())
			case n < 27:
				out = append(out, "atomic", reg()+"="+loc(), loc()+"="+pick("1", reg()))
				if rng.Intn(4) == 0 {
					out = append(out, "assume "+reg()+"="+pick("0", "1"))
				}
				out = append(out, "end")
			case n < 29:
				out = append(out, "lock w", loc()+"="+pick("1", "2", reg()), reg()+"="+loc(), "unlock w")
			default:
				out = append(out, reg()+"="+pick("0", "1", reg()))
			}
		}
		return out
	}
	main := body(rng.Intn(2))
	for t := 1; t <= threads; t++ {
		main = append(main, fmt.Sprintf("spawn %d a=%d", t, rng.Intn(2)))
		columns = append(columns, strings.Join(body(2+rng.Intn(3)), "; "))
	}
	main = append(main, body(rng.Intn(3))...)
	for t := 1; t <= threads; t++ {
		if rng.Intn(3) > 0 {
			main = append(main, fmt.Sprintf("join %d", t))
		}
	}
	main = append(main, "a="+loc(), "b="+loc(), "assert a"+pick("!=", "=")+pick("0", "1", "2", "b"))
	return strings.Join(append([]string{strings.Join(main, "; ")}, columns...), " || ")
}

// drawReads draws two threads that read and write, similar to a classic test, and an assertion that they do not read
// certain values.
func drawReads(rng *rand.Rand) string {
	pick := func(words ...string) string { return words[rng.Intn(len(words))] }
	loc := func() string { return pick("x", "y", "z") }
	columns := []string{"spawn 1; spawn 2"}
	shape := [][]string{
		{"x=1; u=1; a=y; u=a", "y=1; a=x; v=a"},
		{"x=1; y=1; u=0", "b=y; assume b=1; a=x; v=a"},
		{"x=1; y=2; a=y; u=0", "y=1; x=2; b=x; assume b=1; a=y; if a=2 F; v=1; F:"},
		{"x=1; b=x; a=y; u=a", "y=1; b=y; a=x; v=a"},
	}[rng.Intn(4)]
	for _, text := range shape {
		var out []string
		for _, s := range strings.Split(text, "; ") {
			switch n := rng.Intn(30); {
			case n < 2:
				out = append(out, pick("mf", "ww", "wr"))
			case n < 3:
				out = append(out, "c="+loc()+pick("<-1", "<-1?0"))
			case n < 4:
				out = append(out, "atomic", loc()+"=1", "c="+loc(), "end")
			case n < 6:
				out = append(out, loc()+"="+pick("1", "c"))
			case n < 7:
				out = append(out, "c="+loc())
			}
			if rng.Intn(20) > 0 {
				out = append(out, s)
			}
		}
		columns = append(columns, strings.Join(out, "; "))
	}
	columns[0] += "; join 1; join 2; a=u; b=v; if a!=0 E; assert b!=0; E:"
	return strings.Join(columns, " || ")
}

// DrawWaits writes a random program of two or three threads with waiting loops. They wait for the value of one location
// or of two, read in either order, also inside another wait, or for a lock that is acquired by an exchange or a
// compare-exchange, with or without a test before it. Some wait for a value that no thread writes, or for each other.
func DrawWaits(rng *rand.Rand) string {
	pick := func(words ...string) string { return words[rng.Intn(len(words))] }
	loc := func() string { return pick("x", "y") }
	threads := 1 + rng.Intn(2)
	columns := make([]string, 1+threads)
	kinds := 30 // of statements; those that read most are there once
	for t := range columns {
		var out []string
		if t == 0 {
			for other := 1; other <= threads; other++ {
				out = append(out, fmt.Sprintf("spawn %d", other))
			}
		}
		for label := range 1 + rng.Intn(3) + t%2 {
			l, end, on := fmt.Sprintf("S%d", label), fmt.Sprintf("E%d", label), fmt.Sprintf("G%d", label)
			switch n := rng.Intn(kinds); {
			case n >= 28: // one wait in another
				kinds = 24
				out = append(out, l+":", "a="+loc(), "if a"+pick("=1", "!=0")+" "+end, on+":", "b="+loc(),
					"if b"+pick("=1", "!=0", "=0")+" I"+l, "spin "+on, "I"+l+":", "spin "+l, end+":")
			case n >= 24: // a lock, by an exchange that compares, or by a look at it first
				kinds = 24
				taken := []string{l + ":", "a=w<-1?0", "if a=0 " + end, "spin " + l, end + ":"}
				if rng.Intn(2) == 0 {
					taken = []string{
						l + ":", "b=w", "if b!=0 " + on, "a=w<-1", "if a=0 " + end, on + ":",
						"spin " + l, end + ":",
					}
				}
				out = append(append(out, taken...), loc()+"="+pick("1", "2"))
				if rng.Intn(3) > 0 {
					out = append(out, "w=0")
				}
			case n >= 20: // the awaited part is no loop
				switch rng.Intn(4) {
				case 0:
					out = append(out, l+":", "a="+loc(), "b="+loc(), "await a"+pick("=1", "=b", "!=b")+" "+l)
				case 1:
					out = append(out, "lock w", loc()+"="+pick("1", "2"))
					if rng.Intn(3) > 0 {
						out = append(out, "unlock w")
					}
				default:
					out = append(out, l+":", "a="+loc(), "await a"+pick("=1", "=2", "!=0", "=0")+" "+l)
				}
			case n < 10:
				out = append(out, loc()+"="+pick("1", "1", "1", "1", "2", "0"))
			case n < 13:
				out = append(out, l+":", "a="+loc(), "if a"+pick("=1", "=2", "!=0", "!=0", "=0")+" "+end,
					"spin "+l, end+":")
			case n < 14: // either
				out = append(out, l+":", "a="+loc(), "b="+loc(), "if a=1 "+end, "if b"+pick("=1", "=a", "!=a")+" "+end,
					"spin "+l, end+":")
			case n < 16: // both
				out = append(out, l+":", "a="+loc(), "if a=0 "+on, "b="+loc(), "if b=1 "+end, on+":",
					"spin "+l, end+":")
			case n < 18:
				out = append(out, l+":", "a=w<-1", "if a=0 "+end, "spin "+l, end+":", loc()+"="+pick("1", "2"))
				if rng.Intn(3) > 0 {
					out = append(out, "w=0")
				}
			case n < 19:
				out = append(out, pick("mf", "ww", "rr", "wr"))
			default:
				out = append(out, "b="+loc(), loc()+"=b")
			}
		}
		if t == 0 && rng.Intn(2) == 0 {
			out = append(out, fmt.Sprintf("join %d", 1+rng.Intn(threads)))
		}
		columns[t] = strings.Join(out, "; ")
	}
	return strings.Join(columns, " || ")
}
