package c

import (
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/lower"
)

// Type is a C type with the properties that tests need.
type Type struct {
	name   string // name of the scalar, without qualifiers: "int", "struct srcu_struct"
	stars  int
	width  int // width of the scalar in C, at which unsigned types wrap
	signed bool

	atomic   bool // C makes its plain accesses sequentially consistent
	volatile bool
	kernel   bool // a type of the kernel, such as atomic_t
}

// Stars returns the number of pointers that lead to the scalar.
func (t Type) Stars() int { return t.stars }

// IsAtomic reports whether t is one of C11's atomic types or a pointer to one.
func (t Type) IsAtomic() bool { return t.atomic }

// Width returns the width of the scalar in bits, and whether it is signed.
func (t Type) Width() (bits int, signed bool) { return t.width, t.signed }

// String returns the type as tests write it.
func (t Type) String() string {
	return t.name + strings.Repeat(" *", min(t.stars, 1)) + strings.Repeat("*", max(t.stars-1, 0))
}

// pointee returns the type that a pointer leads to.
func (t Type) pointee() Type {
	t.stars = max(t.stars-1, 0)
	return t
}

func (t Type) pointer() Type {
	t.stars++
	return t
}

var intType = Type{name: "int", width: 32, signed: true}

// scalars returns the scalar types by name.
var scalars = sync.OnceValue(func() map[string]Type {
	m := map[string]Type{}
	add := func(width int, signed bool, names ...string) {
		for _, n := range names {
			m[n] = Type{name: n, width: width, signed: signed}
		}
	}
	add(8, true, "char", "int8_t", "s8", "__s8")
	add(8, false, "uint8_t", "u8", "__u8", "bool", "_Bool")
	add(16, true, "short", "int16_t", "s16", "__s16")
	add(16, false, "uint16_t", "u16", "__u16")
	add(32, true, "int", "int32_t", "s32", "__s32", "void")
	add(32, false, "uint32_t", "u32", "__u32")
	add(64, true, "long", "int64_t", "intptr_t", "ssize_t", "ptrdiff_t", "s64", "__s64", "__int128",
		"__int128_t", "int128_t")
	add(64, false, "uint64_t", "uintptr_t", "size_t", "u64", "__u64", "__uint128_t", "uint128_t")
	for atomic, plain := range map[string]string{
		"atomic_bool": "bool", "atomic_char": "char", "atomic_schar": "char", "atomic_uchar": "uint8_t",
		"atomic_short": "short", "atomic_ushort": "uint16_t",
		"atomic_int": "int", "atomic_uint": "uint32_t", "atomic_long": "long", "atomic_ulong": "uint64_t",
		"atomic_llong": "long", "atomic_ullong": "uint64_t",
		"atomic_intptr_t": "intptr_t", "atomic_uintptr_t": "uintptr_t", "atomic_size_t": "size_t",
		"atomic_ptrdiff_t": "ptrdiff_t",
		"atomic_int8_t":    "int8_t", "atomic_uint8_t": "uint8_t", "atomic_int16_t": "int16_t",
		"atomic_uint16_t": "uint16_t",
		"atomic_int32_t":  "int32_t", "atomic_uint32_t": "uint32_t", "atomic_int64_t": "int64_t",
		"atomic_uint64_t": "uint64_t", "atomic_flag": "int",
	} {
		t := m[plain]
		t.name, t.atomic = atomic, true
		m[atomic] = t
	}
	add(32, true, "mtx_t", "pthread_mutex_t", "mutex")
	for _, n := range []string{
		"atomic_t", "atomic_long_t", "atomic64_t", "spinlock_t", "raw_spinlock_t",
		"arch_spinlock_t",
	} {
		m[n] = Type{name: n, width: 64, signed: true, kernel: true}
	}
	return m
})

// qualifiers lists the words of a type that do not affect its values.
var qualifiers = map[string]bool{
	"const": true, "restrict": true, "register": true, "static": true, "extern": true,
	"auto": true, "inline": true,
}

// marks lists the other words that can begin a type.
var marks = map[string]bool{
	"unsigned": true, "signed": true, "volatile": true, "_Atomic": true, "struct": true,
	"union": true, "__rcu": true, "__user": true,
}

// Types returns the words that types consist of.
func Types() []string {
	return slices.Concat(lower.Names(scalars()), lower.Names(qualifiers), lower.Names(marks))
}

// startsType reports whether a word can begin a type.
func startsType(word string) bool {
	_, scalar := scalars()[word]
	return scalar || qualifiers[word] || marks[word]
}

// readType reads the type at the beginning of some tokens. n is the number of its tokens, or 0 if there is no type.
func readType(toks []token) (t Type, n int) {
	t = Type{width: 32, signed: true}
	var words []string
	sign, atomic, volatile := "", false, false
	for ; n < len(toks); n++ {
		tok := toks[n]
		switch {
		case tok.text == "*" && len(words)+len(sign) > 0:
			t.stars++
			continue
		case tok.kind != wordToken:
		case tok.text == "volatile" && t.stars == 0:
			volatile = true
			continue
		case qualifiers[tok.text], tok.text == "volatile", tok.text == "__rcu", tok.text == "__user":
			continue
		case tok.text == "_Atomic":
			atomic = true
			if n+1 < len(toks) && toks[n+1].text == "(" {
				inner, k := readType(toks[n+2:])
				if k == 0 || n+2+k >= len(toks) || toks[n+2+k].text != ")" {
					return t, 0
				}
				words, sign = append(words, inner.name), "seen"
				t = inner
				n += 2 + k
			}
			continue
		case tok.text == "unsigned", tok.text == "signed":
			sign = tok.text
			continue
		case (tok.text == "struct" || tok.text == "union") && len(words) == 0 && n+1 < len(toks):
			words = append(words, tok.text+" "+toks[n+1].text)
			t.kernel = toks[n+1].text == "srcu_struct"
			n++
			continue
		default:
			s, ok := scalars()[tok.text]
			more := ok && len(words) > 0 && (tok.text == "int" || tok.text == "long") // long int, long long
			switch {
			case more && t.stars == 0:
				words = append(words, tok.text)
				continue
			case ok && len(words) == 0 && t.stars == 0:
				stars := t.stars
				t, t.stars = s, stars
				words = append(words, tok.text)
				continue
			}
		}
		break
	}
	if len(words) == 0 && sign == "" {
		return t, 0
	}
	if len(words) == 0 {
		words = []string{"int"}
	}
	t.name = strings.Join(words, " ")
	if sign == "unsigned" {
		t.signed, t.name = false, "unsigned "+t.name
	}
	t.atomic, t.volatile = t.atomic || atomic, t.volatile || volatile
	return t, n
}

// TypeOf returns the type that a whole text denotes; "" denotes int.
func TypeOf(text string) (Type, bool) {
	if text == "" {
		return intType, true
	}
	toks := lexAll(litmus.Cell{Text: text})
	t, n := readType(toks)
	return t, n > 0 && n == len(toks)
}
