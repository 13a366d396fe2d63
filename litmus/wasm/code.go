package wasm

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// code is a function's instructions, as bytes and as text (one instruction a line, indented by blocks).
type code struct {
	bytes []byte
	text  []string
	depth int
}

// opcodes are the instructions in use (WebAssembly Core Specification 2.0, section 5.4, and the threads proposal, whose
// instructions have the prefix 0xFE).
var opcodes = map[string][]byte{
	"block": {0x02, 0x40}, "loop": {0x03, 0x40}, "if": {0x04, 0x40}, "else": {0x05}, "end": {0x0b},
	"br": {0x0c}, "br_if": {0x0d}, "drop": {0x1a}, "select": {0x1b},
	"local.get": {0x20}, "local.set": {0x21}, "local.tee": {0x22},

	"i32.load": {0x28}, "i32.store": {0x36},
	"i64.load": {0x29}, "i64.load8_u": {0x31}, "i64.load16_u": {0x33}, "i64.load32_u": {0x35},
	"i64.store": {0x37}, "i64.store8": {0x3c}, "i64.store16": {0x3d}, "i64.store32": {0x3e},

	"i32.const": {0x41}, "i64.const": {0x42},
	"i32.eqz": {0x45}, "i32.eq": {0x46}, "i32.ne": {0x47}, "i32.lt_u": {0x49}, "i32.gt_u": {0x4b},
	"i32.ge_u": {0x4f},
	"i64.eqz":  {0x50}, "i64.eq": {0x51}, "i64.ne": {0x52}, "i64.lt_s": {0x53}, "i64.lt_u": {0x54},
	"i64.ge_u": {0x5a},
	"i32.add":  {0x6a}, "i32.sub": {0x6b}, "i32.mul": {0x6c}, "i32.div_u": {0x6e}, "i32.and": {0x71}, "i32.xor": {0x73},
	"i32.shl":   {0x74},
	"i32.shr_u": {0x76},
	"i64.add":   {0x7c}, "i64.sub": {0x7d}, "i64.mul": {0x7e}, "i64.div_s": {0x7f}, "i64.div_u": {0x80},
	"i64.rem_s": {0x81}, "i64.rem_u": {0x82}, "i64.and": {0x83}, "i64.or": {0x84}, "i64.xor": {0x85},
	"i64.shl": {0x86}, "i64.shr_s": {0x87}, "i64.shr_u": {0x88},
	"i32.wrap_i64": {0xa7}, "i64.extend_i32_u": {0xad},

	"memory.atomic.wait32": {0xfe, 0x01}, "atomic.fence": {0xfe, 0x03, 0x00},
	"i32.atomic.load": {0xfe, 0x10}, "i32.atomic.rmw.add": {0xfe, 0x1e},
	"i64.atomic.load": {0xfe, 0x11}, "i64.atomic.load8_u": {0xfe, 0x14}, "i64.atomic.load16_u": {0xfe, 0x15},
	"i64.atomic.load32_u": {0xfe, 0x16},
	"i64.atomic.store":    {0xfe, 0x18}, "i64.atomic.store8": {0xfe, 0x1b}, "i64.atomic.store16": {0xfe, 0x1c},
	"i64.atomic.store32": {0xfe, 0x1d},
	"i64.atomic.rmw.add": {0xfe, 0x1f}, "i64.atomic.rmw8.add_u": {0xfe, 0x22}, "i64.atomic.rmw16.add_u": {0xfe, 0x23},
	"i64.atomic.rmw32.add_u": {0xfe, 0x24},
	"i64.atomic.rmw.xchg":    {0xfe, 0x42}, "i64.atomic.rmw8.xchg_u": {0xfe, 0x45},
	"i64.atomic.rmw16.xchg_u": {0xfe, 0x46}, "i64.atomic.rmw32.xchg_u": {0xfe, 0x47},
	"i64.atomic.rmw.cmpxchg": {0xfe, 0x49}, "i64.atomic.rmw8.cmpxchg_u": {0xfe, 0x4c},
	"i64.atomic.rmw16.cmpxchg_u": {0xfe, 0x4d}, "i64.atomic.rmw32.cmpxchg_u": {0xfe, 0x4e},
}

// op appends an instruction without immediates.
func (c *code) op(names ...string) {
	for _, name := range names {
		c.put(name)
	}
}

// index appends an instruction with an index or a depth: local.get, br ….
func (c *code) index(name string, i int) {
	c.put(name, fmt.Sprint(i))
	c.bytes = binary.AppendUvarint(c.bytes, uint64(i))
}

// number appends a constant: i32.const, i64.const.
func (c *code) number(name string, v int64) {
	c.put(name, fmt.Sprint(v))
	c.bytes = appendSigned(c.bytes, v)
}

// access appends an instruction that accesses 2^align bytes at the address on the stack plus an offset.
func (c *code) access(name string, align, offset int) {
	if offset == 0 {
		c.put(name)
	} else {
		c.put(name, fmt.Sprintf("offset=%d", offset))
	}
	c.bytes = binary.AppendUvarint(binary.AppendUvarint(c.bytes, uint64(align)), uint64(offset))
}

// note appends a comment to the text.
func (c *code) note(text string) { c.text = append(c.text, strings.Repeat("  ", c.depth)+";; "+text) }

func (c *code) put(name string, immediates ...string) {
	op, ok := opcodes[name]
	if !ok {
		panic("BUG: no opcode for " + name)
	}
	if name == "end" || name == "else" {
		c.depth--
	}
	c.text = append(c.text, strings.Repeat("  ", c.depth)+strings.Join(append([]string{name}, immediates...), " "))
	switch name {
	case "block", "loop", "if", "else":
		c.depth++
	}
	c.bytes = append(c.bytes, op...)
}

// appendSigned appends a number as signed LEB128.
func appendSigned(b []byte, v int64) []byte {
	for {
		low := byte(v & 0x7f)
		v >>= 7
		if v == 0 && low&0x40 == 0 || v == -1 && low&0x40 != 0 {
			return append(b, low)
		}
		b = append(b, low|0x80)
	}
}
