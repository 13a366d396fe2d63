package compile

import (
	"fmt"

	"litmuscope/litmus"
)

// gpu is a target whose threads are in scopes.
type gpu interface {
	// placed is the place of the nth thread of a test that says where its threads are.
	placed(t *thread, n int, from litmus.Thread) []int
}

// gpuWords writes what PTX and Vulkan's tests have in common: registers and locations of 32 bits, and instructions that
// name locations. There are no addresses in registers.
type gpuWords struct{}

func (gpuWords) pointerBits() int { return 32 }
func (gpuWords) registers() int   { return 256 }
func (gpuWords) absolute() bool   { return true }
func (gpuWords) bigEndian() bool  { return false }

func (gpuWords) name(r register, _ int) string       { return fmt.Sprintf("r%d", r) }
func (v gpuWords) shown(r register, bits int) string { return v.name(r, bits) }

// operand writes a register or a number.
func (v gpuWords) operand(x value) string {
	if x.number {
		return fmt.Sprint(word(x.n, 32))
	}
	return v.name(x.r, 32)
}

// words rejects accesses that are not to a word.
func (gpuWords) words(t *thread, bits int) {
	if bits != 32 {
		t.failf(t.at, "cannot compile an access of %d bits to %s: its tests have locations of 32 bits", bits, t.arch)
	}
}

// place returns the location of an access.
func (gpuWords) place(t *thread, m memory) string {
	if m.loc == "" {
		t.failf(t.at, "cannot compile an access through a pointer to %s: its tests name locations", t.arch)
	}
	return m.loc
}

func (v gpuWords) set(t *thread, dst register, n int64, _ int) {
	t.emit("mov %s, %d", v.name(dst, 32), word(n, 32))
}

func (gpuWords) point(t *thread, _ register, loc string) {
	t.failf(t.at, "cannot compile the address of %s to %s: its tests have no addresses in registers", loc, t.arch)
}

func (v gpuWords) move(t *thread, dst, src register, _ int) {
	t.emit("mov %s, %s", v.name(dst, 32), v.name(src, 32))
}

func (v gpuWords) depend(t *thread, r register, _ int, label string) {
	t.emit("bne %s, 0, %s", v.name(r, 32), label)
}

func (gpuWords) narrow(*thread, register, register) { panic("BUG: registers have 32 bits") }

func (gpuWords) show(*thread, register) {}

func (gpuWords) reserve(*thread, register, memory, int, string) {
	panic("BUG: there is no load-reserved")
}

func (gpuWords) commit(*thread, value, memory, int, string, string) {
	panic("BUG: there is no store-conditional")
}
